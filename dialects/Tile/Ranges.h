// Ranges.h - the least and greatest value of an index expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_RANGES_H
#define TILE_DIALECTS_TILE_RANGES_H

#include "dialects/Tile/TileOps.h"

#include "mlir/IR/AffineMap.h"

#include <limits>

namespace tile {

/// What is known of an index value: it lies in [lo, hi]. Unknown ends are the ends of int64_t.
struct IndexRange {
  static constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

  int64_t lo = kLowest;
  int64_t hi = kHighest;
  /// Whether the ends that are known are reached by some trip of the loops, some block and some thread.
  bool isReached = false;
  /// Which operands it depends on, by position (the first of equal ones): sums of unrelated ranges keep `isReached`.
  uint64_t operands = 0;

  bool isConstant() const { return lo == hi; }
};

/// The range of one value: constants, induction variables, block and thread numbers, sizes, `affine.apply`.
IndexRange rangeOf(mlir::Value value);

/// The range of an affine expression whose dims are `operands`; unknown where a divisor is no positive constant.
IndexRange rangeOf(mlir::AffineExpr expr, mlir::ValueRange operands);

/// The same, where `dimRange` knows the range of each dim.
IndexRange rangeOf(mlir::AffineExpr expr, llvm::function_ref<IndexRange(unsigned)> dimRange);

/// Dims that take the place of the symbols of `map`, numbered behind its own: operands are one list then.
llvm::SmallVector<mlir::AffineExpr> symbolsAsDims(mlir::AffineMap map);

} // namespace tile

#endif // TILE_DIALECTS_TILE_RANGES_H
