// TripDistance.h - accesses of one loop in different trips; private to Analysis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_ANALYSIS_TRIPDISTANCE_H
#define TILE_LIB_ANALYSIS_TRIPDISTANCE_H

#include "tile/Analysis/Intervals.h"
#include "tile/Analysis/ThreadBytes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Whether what a thread touches by `first` in one trip of `loop`, and what the same thread touches by `second` in a
/// later trip of that run of the loop, have no byte in common. False where that is not proven.
///
/// Both addresses must be the loop's variable times one constant, plus the same sum of what no trip changes, plus
/// something of known bounds: a step of the loop is then larger than all that the last parts can differ by.
/// Example: `k * 4096 + t * 8 + u` and `k * 4096 + t * 8 + v`, u and v of 0 … 7.
bool areApartInLaterTrips(const MemoryAccess &first, const MemoryAccess &second, mlir::scf::ForOp loop,
                          const Intervals &intervals);

} // namespace tile

#endif // TILE_LIB_ANALYSIS_TRIPDISTANCE_H
