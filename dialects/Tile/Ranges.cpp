// Ranges.cpp - interval arithmetic over the loops, blocks and threads around an expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Ranges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Deeper chains of `affine.apply` are left unknown.
static constexpr int kMaxDepth = 32;

static IndexRange constantRange(int64_t value) {
  return {value, value, /*isReached=*/true, /*operands=*/0};
}

/// 0 … extent − 1, for a loop or a grid axis; without a constant extent only the lower end is known.
static IndexRange countingRange(AffineExpr extent) {
  auto constant = dyn_cast<AffineConstantExpr>(extent);
  if (!constant)
    return {0, IndexRange::kHighest, /*isReached=*/true, 0};
  return {0, std::max<int64_t>(constant.getValue() - 1, 0), /*isReached=*/true, 0};
}

/// An end of a range: the ends of int64_t stand for infinity and absorb.
static bool isInfinite(int64_t end) {
  return end == IndexRange::kLowest || end == IndexRange::kHighest;
}

static int64_t clampEnd(__int128 value) {
  if (value <= IndexRange::kLowest)
    return IndexRange::kLowest;
  return value >= IndexRange::kHighest ? IndexRange::kHighest : static_cast<int64_t>(value);
}

static int64_t addEnds(int64_t a, int64_t b) {
  if (isInfinite(a))
    return a;
  return isInfinite(b) ? b : clampEnd(static_cast<__int128>(a) + b);
}

static int64_t scaleEnd(int64_t end, int64_t factor) {
  if (factor == 0)
    return 0;
  if (isInfinite(end))
    return (end > 0) == (factor > 0) ? IndexRange::kHighest : IndexRange::kLowest;
  return clampEnd(static_cast<__int128>(end) * factor);
}

static IndexRange add(const IndexRange &a, const IndexRange &b) {
  return {addEnds(a.lo, b.lo), addEnds(a.hi, b.hi), a.isReached && b.isReached && (a.operands & b.operands) == 0,
          a.operands | b.operands};
}

static IndexRange scale(IndexRange range, int64_t factor) {
  int64_t lo = scaleEnd(range.lo, factor), hi = scaleEnd(range.hi, factor);
  return {std::min(lo, hi), std::max(lo, hi), range.isReached, range.operands};
}

static IndexRange divide(IndexRange range, int64_t divisor, bool roundUp) {
  auto end = [&](int64_t value) {
    if (isInfinite(value))
      return value;
    return roundUp ? llvm::divideCeilSigned(value, divisor) : llvm::divideFloorSigned(value, divisor);
  };
  return {end(range.lo), end(range.hi), range.isReached, range.operands};
}

static IndexRange modulo(IndexRange range, int64_t divisor) {
  if (!isInfinite(range.lo) && !isInfinite(range.hi) &&
      llvm::divideFloorSigned(range.lo, divisor) == llvm::divideFloorSigned(range.hi, divisor))
    return {llvm::mod(range.lo, divisor), llvm::mod(range.hi, divisor), range.isReached, range.operands};
  return {0, divisor - 1, /*isReached=*/false, range.operands};
}

/// Adds the terms of a sum to `terms`; equal terms share one factor, so that i - i is 0 and not a range.
static void collectTerms(AffineExpr expr, int64_t factor, SmallVectorImpl<std::pair<AffineExpr, int64_t>> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), factor, terms);
    return collectTerms(binary.getRHS(), factor, terms);
  }
  auto constant = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
  int64_t product;
  if (constant && expr.getKind() == AffineExprKind::Mul && !llvm::MulOverflow(factor, constant.getValue(), product))
    return collectTerms(binary.getLHS(), product, terms);
  for (auto &[term, known] : terms)
    if (int64_t sum; term == expr && !llvm::AddOverflow(known, factor, sum)) {
      known = sum;
      return;
    }
  terms.push_back({expr, factor});
}

static IndexRange rangeOfSum(AffineExpr expr, function_ref<IndexRange(unsigned)> dimRange) {
  SmallVector<std::pair<AffineExpr, int64_t>> terms;
  collectTerms(expr, 1, terms);
  IndexRange sum = constantRange(0);
  for (auto [term, factor] : terms)
    sum = add(sum, scale(tile::rangeOf(term, dimRange), factor));
  return sum;
}

