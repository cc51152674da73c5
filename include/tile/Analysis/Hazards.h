// Hazards.h - pairs of accesses that no barrier, and no await, keeps apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_HAZARDS_H
#define TILE_ANALYSIS_HAZARDS_H

#include "dialects/Simt/SimtOps.h"

#include "llvm/ADT/SmallVector.h"

namespace tile {

/// The unit attribute of an access to shared memory that touches, as long as its tile op runs, only elements of its
/// buffer that no other thread touches through an access of that buffer with this attribute.
inline constexpr llvm::StringLiteral kOwnPoint = "simt.own_point";

/// The unit attribute of a shared buffer that is used by halves in turn, with a barrier between the writes of a half
/// and its reads: between those reads and the next writes of the half lies the barrier of the other.
inline constexpr llvm::StringLiteral kAlternates = "simt.alternates";

/// Two operations that may touch one byte, one of them writing: from different threads with no barrier between, or the
/// first an asynchronous move that the thread has not awaited.
struct Hazard {
  mlir::Operation *first, *second;
  /// The op around both whose condition or bounds differ between threads; null where a barrier can stand between.
  mlir::Operation *divergent = nullptr;
};

/// Puts the barriers and awaits in that the hazards of `kernel` need; returns the hazards that no barrier can resolve.
///
/// Shared memory is judged by bytes of the arena (buffers without a place yet: by buffer), global memory by buffer and
/// index. Within one tile op (between two `simt.note`s) global accesses are unordered by definition, so only accesses
/// on either side of a note are hazards there; in a kernel without notes every pair is. Two `simt.explicit` accesses
/// are the user's. A barrier stands right before the later access, but before a loop where only accesses ahead of the
/// loop need it, and before the outermost op that not all threads enter alike.
llvm::SmallVector<Hazard> insertBarriers(simt::KernelOp kernel);

/// The hazards of `kernel` as it stands; empty for a kernel that is right. Changes nothing.
llvm::SmallVector<Hazard> verifyHazards(simt::KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_HAZARDS_H
