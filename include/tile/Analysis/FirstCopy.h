// FirstCopy.h - results that only the first copy of a fragment has to know.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_FIRSTCOPY_H
#define TILE_ANALYSIS_FIRSTCOPY_H

#include "dialects/Tile/TileOps.h"

namespace tile {

/// Is the fragment, but for `writer`, read in loops alone that run in the threads of its first copy? Those are loops
/// over points that write no fragment, whose layout has its positions and copies where the fragment's are in the thread
/// number. Then the other copies may hold anything.
///
/// Example: the sum of a row in every thread, `tile.reduce sum %r into %p`, that the block only copies to a tensor.
bool isReadInFirstCopyAlone(mlir::Value fragment, mlir::Operation *writer);

} // namespace tile

#endif // TILE_ANALYSIS_FIRSTCOPY_H