IndexRange tile::rangeOf(AffineExpr expr, function_ref<IndexRange(unsigned)> dimRange) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantRange(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dimRange(dim.getPosition());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  if (expr.getKind() == AffineExprKind::Add)
    return rangeOfSum(expr, dimRange);
  IndexRange left = rangeOf(binary.getLHS(), dimRange), right = rangeOf(binary.getRHS(), dimRange);
  if (expr.getKind() == AffineExprKind::Mul) {
    if (right.isConstant())
      return scale(left, right.lo);
    return left.isConstant() ? scale(right, left.lo) : IndexRange();
  }
  if (!right.isConstant() || right.lo <= 0)
    return {};
  if (expr.getKind() == AffineExprKind::Mod)
    return modulo(left, right.lo);
  return divide(left, right.lo, expr.getKind() == AffineExprKind::CeilDiv);
}

static IndexRange rangeOf(Value value, int depth);

/// The dims of an expression are the operands at the same position.
static IndexRange rangeOf(AffineExpr expr, ValueRange operands, int depth) {
  return tile::rangeOf(expr, [&](unsigned position) -> IndexRange {
    if (position >= operands.size())
      return {};
    Value value = operands[position];
    IndexRange range = rangeOf(value, depth + 1);
    size_t first = llvm::find(operands, value) - operands.begin();
    range.isReached &= first < 64;
    range.operands = first < 64 && !range.isConstant() ? uint64_t(1) << first : 0;
    return range;
  });
}

SmallVector<AffineExpr> tile::symbolsAsDims(AffineMap map) {
  SmallVector<AffineExpr> dims;
  for (unsigned symbol = 0; symbol < map.getNumSymbols(); ++symbol)
    dims.push_back(getAffineDimExpr(map.getNumDims() + symbol, map.getContext()));
  return dims;
}

static IndexRange rangeOfArgument(BlockArgument argument, int depth) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast_or_null<LoopOpInterface>(parent)) {
    if (argument.getArgNumber() < loop.getExtents().getNumResults())
      return countingRange(loop.getExtents().getResult(argument.getArgNumber()));
    return {};
  }
  if (auto kernel = dyn_cast_or_null<KernelOp>(parent)) {
    // Sizes are extents of tensors; an index argument may be anything.
    if (argument.getArgNumber() < kernel.getNumSymbols())
      return {0, IndexRange::kHighest, /*isReached=*/false, 0};
    size_t firstId = kernel.getNumSymbols() + kernel.getArgShapes().size();
    if (argument.getArgNumber() >= firstId && argument.getArgNumber() - firstId < kernel.getGrid().getNumResults())
      return countingRange(kernel.getGrid().getResult(argument.getArgNumber() - firstId));
    return {};
  }
  if (auto loop = dyn_cast_or_null<scf::ForOp>(parent); loop && argument == loop.getInductionVar()) {
    IndexRange lower = rangeOf(loop.getLowerBound(), depth + 1), upper = rangeOf(loop.getUpperBound(), depth + 1);
    return {lower.lo, isInfinite(upper.hi) ? upper.hi : std::max(upper.hi - 1, lower.lo), /*isReached=*/false, 0};
  }
  return {};
}

static IndexRange rangeOf(Value value, int depth) {
  if (depth > kMaxDepth || !value.getType().isIndex())
    return {};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return rangeOfArgument(argument, depth);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constantRange(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (auto thread = dyn_cast<ThreadIdOp>(op)) {
    auto kernel = thread->getParentOfType<KernelOp>();
    return kernel ? IndexRange{0, static_cast<int64_t>(kernel.getThreads()) - 1, true, 0} : IndexRange();
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    if (map.getNumResults() != 1)
      return {};
    AffineExpr expr = map.getResult(0).replaceSymbols(symbolsAsDims(map));
    IndexRange range = rangeOf(expr, apply.getMapOperands(), depth + 1);
    // Another operand may depend on the same loops.
    range.isReached &= range.isConstant();
    range.operands = 0;
    return range;
  }
  return {};
}

IndexRange tile::rangeOf(Value value) {
  return ::rangeOf(value, 0);
}

IndexRange tile::rangeOf(AffineExpr expr, ValueRange operands) {
  return ::rangeOf(expr, operands, 0);
}
