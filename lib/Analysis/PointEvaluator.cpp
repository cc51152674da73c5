// PointEvaluator.cpp - see PointEvaluator.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/PointEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::simt;

static std::optional<int64_t> constantOf(Value value) {
  // Asked at every point: no folding where the op says it.
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 0)
    return std::nullopt;
  APInt constant;
  if (auto known = dyn_cast<arith::ConstantOp>(op))
    if (auto number = dyn_cast<IntegerAttr>(known.getValue()); number && number.getValue().getBitWidth() <= 64)
      return number.getValue().getSExtValue();
  if (!matchPattern(value, m_ConstantInt(&constant)) || constant.getBitWidth() > 64)
    return std::nullopt;
  return constant.getSExtValue();
}

std::optional<ConstantLoop> tile::constantLoop(Value iv) {
  auto argument = dyn_cast<BlockArgument>(iv);
  auto loop = argument ? dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || loop.getInductionVar() != iv || loop.getUnsignedCmp())
    return std::nullopt;
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()), upper = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  __int128 length = __int128(*upper) - *lower;
  int64_t trips = length <= 0 ? 0 : int64_t((length + *step - 1) / *step);
  return ConstantLoop{*lower, trips, *step};
}

static bool isEvaluable(Operation *op) {
  return isa<affine::AffineApplyOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MinSIOp, arith::MaxSIOp,
             arith::SelectOp, arith::CmpIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::IndexCastUIOp>(op);
}

static bool collect(Value value, PointVariables &found) {
  if (!value.getType().isIntOrIndex())
    return false;
  if (constantOf(value))
    return true;
  if (constantLoop(value)) {
    found.ivs.insert(value);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<ThreadIdOp>(op)) {
    found.thread = true;
    return true;
  }
  return isEvaluable(op) && llvm::all_of(op->getOperands(), [&](Value operand) { return collect(operand, found); });
}

std::optional<PointVariables> PointEvaluator::variables(Value value) {
  PointVariables found;
  if (!collect(value, found))
    return std::nullopt;
  return found;
}

std::optional<PointVariables> PointEvaluator::variables(AffineExpr expr, unsigned numDims, ValueRange operands) {
  PointVariables found;
  bool known = true;
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      known = known && collect(operands[dim.getPosition()], found);
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      known = known && collect(operands[numDims + symbol.getPosition()], found);
  });
  if (!known)
    return std::nullopt;
  return found;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

using Result = std::optional<int64_t>;

static Result checked(__int128 value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return std::nullopt;
  return int64_t(value);
}

static Result floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  __int128 quotient = __int128(a) / b;
  return checked(a % __int128(b) != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient);
}

static Result ceilDivide(int64_t a, int64_t b) {
  Result down = floorDivide(a, b);
  if (!down)
    return std::nullopt;
  return checked(__int128(*down) + (__int128(*down) * b != a));
}

static Result floorModulo(int64_t a, int64_t b) {
  Result down = floorDivide(a, b);
  if (!down)
    return std::nullopt;
  return checked(a - __int128(*down) * b);
}

static uint64_t zeroExtend(int64_t value, unsigned bits) {
  return bits >= 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

static unsigned bitsOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned bits) {
  APInt left(bits, zeroExtend(a, bits)), right(bits, zeroExtend(b, bits));
  return arith::applyCmpPredicate(predicate, left, right);
}

/// Operations of one integer type; the result is brought to its width by the caller.
static Result applyBinary(Operation *op, int64_t a, int64_t b, unsigned bits) {
  uint64_t ua = zeroExtend(a, bits), ub = zeroExtend(b, bits);
  bool tooFar = ub >= bits;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return checked(__int128(a) + b); })
      .Case([&](arith::SubIOp) { return checked(__int128(a) - b); })
      .Case([&](arith::MulIOp) { return checked(__int128(a) * b); })
      .Case([&](arith::DivSIOp) { return b == 0 ? std::nullopt : checked(__int128(a) / b); })
      .Case([&](arith::RemSIOp) { return b == 0 ? std::nullopt : checked(__int128(a) % b); })
      .Case([&](arith::DivUIOp) { return ub == 0 ? std::nullopt : Result(int64_t(ua / ub)); })
      .Case([&](arith::RemUIOp) { return ub == 0 ? std::nullopt : Result(int64_t(ua % ub)); })
      .Case([&](arith::FloorDivSIOp) { return floorDivide(a, b); })
      .Case([&](arith::CeilDivSIOp) { return ceilDivide(a, b); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::ShLIOp) { return tooFar ? 0 : int64_t(ua << ub); })
      .Case([&](arith::ShRUIOp) { return tooFar ? 0 : int64_t(ua >> ub); })
      .Case([&](arith::ShRSIOp) { return a >> (tooFar ? 63 : ub); })
      .Case([&](arith::MinSIOp) { return std::min(a, b); })
      .Case([&](arith::MaxSIOp) { return std::max(a, b); })
      .Case([&](arith::CmpIOp cmp) { return -int64_t(compare(cmp.getPredicate(), a, b, bits)); })
      .Default([](Operation *) { return std::nullopt; });
}

Result PointEvaluator::evaluate(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto found = point.find(value);
    return found == point.end() ? std::nullopt : Result(found->second);
  }
  if (isa<ThreadIdOp>(op))
    return thread;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands());
  if (op->getNumOperands() == 0)
    return constantOf(value);
  SmallVector<int64_t, 3> operands;
  for (Value operand : op->getOperands()) {
    Result known = evaluate(operand);
    if (!known)
      return std::nullopt;
    operands.push_back(*known);
  }
  unsigned sourceBits = bitsOf(op->getOperand(0).getType()), bits = bitsOf(value.getType());
  Result result;
  if (isa<arith::SelectOp>(op))
    result = operands[0] ? operands[1] : operands[2];
  else if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    result = int64_t(zeroExtend(operands[0], sourceBits));
  else if (operands.size() == 1)
    result = operands[0];
  else
    result = applyBinary(op, operands[0], operands[1], sourceBits);
  if (!result)
    return std::nullopt;
  return bits >= 64 ? *result : llvm::SignExtend64(zeroExtend(*result, bits), bits);
}

Result PointEvaluator::evaluate(AffineExpr expr, unsigned numDims, ValueRange operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return evaluate(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Result a = evaluate(binary.getLHS(), numDims, operands), b = evaluate(binary.getRHS(), numDims, operands);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return checked(__int128(*a) + *b);
  case AffineExprKind::Mul:
    return checked(__int128(*a) * *b);
  case AffineExprKind::FloorDiv:
    return floorDivide(*a, *b);
  case AffineExprKind::CeilDiv:
    return ceilDivide(*a, *b);
  default:
    return floorModulo(*a, *b);
  }
}
