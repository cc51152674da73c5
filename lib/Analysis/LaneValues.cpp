// LaneValues.cpp - what an index is in each lane of one warp, for sizes and loops at typical values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneValues.h"

#include "dialects/Simt/SimtOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile {

static Lanes everywhere(int64_t value) {
  Lanes lanes;
  lanes.fill(value);
  return lanes;
}

/// Arithmetic wraps, as the machine's does.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
static int64_t wrappingSub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
static int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

/// Applies `function` lane by lane; nothing where an operand is unknown or the function has no value.
template <class Function>
static std::optional<Lanes> combine(std::optional<Lanes> lhs, std::optional<Lanes> rhs, Function function) {
  if (!lhs || !rhs)
    return std::nullopt;
  Lanes result;
  for (size_t lane = 0; lane < result.size(); ++lane) {
    std::optional<int64_t> value = function((*lhs)[lane], (*rhs)[lane]);
    if (!value)
      return std::nullopt;
    result[lane] = *value;
  }
  return result;
}

static bool isDivisible(int64_t a, int64_t b) {
  return b != 0 && !(b == -1 && a == INT64_MIN);
}

static std::optional<int64_t> divideOp(Operation *op, int64_t a, int64_t b) {
  if (!isDivisible(a, b))
    return std::nullopt;
  if (isa<arith::FloorDivSIOp>(op))
    return llvm::divideFloorSigned(a, b);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return llvm::divideCeilSigned(a, b);
  return isa<arith::RemSIOp, arith::RemUIOp>(op) ? a % b : a / b;
}

static std::optional<int64_t> shiftOp(Operation *op, int64_t a, int64_t b) {
  if (b < 0 || b > 63)
    return std::nullopt;
  if (isa<arith::ShLIOp>(op))
    return static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  return a >> b;
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
  case arith::CmpIPredicate::ule:
    return static_cast<uint64_t>(a) <= static_cast<uint64_t>(b);
  case arith::CmpIPredicate::ugt:
    return static_cast<uint64_t>(a) > static_cast<uint64_t>(b);
  case arith::CmpIPredicate::uge:
    return static_cast<uint64_t>(a) >= static_cast<uint64_t>(b);
  }
  llvm_unreachable("every predicate has been handled");
}

void LaneValues::setWarp(int64_t number) {
  warp = number;
  trips.clear();
  known.clear();
}

void LaneValues::setTrip(Value iv, int64_t number) {
  trips[iv] = number;
  known.clear();
}

std::optional<Lanes> LaneValues::evaluate(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<Lanes> lanes = compute(value);
  known[value] = lanes;
  return lanes;
}

std::optional<Lanes> LaneValues::compute(Value value) {
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return everywhere(value.getType().isInteger(1) ? constant.getZExtValue() : constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  return ofOperation(value.getDefiningOp());
}

std::optional<Lanes> LaneValues::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto kernel = dyn_cast<simt::KernelOp>(parent)) {
    bool isBlockId = argument.getArgNumber() >= kernel.getParameters().size();
    if (isBlockId)
      return everywhere(0);
    bool isSize = kernel.getParameter(argument.getArgNumber()).getKind() != simt::ParameterKind::Scalar;
    return isSize || argument.getType().isIndex() ? std::optional<Lanes>(everywhere(kTypicalSize)) : std::nullopt;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return std::nullopt;
  if (argument == loop.getInductionVar()) {
    int64_t trip = trips.lookup(argument);
    std::optional<Lanes> first = evaluate(loop.getLowerBound());
    if (trip == 0)
      return first;
    return combine(first, evaluate(loop.getStep()), [&](int64_t lower, int64_t step) -> std::optional<int64_t> {
      return wrappingAdd(lower, wrappingMul(trip, step));
    });
  }
  return evaluate(loop.getTiedLoopInit(argument)->get());
}

std::optional<Lanes> LaneValues::ofExpression(AffineExpr expr, unsigned numDims, ValueRange operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return everywhere(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return evaluate(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return evaluate(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Lanes> lhs = ofExpression(binary.getLHS(), numDims, operands);
  std::optional<Lanes> rhs = ofExpression(binary.getRHS(), numDims, operands);
  return combine(lhs, rhs, [&](int64_t a, int64_t b) -> std::optional<int64_t> {
    if (expr.getKind() == AffineExprKind::Add)
      return wrappingAdd(a, b);
    if (expr.getKind() == AffineExprKind::Mul)
      return wrappingMul(a, b);
    if (b <= 0)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Mod)
      return llvm::mod(a, b);
    return expr.getKind() == AffineExprKind::FloorDiv ? llvm::divideFloorSigned(a, b) : llvm::divideCeilSigned(a, b);
  });
}

std::optional<Lanes> LaneValues::ofOperation(Operation *op) {
  auto binary = [&](auto function) {
    return combine(evaluate(op->getOperand(0)), evaluate(op->getOperand(1)),
                   [&](int64_t a, int64_t b) -> std::optional<int64_t> { return function(a, b); });
  };
  return llvm::TypeSwitch<Operation *, std::optional<Lanes>>(op)
      .Case([&](simt::ThreadIdOp) {
        Lanes lanes;
        for (size_t lane = 0; lane < lanes.size(); ++lane)
          lanes[lane] = 32 * warp + static_cast<int64_t>(lane);
        return lanes;
      })
      .Case([&](affine::AffineApplyOp apply) {
        AffineMap map = apply.getAffineMap();
        return ofExpression(map.getResult(0), map.getNumDims(), apply.getMapOperands());
      })
      .Case([&](memref::DimOp) { return everywhere(kTypicalSize); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto) { return evaluate(op->getOperand(0)); })
      .Case([&](arith::SelectOp select) -> std::optional<Lanes> {
        std::optional<Lanes> condition = evaluate(select.getCondition());
        std::optional<Lanes> values = evaluate(select.getTrueValue()), others = evaluate(select.getFalseValue());
        if (!condition || !values || !others)
          return std::nullopt;
        for (size_t lane = 0; lane < values->size(); ++lane)
          if ((*condition)[lane] == 0)
            (*values)[lane] = (*others)[lane];
        return values;
      })
      .Case([&](arith::CmpIOp cmp) {
        return binary([&](int64_t a, int64_t b) { return compare(cmp.getPredicate(), a, b); });
      })
      .Case<arith::AddIOp>([&](auto) { return binary(wrappingAdd); })
      .Case<arith::SubIOp>([&](auto) { return binary(wrappingSub); })
      .Case<arith::MulIOp>([&](auto) { return binary(wrappingMul); })
      .Case<arith::AndIOp>([&](auto) { return binary([](int64_t a, int64_t b) { return a & b; }); })
      .Case<arith::OrIOp>([&](auto) { return binary([](int64_t a, int64_t b) { return a | b; }); })
      .Case<arith::XOrIOp>([&](auto) { return binary([](int64_t a, int64_t b) { return a ^ b; }); })
      .Case<arith::MinSIOp>([&](auto) { return binary([](int64_t a, int64_t b) { return std::min(a, b); }); })
      .Case<arith::MaxSIOp>([&](auto) { return binary([](int64_t a, int64_t b) { return std::max(a, b); }); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return binary([&](int64_t a, int64_t b) { return shiftOp(op, a, b); }); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp>([&](auto) { return binary([&](int64_t a, int64_t b) { return divideOp(op, a, b); }); })
      .Default([](Operation *) { return std::optional<Lanes>(); });
}

} // namespace tile
