// Intervals.cpp - arithmetic on ranges; the ranges of a simt kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Intervals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;
using namespace tile;
using namespace tile::simt;

/// No tensor has more elements, no stride is longer: what the launch accepts.
static constexpr int64_t kLargestExtent = int64_t(1) << 62;
static constexpr int64_t kMaxGridX = INT32_MAX, kMaxGridYZ = 65535;

//===----------------------------------------------------------------------===//
// Arithmetic on ranges
//===----------------------------------------------------------------------===//

using Wide = __int128;

static Interval fromWide(Wide low, Wide high) {
  if (low < INT64_MIN || high > INT64_MAX)
    return {};
  return {int64_t(low), int64_t(high)};
}

Interval Interval::ofWidth(unsigned bits) {
  if (bits >= 64)
    return {};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

Interval tile::join(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Interval tile::add(Interval a, Interval b) {
  return fromWide(Wide(a.low) + b.low, Wide(a.high) + b.high);
}
Interval tile::subtract(Interval a, Interval b) {
  return fromWide(Wide(a.low) - b.high, Wide(a.high) - b.low);
}

Interval tile::multiply(Interval a, Interval b) {
  Wide products[] = {Wide(a.low) * b.low, Wide(a.low) * b.high, Wide(a.high) * b.low, Wide(a.high) * b.high};
  return fromWide(*std::min_element(products, products + 4), *std::max_element(products, products + 4));
}

static Wide quotient(Wide a, Wide b, Rounding rounding) {
  Wide result = a / b;
  bool inexact = a % b != 0, negative = (a < 0) != (b < 0);
  if (rounding == Rounding::Down && inexact && negative)
    return result - 1;
  if (rounding == Rounding::Up && inexact && !negative)
    return result + 1;
  return result;
}

Interval tile::divide(Interval a, Interval b, Rounding rounding) {
  SmallVector<Wide, 4> divisors;
  for (int64_t divisor : {b.low, b.high, int64_t(-1), int64_t(1)})
    if (divisor != 0 && b.low <= divisor && divisor <= b.high)
      divisors.push_back(divisor);
  if (divisors.empty())
    return {};
  SmallVector<Wide, 8> results;
  for (Wide divisor : divisors)
    for (Wide dividend : {Wide(a.low), Wide(a.high)})
      results.push_back(quotient(dividend, divisor, rounding));
  // A dividend range around zero reaches zero; the corners already enclose it.
  return fromWide(*llvm::min_element(results), *llvm::max_element(results));
}

Interval tile::remainder(Interval a, Interval b) {
  Wide largest = std::max(b.low < 0 ? -Wide(b.low) : Wide(b.low), b.high < 0 ? -Wide(b.high) : Wide(b.high)) - 1;
  if (a.low >= 0 && b.low > 0 && a.high < b.low)
    return a;
  Wide low = a.low >= 0 ? Wide(0) : std::max(Wide(a.low), -largest);
  Wide high = a.high <= 0 ? Wide(0) : std::min(Wide(a.high), largest);
  return fromWide(std::min<Wide>(low, 0), std::max<Wide>(high, 0));
}

Interval tile::modulo(Interval a, Interval b) {
  if (a.low >= 0 && b.low > 0 && a.high < b.low)
    return a;
  return {0, std::max<int64_t>(b.high - 1, 0)};
}

/// The smallest 2^n - 1 that is not below `value`, which is not negative.
static int64_t onesAbove(int64_t value) {
  uint64_t ones = uint64_t(value);
  for (unsigned shift = 1; shift < 64; shift *= 2)
    ones |= ones >> shift;
  return int64_t(ones);
}

static Interval bitwise(Operation *op, Interval a, Interval b) {
  if (isa<arith::AndIOp>(op)) {
    if (a.isNonNegative() && b.isNonNegative())
      return {0, std::min(a.high, b.high)};
    if (a.isNonNegative() || b.isNonNegative())
      return {0, a.isNonNegative() ? a.high : b.high};
  } else if (a.isNonNegative() && b.isNonNegative()) {
    return {isa<arith::OrIOp>(op) ? std::max(a.low, b.low) : 0, onesAbove(std::max(a.high, b.high))};
  }
  // Both fit the same sign-extended width, so does the result.
  Interval both = join(a, b);
  int64_t ones = onesAbove(std::max(both.high, ~std::min<int64_t>(both.low, 0)));
  return {~ones, ones};
}

static Interval shift(Operation *op, Interval a, Interval amount) {
  if (amount.low < 0 || amount.high > 62)
    return a.isNonNegative() && !isa<arith::ShLIOp>(op) && amount.low >= 0 ? Interval{0, a.high} : Interval{};
  Interval factor{int64_t(1) << amount.low, int64_t(1) << amount.high};
  if (isa<arith::ShLIOp>(op))
    return multiply(a, factor);
  if (isa<arith::ShRUIOp>(op) && !a.isNonNegative())
    return {};
  return divide(a, factor, Rounding::Down);
}

static Interval minimum(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
static Interval maximum(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

//===----------------------------------------------------------------------===//
// Results of operations
//===----------------------------------------------------------------------===//

static unsigned bitsOf(Type type) {
  return type.isIntOrIndex() && !type.isIndex() ? type.getIntOrFloatBitWidth() : 64;
}

/// The zero-extended range of a narrow integer.
static Interval zeroExtended(Interval source, unsigned bits) {
  if (source.isNonNegative())
    return source;
  return bits >= 63 ? Interval{} : Interval{0, (int64_t(1) << bits) - 1};
}

static Interval ofUnsigned(Operation *op, Interval a, Interval b) {
  if (!a.isNonNegative() || !b.isNonNegative())
    return {};
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](arith::DivUIOp) { return divide(a, b, Rounding::Zero); })
      .Case([&](arith::CeilDivUIOp) { return divide(a, b, Rounding::Up); })
      .Case([&](arith::RemUIOp) { return remainder(a, b); })
      .Case([&](arith::MinUIOp) { return minimum(a, b); })
      .Default([&](Operation *) { return maximum(a, b); });
}

static Interval ofBinary(Operation *op, Interval a, Interval b) {
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](arith::AddIOp) { return add(a, b); })
      .Case([&](arith::SubIOp) { return subtract(a, b); })
      .Case([&](arith::MulIOp) { return multiply(a, b); })
      .Case([&](arith::DivSIOp) { return divide(a, b, Rounding::Zero); })
      .Case([&](arith::FloorDivSIOp) { return divide(a, b, Rounding::Down); })
      .Case([&](arith::CeilDivSIOp) { return divide(a, b, Rounding::Up); })
      .Case([&](arith::RemSIOp) { return remainder(a, b); })
      .Case([&](arith::MinSIOp) { return minimum(a, b); })
      .Case([&](arith::MaxSIOp) { return maximum(a, b); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](auto) { return bitwise(op, a, b); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return shift(op, a, b); })
      .Case<arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return ofUnsigned(op, a, b); })
      .Default([](Operation *) { return Interval{}; });
}

