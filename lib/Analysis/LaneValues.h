// LaneValues.h - what an index is in each lane of one warp, for sizes and loops at typical values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_ANALYSIS_LANEVALUES_H
#define TILE_LIB_ANALYSIS_LANEVALUES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/ValueRange.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tile {

/// One value a lane.
using Lanes = std::array<int64_t, 32>;

/// Evaluates integers for one warp of the first block, in one trip of the loops around them: the first, unless told.
class LaneValues {
public:
  /// What a size, a stride or an index argument counts as: large, and a multiple of every vector.
  static constexpr int64_t kTypicalSize = 1 << 20;

  /// Moves to another warp, and to the first trip of each loop.
  void setWarp(int64_t number);
  /// Moves to another trip of one loop.
  void setTrip(mlir::Value iv, int64_t number);

  /// Nothing where the value depends on data.
  std::optional<Lanes> evaluate(mlir::Value value);

private:
  std::optional<Lanes> compute(mlir::Value value);
  std::optional<Lanes> ofArgument(mlir::BlockArgument argument);
  std::optional<Lanes> ofOperation(mlir::Operation *op);
  std::optional<Lanes> ofExpression(mlir::AffineExpr expr, unsigned numDims, mlir::ValueRange operands);

  int64_t warp = 0;
  llvm::DenseMap<mlir::Value, int64_t> trips; ///< by induction variable
  llvm::DenseMap<mlir::Value, std::optional<Lanes>> known;
};

} // namespace tile

#endif // TILE_LIB_ANALYSIS_LANEVALUES_H
