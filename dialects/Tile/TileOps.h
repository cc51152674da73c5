// TileOps.h - every operation of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_TILEOPS_H
#define TILE_DIALECTS_TILE_TILEOPS_H

#include "dialects/Tile/TileDialect.h"

#include "dialects/Tile/TileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Tile/KernelOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Tile/LoopOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Tile/MemoryOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Tile/ComputeOps.h.inc"

namespace tile {

/// The widest access of one thread.
inline constexpr int64_t kVectorBytes = 16;

} // namespace tile

#endif // TILE_DIALECTS_TILE_TILEOPS_H
