// IndexBuilder.cpp - see IndexBuilder.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

Value IndexBuilder::as(RangedValue value, unsigned bits) {
  IntegerType type = builder.getIntegerType(bits);
  if (!value.value || value.range.isConstant())
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value.range.low));
  unsigned present = value.value.getType().getIntOrFloatBitWidth();
  if (present == bits)
    return value.value;
  if (present < bits)
    return arith::ExtSIOp::create(builder, loc, type, value.value);
  return arith::TruncIOp::create(builder, loc, type, value.value);
}

/// 32 bits where every operand and the result fit.
static unsigned widthFor(Interval result, ArrayRef<RangedValue> operands) {
  bool fits = result.fitsIn32Bits() &&
              llvm::all_of(operands, [](const RangedValue &operand) { return operand.range.fitsIn32Bits(); });
  return fits ? 32 : 64;
}

template <class Op> RangedValue IndexBuilder::binary(RangedValue a, RangedValue b, Interval range) {
  unsigned bits = widthFor(range, {a, b});
  Op op = Op::create(builder, loc, as(a, bits), as(b, bits));
  // A range that is everything may have wrapped.
  bool isExact = isAddress || range != Interval();
  if constexpr (std::is_same_v<Op, arith::AddIOp> || std::is_same_v<Op, arith::SubIOp> ||
                std::is_same_v<Op, arith::MulIOp>)
    if (isExact)
      op.setOverflowFlags(arith::IntegerOverflowFlags::nsw);
  return {op, range};
}

RangedValue IndexBuilder::add(RangedValue a, RangedValue b) {
  Interval range = tile::add(a.range, b.range);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (a.constantValue() == 0)
    return b;
  if (b.constantValue() == 0)
    return a;
  return binary<arith::AddIOp>(a, b, range);
}

RangedValue IndexBuilder::subtract(RangedValue a, RangedValue b) {
  Interval range = tile::subtract(a.range, b.range);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (b.constantValue() == 0)
    return a;
  return binary<arith::SubIOp>(a, b, range);
}

RangedValue IndexBuilder::multiply(RangedValue a, RangedValue b) {
  Interval range = tile::multiply(a.range, b.range);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (a.constantValue() == 1)
    return b;
  if (b.constantValue() == 1)
    return a;
  return binary<arith::MulIOp>(a, b, range);
}

/// n where the value is 2^n.
static std::optional<int64_t> exponentOf(RangedValue value) {
  std::optional<int64_t> constant = value.constantValue();
  if (!constant || *constant <= 0 || !llvm::isPowerOf2_64(*constant))
    return std::nullopt;
  return int64_t(llvm::Log2_64(*constant));
}

RangedValue IndexBuilder::floorDivide(RangedValue a, RangedValue b) {
  Interval range = divide(a.range, b.range, Rounding::Down);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (b.constantValue() == 1)
    return a;
  if (std::optional<int64_t> exponent = exponentOf(b)) {
    // Shifting right rounds down, whatever the sign.
    return binary<arith::ShRSIOp>(a, RangedValue::constant(*exponent), range);
  }
  return a.range.isNonNegative() ? binary<arith::DivUIOp>(a, b, range) : binary<arith::FloorDivSIOp>(a, b, range);
}

RangedValue IndexBuilder::ceilDivide(RangedValue a, RangedValue b) {
  Interval range = divide(a.range, b.range, Rounding::Up);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (b.constantValue() == 1)
    return a;
  int64_t unused;
  bool roomAbove = b.range.isConstant() && !llvm::AddOverflow(a.range.high, b.range.low - 1, unused);
  if (roomAbove)
    return floorDivide(add(a, RangedValue::constant(b.range.low - 1)), b);
  return binary<arith::CeilDivSIOp>(a, b, range);
}

RangedValue IndexBuilder::modulo(RangedValue a, RangedValue b) {
  Interval range = tile::modulo(a.range, b.range);
  if (range.isConstant())
    return RangedValue::constant(range.low);
  if (a.range.isNonNegative() && a.range.high < b.range.low)
    return a;
  if (exponentOf(b))
    return binary<arith::AndIOp>(a, RangedValue::constant(*b.constantValue() - 1), range);
  if (a.range.isNonNegative())
    return binary<arith::RemUIOp>(a, b, range);
  // A negative remainder is one divisor too low.
  RangedValue rest = binary<arith::RemSIOp>(a, b, remainder(a.range, b.range));
  unsigned bits = widthFor(b.range, {rest, b});
  Value low = as(rest, bits), zero = as(RangedValue::constant(0), bits);
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, low, zero);
  Value correction = arith::SelectOp::create(builder, loc, isNegative, as(b, bits), zero);
  return {arith::AddIOp::create(builder, loc, low, correction, arith::IntegerOverflowFlags::nsw), range};
}

AffineExpr tile::negated(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return {};
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  bool isNegative = factor && factor.getValue() < 0 && factor.getValue() != INT64_MIN;
  return isNegative ? product.getLHS() * -factor.getValue() : AffineExpr();
}

RangedValue IndexBuilder::apply(AffineExpr expr, unsigned numDims, ArrayRef<RangedValue> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return RangedValue::constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  // Affine maps write a difference as a sum with a negative factor, on either side.
  if (expr.getKind() == AffineExprKind::Add)
    for (auto [plus, minus] : {std::pair(binary.getLHS(), binary.getRHS()), {binary.getRHS(), binary.getLHS()}})
      if (AffineExpr subtrahend = negated(minus))
        return subtract(apply(plus, numDims, operands), apply(subtrahend, numDims, operands));
  RangedValue a = apply(binary.getLHS(), numDims, operands);
  RangedValue b = apply(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(a, b);
  case AffineExprKind::Mul:
    return multiply(a, b);
  case AffineExprKind::FloorDiv:
    return floorDivide(a, b);
  case AffineExprKind::CeilDiv:
    return ceilDivide(a, b);
  default:
    return modulo(a, b);
  }
}

RangedValue IndexBuilder::rebuild(Operation *op, ArrayRef<RangedValue> operands, Interval range) {
  if (range.isConstant())
    return RangedValue::constant(range.low);
  unsigned bits = widthFor(range, operands);
  bool isShift = isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op);
  bool isUnsigned = isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, arith::ShRUIOp>(op);
  // A shift by 32 or more means something else in 32 bits, and so does a negative number read as unsigned.
  if (isShift && !Interval{0, 31}.contains(operands[1].range))
    bits = 64;
  if (isUnsigned && !llvm::all_of(operands, [](const RangedValue &operand) { return operand.range.isNonNegative(); }))
    bits = 64;
  SmallVector<Value> values = llvm::map_to_vector(operands, [&](RangedValue operand) { return as(operand, bits); });
  OperationState state(loc, op->getName(), values, {builder.getIntegerType(bits)}, op->getAttrs());
  return {builder.create(state)->getResult(0), range};
}
