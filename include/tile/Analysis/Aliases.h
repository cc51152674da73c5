// Aliases.h - which tensors the kernel promises to be apart, and which it only reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_ALIASES_H
#define TILE_ANALYSIS_ALIASES_H

#include "dialects/Tile/TileOps.h"

namespace tile {

/// Two tensors that stand in one group of `disjoint`.
bool areDisjoint(KernelOp kernel, mlir::Value a, mlir::Value b);

/// A tensor that nothing in the kernel writes, under this name or another.
bool isOnlyRead(KernelOp kernel, mlir::Value root);

} // namespace tile

#endif // TILE_ANALYSIS_ALIASES_H
