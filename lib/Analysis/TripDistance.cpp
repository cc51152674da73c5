// TripDistance.cpp - see TripDistance.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TripDistance.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

#include <map>
#include <vector>

using namespace mlir;
using namespace tile;
using namespace tile::simt;

namespace {
/// Names something that no trip changes: a value, null for the thread; or an affine expression, then its operands.
using Key = std::vector<const void *>;

/// The loop's variable times a constant, plus what is the same in all trips, plus something.
struct Linear {
  int64_t factor = 0;
  std::map<Key, int64_t> fixed; ///< factors of what is computed outside the loop
  Interval rest = Interval::exactly(0);
};

/// Takes integers apart as one thread sees them during one run of a loop.
class LinearIn {
public:
  LinearIn(scf::ForOp loop, const Intervals &intervals) : loop(loop), intervals(intervals) {}

  std::optional<Linear> of(Value value);

private:
  std::optional<Linear> of(AffineExpr expr, unsigned numDims, ValueRange operands);
  std::optional<Key> fixedKey(AffineExpr expr, unsigned numDims, ValueRange operands);
  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }
  bool isMadeOfVariable(Value value);

  scf::ForOp loop;
  const Intervals &intervals;
};
} // namespace

static std::optional<Linear> sum(std::optional<Linear> a, const std::optional<Linear> &b) {
  if (!a || !b || llvm::AddOverflow(a->factor, b->factor, a->factor))
    return std::nullopt;
  for (auto [value, factor] : b->fixed)
    if (llvm::AddOverflow(a->fixed[value], factor, a->fixed[value]))
      return std::nullopt;
  a->rest = add(a->rest, b->rest);
  return a;
}

static std::optional<Linear> scaled(std::optional<Linear> a, int64_t scale) {
  if (!a || llvm::MulOverflow(a->factor, scale, a->factor))
    return std::nullopt;
  for (auto &[value, factor] : a->fixed)
    if (llvm::MulOverflow(factor, scale, factor))
      return std::nullopt;
  a->rest = multiply(a->rest, Interval::exactly(scale));
  return a;
}

static const void *nameOf(Value value) {
  return isa_and_nonnull<ThreadIdOp>(value.getDefiningOp()) ? nullptr : value.getAsOpaquePointer();
}

/// Of an expression over values from outside the loop; equal for equal ones, whatever places their operands have.
std::optional<Key> LinearIn::fixedKey(AffineExpr expr, unsigned numDims, ValueRange operands) {
  Key names;
  SmallVector<AffineExpr> dims, symbols;
  bool isFixed = true;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    bool isDim = position < numDims;
    bool isUsed = isDim ? expr.isFunctionOfDim(position) : expr.isFunctionOfSymbol(position - numDims);
    isFixed &= !isUsed || !isInside(operand);
    (isDim ? dims : symbols).push_back(getAffineDimExpr(names.size(), expr.getContext()));
    if (isUsed)
      names.push_back(nameOf(operand));
  }
  names.insert(names.begin(), expr.replaceDimsAndSymbols(dims, symbols).getAsOpaquePointer());
  return isFixed ? std::optional(names) : std::nullopt;
}

/// What other loops inside count is not: their bounds hold for all trips.
bool LinearIn::isMadeOfVariable(Value value) {
  if (value == loop.getInductionVar())
    return true;
  Operation *op = isInside(value) ? value.getDefiningOp() : nullptr;
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return isMadeOfVariable(operand); });
}

std::optional<Linear> LinearIn::of(Value value) {
  if (value == loop.getInductionVar())
    return Linear{1, {}, Interval::exactly(0)};
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return of(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands());
  bool isWide = value.getType().isIndex(); // narrower arithmetic may wrap
  if (isWide && isa_and_nonnull<arith::AddIOp>(op))
    return sum(of(op->getOperand(0)), of(op->getOperand(1)));
  if (isWide && isa_and_nonnull<arith::SubIOp>(op))
    return sum(of(op->getOperand(0)), scaled(of(op->getOperand(1)), -1));
  APInt constant;
  if (isWide && isa_and_nonnull<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return scaled(of(op->getOperand(0)), constant.getSExtValue());
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Linear{0, {}, Interval::exactly(constant.getSExtValue())};
  if (!isInside(value))
    return Linear{0, {{Key{nameOf(value)}, 1}}, Interval::exactly(0)};
  if (isMadeOfVariable(value))
    return std::nullopt;
  return Linear{0, {}, intervals.of(value)};
}

std::optional<Linear> LinearIn::of(AffineExpr expr, unsigned numDims, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Linear{0, {}, Interval::exactly(constant.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return of(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return of(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return sum(of(binary.getLHS(), numDims, operands), of(binary.getRHS(), numDims, operands));
  if (auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS()); scale && expr.getKind() == AffineExprKind::Mul)
    return scaled(of(binary.getLHS(), numDims, operands), scale.getValue());
  if (std::optional<Key> key = fixedKey(expr, numDims, operands))
    return Linear{0, {{*key, 1}}, Interval::exactly(0)};
  SmallVector<Interval> known;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    bool isUsed = position < numDims ? expr.isFunctionOfDim(position) : expr.isFunctionOfSymbol(position - numDims);
    if (isUsed && isMadeOfVariable(operand))
      return std::nullopt;
    known.push_back(intervals.of(operand));
  }
  return Linear{0, {}, intervals.of(expr, numDims, known)};
}

bool tile::areApartInLaterTrips(const MemoryAccess &first, const MemoryAccess &second, scf::ForOp loop,
                                const Intervals &intervals) {
  APInt step;
  if (first.root.buffer != second.root.buffer || !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return false;
  LinearIn linear(loop, intervals);
  std::optional<Linear> a = scaled(linear.of(first.index), first.elementBytes),
                        b = scaled(linear.of(second.index), second.elementBytes);
  if (!a || !b || a->factor != b->factor || a->fixed != b->fixed)
    return false;
  // Bounds that reach far count as unknown, so that nothing below overflows.
  constexpr int64_t kFar = int64_t(1) << 40;
  const Interval near{-kFar, kFar};
  std::optional<Linear> distance = scaled(a, step.getSExtValue());
  if (!distance || !near.contains(a->rest) || !near.contains(b->rest) || std::abs(distance->factor) > kFar)
    return false;
  int64_t moved = distance->factor, from = first.root.byteOffset, to = second.root.byteOffset;
  if (moved > 0)
    return moved + to + b->rest.low >= from + a->rest.high + first.widthBytes;
  return moved < 0 && moved + to + b->rest.high + second.widthBytes <= from + a->rest.low;
}
