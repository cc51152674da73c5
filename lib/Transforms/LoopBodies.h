// LoopBodies.h - loops of the tile dialect, made and looked at; private to the passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_LOOPBODIES_H
#define TILE_TRANSFORMS_LOOPBODIES_H

#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// The extents of a loop, or an index, that are all known.
mlir::AffineMap constantMap(llvm::ArrayRef<int64_t> values, mlir::MLIRContext *context);

/// Adds a body block with one induction variable a dimension and enters it.
mlir::Block::BlockArgListType enterBody(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &region,
                                        size_t rank);

/// Whether an access in a loop is of the element that has the coordinates of the point.
bool isAtPoint(ParallelOp loop, mlir::AffineMap map, mlir::ValueRange indices);

} // namespace tile

#endif // TILE_TRANSFORMS_LOOPBODIES_H
