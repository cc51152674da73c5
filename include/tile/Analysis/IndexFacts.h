// IndexFacts.h - what is known of an index value: its range, and what divides it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_INDEXFACTS_H
#define TILE_ANALYSIS_INDEXFACTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tile {

/// The values an index can take, both ends included; an absent end is unknown.
struct IndexBounds {
  std::optional<int64_t> low, high;

  static IndexBounds exactly(int64_t value) { return {value, value}; }
  bool isAtLeast(int64_t bound) const { return low && *low >= bound; }
  bool isBelow(int64_t bound) const { return high && *high < bound; }
};

/// Facts about index values: given for block arguments and thread numbers, derived for everything computed from them.
///
/// Every answer is sound for all executions: `divisor` divides the value each time, `range` contains it. Nothing is
/// claimed where brute force could refute it; 1 and the empty range are always right.
class IndexFacts {
public:
  void setRange(mlir::Value value, IndexBounds range) { ranges[value] = range; }
  void setDivisor(mlir::Value value, int64_t divisor) { divisors[value] = divisor; }

  /// A number that divides the value, at least 1; 0 for the value 0, which everything divides.
  int64_t divisor(mlir::OpFoldResult value) const;
  int64_t divisor(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands) const;

  IndexBounds range(mlir::OpFoldResult value) const;
  IndexBounds range(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands) const;

  /// By how much the expression grows with operand `number`, while that operand runs from 0 to `count` - 1 and the
  /// others stand still; nothing where that is not one constant.
  /// Example: (a + v) mod 32 with a a multiple of 8, v in 0 … 7 -> 1.
  std::optional<int64_t> stride(mlir::AffineExpr expr, llvm::ArrayRef<mlir::OpFoldResult> operands, unsigned number,
                                int64_t count) const;

private:
  int64_t divisorOfValue(mlir::Value value) const;
  IndexBounds rangeOfValue(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, IndexBounds> ranges;
  llvm::DenseMap<mlir::Value, int64_t> divisors;
};

} // namespace tile

#endif // TILE_ANALYSIS_INDEXFACTS_H
