// Rereads.h - what a block reads from a tensor and will read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for k in 16, j in 2048:  read x[row, k * 2048 + j]                 ← read again below: the L2 shall keep it
//     for k in 16, j in 2048:  read x[row, 32768 - 2048 - k * 2048 + j]  ← the last time
//
// One rule: the elements that the first read touches, over all trips of its loops, are among those that the later one
// touches. Loops around both are one trip at a time. Not seen: a read that the next trip of the same loop repeats.
//
#ifndef TILE_ANALYSIS_REREADS_H
#define TILE_ANALYSIS_REREADS_H

#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

namespace tile {

/// Loads from tensors that a later op of the same block repeats, each with the first load that does.
///
/// Only of tensors that the kernel only reads, promised `disjoint` from all it writes, at places that depend on the
/// block: what all blocks read alike stays in the L2 by itself.
///
/// \pre copies are loops.
llvm::DenseMap<mlir::Operation *, LoadOp> findRereads(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_REREADS_H
