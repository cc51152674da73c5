// RowPhases.h - what a block computes of fragments of one shape, as phases that each can be computed piece by piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     r = copy x             phase 1:  r = copy x;                m = reduce max r
//     m = reduce max r       phase 2:  r = copy x; e = exp(r-m);  s = reduce sum e
//     r = exp(r - m)    ->   phase 3:  r = copy x; e = exp(r-m);  y = e / s
//     s = reduce sum r
//     y = r / s
//
// A phase ends where something needs a result of its reductions. Each phase computes anew what it needs, from tensors
// that nothing writes, so no fragment lives from one to the next.
//
#ifndef TILE_TRANSFORMS_ROWPHASES_H
#define TILE_TRANSFORMS_ROWPHASES_H

#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/MapVector.h"

#include <vector>

namespace tile {

/// An op of the block that reads or writes the fragments.
struct RowOp {
  mlir::Operation *op = nullptr;
  unsigned place = 0;                                   ///< among the ops of its block
  llvm::SmallMapVector<mlir::Value, unsigned, 2> reads; ///< of a fragment, what the op of that number wrote
  llvm::SmallVector<mlir::Value, 2> writes;             ///< fragments, every element
  bool isSink = false;                                  ///< a reduction, or one that writes tensors
};

/// What is computed together, all elements of a row before anything of the next phase.
struct RowPhase {
  mlir::Operation *anchor = nullptr; ///< in front of it all inputs are known
  llvm::SmallVector<unsigned> ops;   ///< numbers of the ops, in order
};

struct RowPhases {
  llvm::SmallVector<AllocFragmentOp> fragments;
  llvm::SmallVector<int64_t> shape; ///< of all of them; a row is the last dimension
  std::vector<RowOp> ops;
  std::vector<RowPhase> phases;
  llvm::SmallVector<unsigned> sources; ///< copies from tensors that several phases need
  int64_t liveWords = 0;               ///< most that lives from phase to phase at a time, in registers of the block
};

/// The fragments of each shape whose every use can be computed piece by piece along the last dimension, anew in each of
/// at least two phases. Pinned layouts and widths are the user's, who wants the fragment as it is.
std::vector<RowPhases> findRowPhases(KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_ROWPHASES_H
