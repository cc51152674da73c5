// IndexFacts.cpp - ranges, divisors and strides of index expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/IndexFacts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace tile;

/// Beyond this a product tells nothing new: no access is wider, no tile larger.
static constexpr int64_t kLargestDivisor = int64_t(1) << 40;

static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::MulOverflow(a, b, result) || result > kLargestDivisor)
    return kLargestDivisor;
  return result;
}

/// The expression of an affine.apply with its symbols as further dims, as its operands are numbered.
static AffineExpr flatExpression(affine::AffineApplyOp op) {
  AffineMap map = op.getAffineMap();
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < map.getNumSymbols(); ++i)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + i, op.getContext()));
  return map.getResult(0).replaceSymbols(symbols);
}

using Bound = std::optional<int64_t>;

static Bound add(Bound a, Bound b) {
  int64_t result;
  if (!a || !b || llvm::AddOverflow(*a, *b, result))
    return std::nullopt;
  return result;
}

static IndexBounds addRanges(IndexBounds a, IndexBounds b) {
  return {add(a.low, b.low), add(a.high, b.high)};
}

static IndexBounds multiplyRanges(IndexBounds a, IndexBounds b) {
  // One factor without a bound: only signs can be told.
  if (!a.low || !a.high || !b.low || !b.high) {
    bool nonNegative = a.isAtLeast(0) && b.isAtLeast(0);
    int64_t low;
    if (nonNegative && !llvm::MulOverflow(*a.low, *b.low, low))
      return {low, std::nullopt};
    return {};
  }
  IndexBounds result{INT64_MAX, INT64_MIN};
  for (int64_t x : {*a.low, *a.high})
    for (int64_t y : {*b.low, *b.high}) {
      int64_t value;
      if (llvm::MulOverflow(x, y, value))
        return {};
      result.low = std::min(*result.low, value);
      result.high = std::max(*result.high, value);
    }
  return result;
}

static IndexBounds divideRange(IndexBounds a, int64_t divisor, bool up) {
  auto divide = [&](Bound value) -> Bound {
    if (!value)
      return std::nullopt;
    return up ? llvm::divideCeilSigned(*value, divisor) : llvm::divideFloorSigned(*value, divisor);
  };
  return {divide(a.low), divide(a.high)};
}

static IndexBounds moduloRange(IndexBounds a, int64_t modulus) {
  if (a.isAtLeast(0) && a.isBelow(modulus))
    return a;
  return {0, modulus - 1};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int64_t IndexFacts::divisor(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant == INT64_MIN ? 1 : std::abs(*constant);
  return divisorOfValue(cast<Value>(value));
}

IndexBounds IndexFacts::range(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return IndexBounds::exactly(*constant);
  return rangeOfValue(cast<Value>(value));
}

int64_t IndexFacts::divisorOfValue(Value value) const {
  if (auto known = divisors.find(value); known != divisors.end())
    return known->second;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && loop.getInductionVar() == argument)
      return std::gcd(divisor(loop.getLowerBound()), divisor(loop.getStep()));
    return 1;
  }
  return llvm::TypeSwitch<Operation *, int64_t>(value.getDefiningOp())
      .Case([&](affine::AffineApplyOp op) {
        return divisor(flatExpression(op), SmallVector<OpFoldResult>(op.getMapOperands()));
      })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto op) { return std::gcd(divisor(op.getLhs()), divisor(op.getRhs())); })
      .Case([&](arith::MulIOp op) { return product(divisor(op.getLhs()), divisor(op.getRhs())); })
      .Case([&](arith::SelectOp op) { return std::gcd(divisor(op.getTrueValue()), divisor(op.getFalseValue())); })
      .Case<arith::MinSIOp, arith::MaxSIOp>(
          [&](auto op) { return std::gcd(divisor(op.getLhs()), divisor(op.getRhs())); })
      .Default([](Operation *) { return int64_t(1); });
}

