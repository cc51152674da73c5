// Types.h - element types as C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_TYPES_H
#define TILE_LIB_TARGET_CUDA_TYPES_H

#include "tile/Support/ScalarType.h"

#include "llvm/ADT/StringRef.h"

namespace tile::cuda {

/// The C type a value of that type is held in: i1 is `bool`, index `long long`, f16 `f16` (a helper).
llvm::StringRef valueType(ScalarType type);

/// The C type an element has in memory: that of the value, but i1 is `unsigned char`.
llvm::StringRef memoryType(ScalarType type);

/// The unsigned C type of the same width; i1 has none.
llvm::StringRef unsignedType(ScalarType type);

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_TYPES_H
