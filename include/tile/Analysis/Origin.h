// Origin.h - where rows of odd pitch begin, relative to aligned vectors of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of 4097 elements begin anywhere inside a 16-byte vector. A block that works on one such row can still move whole
// vectors if it counts in places: index plus origin, where
//
//     origin = (place of the row's first element in its tensor) mod (elements of a vector)
//
// Place 0 is then the beginning of a vector of memory, and only the first and the last vector of the row are partial.
// The origin is a number of the block indices, one for a kernel (its attribute `origin`); layouts say which of their
// axes are counted from it.
//
#ifndef TILE_ANALYSIS_ORIGIN_H
#define TILE_ANALYSIS_ORIGIN_H

#include "tile/Analysis/TileAccess.h"

namespace tile {

/// The origin that most bytes of the kernel would gain from: linear mod vector, over the block indices. Nothing where
/// all accesses are aligned as they are, or none begins at a number of the block indices.
std::optional<mlir::AffineMap> chooseOrigin(KernelOp kernel);

/// The axis of the op's points along which some access of global memory is whole vectors if counted from the kernel's
/// origin. Nothing without one.
std::optional<int> originAxis(mlir::Operation *op);

/// The kernel's origin in the block whose indices are all `block`; 0 without one.
int64_t originIn(KernelOp kernel, int64_t block);

/// An index value as a number of the block indices, if it is one.
std::optional<mlir::AffineExpr> overBlocks(mlir::Value value, KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_ORIGIN_H
