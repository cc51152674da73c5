// Aliases.h - which tensors the kernel promises to be apart, and which it only reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_ALIASES_H
#define TILE_ANALYSIS_ALIASES_H

#include "dialects/Tile/TileOps.h"

namespace tile {

/// Two tensors that stand in one group of `disjoint`.
bool areDisjoint(KernelOp kernel, mlir::Value a, mlir::Value b);

/// Whether two buffers, each the root of its views, may share memory: different names help only tensors that the kernel
/// promises to be apart, and tiles.
bool mayOverlap(KernelOp kernel, mlir::Value a, mlir::Value b);

/// A tensor that nothing in the kernel writes, under this name or another.
bool isOnlyRead(KernelOp kernel, mlir::Value root);

/// Whether a tensor shares with no other one memory that the kernel writes.
bool isApart(KernelOp kernel, mlir::Value tensor);

} // namespace tile

#endif // TILE_ANALYSIS_ALIASES_H