Interval Intervals::ofResult(Operation *op) const {
  if (APInt constant; matchPattern(op, m_ConstantInt(&constant)))
    return constant.getBitWidth() <= 64 ? Interval::exactly(constant.getSExtValue()) : Interval{};
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](ThreadIdOp) { return Interval{0, std::max<int64_t>(threads, 1) - 1}; })
      .Case([&](affine::AffineApplyOp apply) {
        SmallVector<Interval> operands = llvm::map_to_vector(apply.getMapOperands(), [&](Value v) { return of(v); });
        return of(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), operands);
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](auto cast) { return zeroExtended(of(cast.getIn()), bitsOf(cast.getIn().getType())); })
      .Case<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>([&](auto cast) { return of(cast.getIn()); })
      .Case([&](arith::SelectOp select) { return join(of(select.getTrueValue()), of(select.getFalseValue())); })
      .Case([&](scf::IfOp branch) { return Interval{}; })
      .Default([&](Operation *other) {
        if (other->getNumOperands() != 2 || !other->getOperand(0).getType().isIntOrIndex() ||
            !other->getOperand(1).getType().isIntOrIndex() || isa<arith::CmpIOp>(other))
          return Interval{};
        return ofBinary(other, of(other->getOperand(0)), of(other->getOperand(1)));
      });
}

