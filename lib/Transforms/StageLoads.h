// StageLoads.h - loads that are contiguous along another axis than their loop; private to InferLayouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_STAGELOADS_H
#define TILE_TRANSFORMS_STAGELOADS_H

#include "dialects/Tile/TileOps.h"

namespace tile {

/// The loads of a kernel that `stageLoads` would move, with their loops.
using StagedLoads = llvm::SmallVector<std::pair<ParallelOp, LoadOp>>;
StagedLoads loadsToStage(KernelOp kernel);

/// Gives each such load a loop of its own that fills a fragment, which the original loop reads instead:
///
///     parallel (i, j)  y[j, i] = x[i, j]     ->     parallel (i, j)  t[i, j] = x[i, j]
///                                                   parallel (i, j)  y[j, i] = t[i, j]
///
/// Each of the two may then have the layout that suits its side of memory, with a conversion in between: a
/// transposition staged through shared memory. A load is moved only if it happens at every point and nothing in its
/// loop changes where it reads. That the loads now precede all stores of the loop is no change: no point may read what
/// another one writes.
void stageLoads(llvm::ArrayRef<std::pair<ParallelOp, LoadOp>> loads);

} // namespace tile

#endif // TILE_TRANSFORMS_STAGELOADS_H
