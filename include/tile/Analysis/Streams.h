// Streams.h - what a kernel reads once, and never again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for i in 4, j in 1152:  sum += x[row block * 4 + i, j]     ← each element by one block, once: a stream
//     for j in 1152:          … * w[j]                           ← by every block: no stream
//
// One rule: along each grid axis, neighbouring blocks read neighbouring, disjoint elements, and no loop of a block
// reads an element twice. Loads in serial loops are left out: their kernels lose more than they gain.
//
#ifndef TILE_ANALYSIS_STREAMS_H
#define TILE_ANALYSIS_STREAMS_H

#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/SetVector.h"

namespace tile {

/// Bytes of tensors that the L2 is asked to let go first, so that what other kernels wrote stays: a smaller one may
/// stay there itself until another kernel reads it, and in larger ones the slower loads (by 1 to 5 %) cost more time
/// than the writing back of what would be pushed out (docs/rationale.md).
inline constexpr int64_t kLeastStreamed = int64_t(32) << 20, kMostStreamed = int64_t(256) << 20;

/// Loads of tensors that are read once, in kernels that write far less than they read: what a kernel writes pushes out
/// as much from the L2 as its reads would.
///
/// \pre copies are loops.
llvm::SetVector<mlir::Operation *> findStreams(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_STREAMS_H