Interval Intervals::of(AffineExpr expr, unsigned numDims, ArrayRef<Interval> operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Interval::exactly(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval a = of(binary.getLHS(), numDims, operands), b = of(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return add(a, b);
  case AffineExprKind::Mul:
    return multiply(a, b);
  case AffineExprKind::FloorDiv:
    return divide(a, b, Rounding::Down);
  case AffineExprKind::CeilDiv:
    return divide(a, b, Rounding::Up);
  default:
    return modulo(a, b);
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

Intervals::Intervals(KernelOp kernel) : threads(kernel.getThreads()) {
  setArguments(kernel);
  visit(kernel.getBody().front());
}

Interval Intervals::of(Value value) const {
  auto found = known.find(value);
  return found != known.end() ? found->second : Interval::ofWidth(bitsOf(value.getType()));
}

/// What does not fit the type has wrapped.
void Intervals::set(Value value, Interval interval) {
  Interval all = Interval::ofWidth(bitsOf(value.getType()));
  known[value] = all.contains(interval) ? interval : all;
}

void Intervals::setArguments(KernelOp kernel) {
  for (auto [number, value] : llvm::enumerate(kernel.getParameterValues())) {
    ParameterKind kind = kernel.getParameter(number).getKind();
    if (kind != ParameterKind::Tensor && kind != ParameterKind::Scalar)
      set(value, {0, kLargestExtent});
  }
  SmallVector<Interval> launchValues(kernel.getGrid().getNumInputs());
  for (auto [axis, id] : llvm::enumerate(kernel.getBlockIds())) {
    AffineMap grid = kernel.getGrid();
    bool isAlongX = kernel.getFolded() || kernel.getLaunchOrder().front() == static_cast<int64_t>(axis);
    int64_t largest = isAlongX ? kMaxGridX : kMaxGridYZ;
    Interval extent = of(grid.getResult(axis), grid.getNumDims(), launchValues);
    set(id, {0, std::max<int64_t>(std::min(extent.high, largest), 1) - 1});
  }
}

void Intervals::visit(Block &block) {
  for (Operation &op : block) {
    if (isa<scf::ForOp, scf::WhileOp>(op)) {
      visitLoop(&op);
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        visit(inner);
    for (OpResult result : op.getResults()) {
      if (!result.getType().isIntOrIndex())
        continue;
      auto branch = dyn_cast<scf::IfOp>(op);
      set(result, branch ? join(of(branch.thenYield().getOperand(result.getResultNumber())),
                                of(branch.elseYield().getOperand(result.getResultNumber())))
                         : ofResult(&op));
    }
  }
}

/// Joins what enters a loop with what each trip yields, until nothing grows; what still grows is unknown.
void Intervals::visitLoop(Operation *op) {
  auto loop = cast<LoopLikeOpInterface>(op);
  auto forLoop = dyn_cast<scf::ForOp>(op);
  auto whileLoop = dyn_cast<scf::WhileOp>(op);
  if (forLoop && !forLoop.getUnsignedCmp()) {
    Interval low = of(forLoop.getLowerBound()), high = of(forLoop.getUpperBound());
    int64_t last = high.high == INT64_MIN ? high.high : high.high - 1;
    set(forLoop.getInductionVar(), {low.low, std::max(low.low, last)});
  }
  auto carried = loop.getRegionIterArgs();
  auto isNumber = [](Value value) { return value.getType().isIntOrIndex(); };
  for (auto [argument, init] : llvm::zip_equal(carried, loop.getInits()))
    if (isNumber(argument))
      set(argument, of(init));
  for (int round = 0;; ++round) {
    for (Region &region : op->getRegions()) {
      visit(region.front());
      if (whileLoop && &region == &whileLoop.getBefore())
        for (auto [argument, value] :
             llvm::zip_equal(whileLoop.getAfterArguments(), whileLoop.getConditionOp().getArgs()))
          if (isNumber(argument))
            set(argument, of(value));
    }
    bool grew = false;
    for (auto [argument, yielded] : llvm::zip_equal(carried, *loop.getYieldedValuesMutable())) {
      Interval before = of(argument);
      if (!isNumber(argument) || before.contains(of(yielded.get())))
        continue;
      set(argument, round < 2 ? join(before, of(yielded.get())) : Interval::ofWidth(bitsOf(argument.getType())));
      grew = true;
    }
    if (!grew)
      break;
  }
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isNumber(result))
      set(result, forLoop ? of(forLoop.getRegionIterArg(i)) : of(whileLoop.getConditionOp().getArgs()[i]));
}
