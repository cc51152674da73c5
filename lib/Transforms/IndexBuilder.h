// IndexBuilder.h - index arithmetic in 32 bits where ranges allow it, else in 64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TRANSFORMS_INDEXBUILDER_H
#define TILE_LIB_TRANSFORMS_INDEXBUILDER_H

#include "tile/Analysis/Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace tile {

/// An integer of 32 or 64 bits and its range; a constant has no value until a width is asked for.
struct RangedValue {
  mlir::Value value;
  Interval range;

  static RangedValue constant(int64_t number) { return {{}, Interval::exactly(number)}; }
  std::optional<int64_t> constantValue() const {
    return range.isConstant() ? std::optional<int64_t>(range.low) : std::nullopt;
  }
};

/// d * 3 of d * -3, which is how affine maps write a difference; else null.
mlir::AffineExpr negated(mlir::AffineExpr expr);

/// Builds index arithmetic: an operation is 32 bits wide where its operands and its result are proven to fit.
///
/// Folds constants and neutral elements, and what ranges alone decide. Divisions round as affine maps do.
/// What is proven not to leave its width says so (`overflow<nsw>`): C then prints plain arithmetic.
/// Example: x in [0, 1023]: floorDivide(x, 32) -> `arith.shrsi %x, 5 : i32`; floorDivide(x, 12) -> `arith.divui`.
class IndexBuilder {
public:
  /// `isAddress`: nothing but memory accesses uses the results. An access that is executed lies inside its tensor,
  /// which has fewer than 2^53 elements, so its arithmetic never leaves 64 bits, whatever its range.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc, bool isAddress = false)
      : builder(builder), loc(loc), isAddress(isAddress) {}

  /// The value as an integer of `bits` bits; whoever narrows has proven that it fits.
  mlir::Value as(RangedValue value, unsigned bits);
  /// In 32 bits if the range fits, else in 64.
  mlir::Value materialize(RangedValue value) { return as(value, value.range.fitsIn32Bits() ? 32 : 64); }

  RangedValue add(RangedValue a, RangedValue b);
  RangedValue subtract(RangedValue a, RangedValue b);
  RangedValue multiply(RangedValue a, RangedValue b);
  /// \pre the divisor is positive, as in every affine expression.
  RangedValue floorDivide(RangedValue a, RangedValue b);
  RangedValue ceilDivide(RangedValue a, RangedValue b);
  RangedValue modulo(RangedValue a, RangedValue b);
  RangedValue apply(mlir::AffineExpr expr, unsigned numDims, llvm::ArrayRef<RangedValue> operands);

  /// The same operation on narrower operands; `range` is that of its result.
  RangedValue rebuild(mlir::Operation *op, llvm::ArrayRef<RangedValue> operands, Interval range);

private:
  template <class Op> RangedValue binary(RangedValue a, RangedValue b, Interval range);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool isAddress;
};

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_INDEXBUILDER_H
