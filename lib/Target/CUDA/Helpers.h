// Helpers.h - the types and device functions that emitted text may use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_HELPERS_H
#define TILE_LIB_TARGET_CUDA_HELPERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile::cuda {

/// A type or function that stands once at the head of the text, where it is used.
struct Helper {
  llvm::StringRef name;
  /// Names of the helpers that `text` itself uses, separated by spaces.
  llvm::StringRef needs;
  /// Parameters and body of a function from its result type on, or a whole `using`; begins and ends with a newline.
  llvm::StringRef text;
};

/// The two parts of the table: HelperTable.cpp, HelperTableMath.cpp.
llvm::ArrayRef<Helper> basicHelpers();
llvm::ArrayRef<Helper> mathHelpers();

/// All of them; each stands after what it needs.
llvm::SmallVector<Helper> helpers();

/// The definitions of `used` and of all they need, in the order of the table.
std::string defineHelpers(const llvm::SetVector<llvm::StringRef> &used);

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_HELPERS_H
