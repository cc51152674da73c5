// PointEvaluator.h - the value of an index for one thread in one trip of the loops around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_POINTEVALUATOR_H
#define TILE_ANALYSIS_POINTEVALUATOR_H

#include "dialects/Simt/SimtOps.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tile {

/// What an integer depends on.
struct PointVariables {
  bool thread = false;
  llvm::SetVector<mlir::Value> ivs; ///< induction variables of constant loops
};

/// Evaluates integers that depend on nothing but the thread number and induction variables of constant loops.
class PointEvaluator {
public:
  /// What `value` depends on; nothing where that is more than the thread and constant loops (sizes, loads, …).
  static std::optional<PointVariables> variables(mlir::Value value);
  static std::optional<PointVariables> variables(mlir::AffineExpr expr, unsigned numDims, mlir::ValueRange operands);

  void setThread(int64_t number) { thread = number; }
  void setVariable(mlir::Value iv, int64_t value) { point[iv] = value; }

  /// The value at the present point. \pre all of its `variables` are set.
  /// \returns nothing for a division by zero, or a result beyond 64 bits.
  std::optional<int64_t> evaluate(mlir::Value value) const;
  std::optional<int64_t> evaluate(mlir::AffineExpr expr, unsigned numDims, mlir::ValueRange operands) const;

private:
  int64_t thread = 0;
  llvm::DenseMap<mlir::Value, int64_t> point;
};

/// Lower bound, number of trips and step of a loop whose bounds are constants.
struct ConstantLoop {
  int64_t lower, trips, step;
};
/// Nothing for an induction variable of any other loop.
std::optional<ConstantLoop> constantLoop(mlir::Value iv);

} // namespace tile

#endif // TILE_ANALYSIS_POINTEVALUATOR_H
