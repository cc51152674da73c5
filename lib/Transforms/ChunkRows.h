// ChunkRows.h - computes the phases of a row program piece by piece, from what is held and what is read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_CHUNKROWS_H
#define TILE_TRANSFORMS_CHUNKROWS_H

#include "RowPhases.h"

namespace tile {

/// Chunks of one loop body: enough loads on their way at a time.
inline constexpr int64_t kChunksPerTrip = 4;

/// Where the elements of a row wait from phase to phase, in this order; a tail shorter than a chunk comes last.
struct RowPlan {
  int64_t chunk = 0;       ///< elements of a row at a time
  int64_t inShared = 0;    ///< chunks held in shared memory
  int64_t inRegisters = 0; ///< chunks held in registers, as the tensor's type
  int64_t readAgain = 0;   ///< chunks read from the tensor in every phase
  int64_t tail = 0;        ///< elements; read again too
};

/// Replaces the ops of the phases by loops over chunks, and the fragments by what one chunk needs.
void chunkRows(KernelOp kernel, const RowPhases &rows, const RowPlan &plan);

} // namespace tile

#endif // TILE_TRANSFORMS_CHUNKROWS_H
