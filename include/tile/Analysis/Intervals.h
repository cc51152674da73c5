// Intervals.h - the exact range of every integer of a simt kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_INTERVALS_H
#define TILE_ANALYSIS_INTERVALS_H

#include "dialects/Simt/SimtOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

#include "llvm/ADT/DenseMap.h"

namespace tile {

/// The values an integer can take, both ends included; always inside the 64-bit range.
struct Interval {
  int64_t low = INT64_MIN, high = INT64_MAX;

  static Interval exactly(int64_t value) { return {value, value}; }
  /// Everything a signless integer of `bits` bits can be, read as signed.
  static Interval ofWidth(unsigned bits);

  bool operator==(const Interval &other) const = default;
  bool isConstant() const { return low == high; }
  bool isNonNegative() const { return low >= 0; }
  bool contains(Interval other) const { return low <= other.low && other.high <= high; }
  bool fitsIn32Bits() const { return ofWidth(32).contains(*this); }
};

/// The smallest interval around both.
Interval join(Interval a, Interval b);

/// Ranges of the results of 64-bit arithmetic. Where a result may leave 64 bits, it wraps: the range is everything.
/// A divisor of zero is no execution, so zero is left out of divisors.
Interval add(Interval a, Interval b);
Interval subtract(Interval a, Interval b);
Interval multiply(Interval a, Interval b);
enum class Rounding { Zero, Down, Up };
Interval divide(Interval a, Interval b, Rounding rounding);
/// The remainder with the sign of the dividend (`arith.remsi`).
Interval remainder(Interval a, Interval b);
/// The remainder in 0 … b - 1 (affine `mod`); `b` is positive.
Interval modulo(Interval a, Interval b);

/// The range of every integer value of a simt kernel, from the launch limits, the grid, loop bounds and types.
///
/// Values of type index count as 64-bit. Ranges hold for every execution in which no index leaves 64 bits; values
/// carried by loops are widened to everything once they grow. Example: threads(128), `%i = affine.apply (d0 * 4 +
/// 3)(%tid)` -> [3, 511].
class Intervals {
public:
  explicit Intervals(simt::KernelOp kernel);

  /// The range of a value; everything its type can hold where nothing is known.
  Interval of(mlir::Value value) const;

  /// The range of an affine expression; symbols follow the dims in `operands`.
  Interval of(mlir::AffineExpr expr, unsigned numDims, llvm::ArrayRef<Interval> operands) const;

private:
  void setArguments(simt::KernelOp kernel);
  void visit(mlir::Block &block);
  void visitLoop(mlir::Operation *loop);
  void set(mlir::Value value, Interval interval);
  Interval ofResult(mlir::Operation *op) const;

  int64_t threads;
  llvm::DenseMap<mlir::Value, Interval> known;
};

} // namespace tile

#endif // TILE_ANALYSIS_INTERVALS_H