IndexBounds IndexFacts::rangeOfValue(Value value) const {
  if (auto known = ranges.find(value); known != ranges.end())
    return known->second;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != argument)
      return {};
    std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
    std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    // The last trip of a counted loop, which a step may leave well below the bound.
    if (first && end && step && *step > 0 && *first < *end)
      return {*first, *first + (*end - *first - 1) / *step * *step};
    return {range(loop.getLowerBound()).low, add(range(loop.getUpperBound()).high, -1)};
  }
  return llvm::TypeSwitch<Operation *, IndexBounds>(value.getDefiningOp())
      .Case([&](affine::AffineApplyOp op) {
        return range(flatExpression(op), SmallVector<OpFoldResult>(op.getMapOperands()));
      })
      .Case([&](arith::AddIOp op) { return addRanges(range(op.getLhs()), range(op.getRhs())); })
      .Case([&](arith::MulIOp op) { return multiplyRanges(range(op.getLhs()), range(op.getRhs())); })
      .Case([&](arith::MinSIOp op) {
        IndexBounds a = range(op.getLhs()), b = range(op.getRhs());
        Bound high = a.high && b.high ? std::min(*a.high, *b.high) : a.high ? a.high : b.high;
        return IndexBounds{a.low && b.low ? Bound(std::min(*a.low, *b.low)) : std::nullopt, high};
      })
      .Case([&](arith::MaxSIOp op) {
        IndexBounds a = range(op.getLhs()), b = range(op.getRhs());
        Bound low = a.low && b.low ? std::max(*a.low, *b.low) : a.low ? a.low : b.low;
        return IndexBounds{low, a.high && b.high ? Bound(std::max(*a.high, *b.high)) : std::nullopt};
      })
      .Default([](Operation *) { return IndexBounds{}; });
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Dims and symbols are one list of operands: maps of `affine.apply` number symbols after dims.
static std::optional<unsigned> operandNumber(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

int64_t IndexFacts::divisor(AffineExpr expr, ArrayRef<OpFoldResult> operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == INT64_MIN ? 1 : std::abs(constant.getValue());
  if (std::optional<unsigned> number = operandNumber(expr))
    return divisor(operands[*number]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  int64_t left = divisor(binary.getLHS(), operands), right = divisor(binary.getRHS(), operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return product(left, right);
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return isa<AffineConstantExpr>(binary.getRHS()) && right > 0 && left % right == 0 ? left / right : 1;
  default:
    return 1;
  }
}

IndexBounds IndexFacts::range(AffineExpr expr, ArrayRef<OpFoldResult> operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexBounds::exactly(constant.getValue());
  if (std::optional<unsigned> number = operandNumber(expr))
    return range(operands[*number]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  IndexBounds left = range(binary.getLHS(), operands);
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool divides = right && right.getValue() > 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return addRanges(left, range(binary.getRHS(), operands));
  case AffineExprKind::Mul:
    return multiplyRanges(left, range(binary.getRHS(), operands));
  case AffineExprKind::Mod:
    return divides ? moduloRange(left, right.getValue()) : IndexBounds{};
  case AffineExprKind::FloorDiv:
    return divides ? divideRange(left, right.getValue(), /*up=*/false) : IndexBounds{};
  case AffineExprKind::CeilDiv:
    return divides ? divideRange(left, right.getValue(), /*up=*/true) : IndexBounds{};
  default:
    return {};
  }
}

std::optional<int64_t> IndexFacts::stride(AffineExpr expr, ArrayRef<OpFoldResult> operands, unsigned number,
                                          int64_t count) const {
  if (isa<AffineConstantExpr>(expr))
    return 0;
  if (std::optional<unsigned> operand = operandNumber(expr))
    return *operand == number ? 1 : 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> left = stride(binary.getLHS(), operands, number, count);
  std::optional<int64_t> right = stride(binary.getRHS(), operands, number, count);
  if (!left || !right)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (*left == 0 && *right == 0)
    return 0;
  if (!constant)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * constant.getValue();

  // Division and remainder: where the left side starts, with the moving operand at 0.
  SmallVector<OpFoldResult> start(operands);
  start[number] = IntegerAttr::get(IndexType::get(expr.getContext()), 0);
  int64_t c = constant.getValue(), begin = divisor(binary.getLHS(), start);
  int64_t room = std::gcd(begin, c); // the start is a multiple of this, and so is every border of the division
  bool staysInside = *left >= 0 && *left * (count - 1) < room;
  if (expr.getKind() == AffineExprKind::Mod)
    return staysInside ? left : std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv) {
    if (staysInside)
      return 0;
    if (c > 0 && *left % c == 0)
      return *left / c;
  }
  return std::nullopt;
}
