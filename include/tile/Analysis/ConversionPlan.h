// ConversionPlan.h - how a fragment reaches an op that wants it in another layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_CONVERSIONPLAN_H
#define TILE_ANALYSIS_CONVERSIONPLAN_H

#include "tile/Analysis/TileAccess.h"
#include "tile/Layout/ConversionChoice.h"

namespace tile {

/// A unit attribute of a copy between two whole fragments that only their layouts tell apart: it is lowered as moves
/// and shuffles, not as a loop over points.
inline constexpr llvm::StringLiteral kConversion = "conversion";

/// What one op needs of one fragment that it does not find in its own threads. The solver's cost and the pass that
/// inserts conversions both ask here.
struct ConversionPlan {
  /// Registers or Shuffles: the op works on a second fragment of the layout `needed`. Shared: on a shared tile.
  ConversionKind kind = ConversionKind::Shared;
  std::optional<Layout> needed;
  bool isFilled = true;   ///< the op reads the fragment, or leaves parts of it as they were
  bool isWritten = false; ///< the op changes it: the result is carried back
  ConversionCounts counts;
  Pools pools; ///< of a block, once
};

/// Does each access of the fragment `root` name a register of the thread that makes it, the same in all threads?
bool isLocal(const Layout &loop, llvm::ArrayRef<TileAccess> accesses, mlir::Value root, const Layout &held);

/// The plan for a parallel loop, copy or fill under the layout `loop`. \param accesses  all of the op's.
ConversionPlan planConversion(mlir::Operation *op, const Layout &loop, llvm::ArrayRef<TileAccess> accesses,
                              mlir::Value root, const Layout &held);

/// A copy between two whole fragments of one type, which may convert directly.
bool copiesWholeFragment(mlir::Operation *op);

/// The plan for such a copy, at the place and of the element type of `op`: `needed` is not set, nothing is held twice.
ConversionPlan planCopy(mlir::Operation *op, const Layout &source, const Layout &target);

/// Is every element of the root written by the op, whatever happens, and none read?
bool overwrites(mlir::Operation *op, llvm::ArrayRef<TileAccess> accesses, mlir::Value root);

/// Do all threads of the block reach the op together? False where that is not evident.
bool isReachedTogether(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_CONVERSIONPLAN_H
