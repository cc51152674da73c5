// LowerTilesSwizzle.cpp - offsets under an XOR, in as few operations a register as possible.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An XOR of this kind is linear over single bits: where the parts of a sum share no bits, the sum's offset is the XOR
// of the parts' offsets. The thread's part is then computed once, before all loops, that of an unrolled loop becomes a
// constant, and a part below all bits that are read stays as it is:
//
//     rows of 64 elements, row = thread / 8 + 32 * i:   offset = swizzled(thread * 8) ^ swizzled(i * 2048)
//
#include "LowerTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

namespace {
/// Who moves a part of an offset.
enum class Mover { Thread, Loop, UnrolledLoop };

/// The terms of one mover.
struct Part {
  SmallVector<AffineExpr> terms;
  int64_t bits = 0; ///< that may be set in the sum of the terms
};

/// An offset, term by term.
struct OffsetParts {
  std::array<Part, 3> parts;            ///< by mover
  SmallVector<AffineExpr> below, above; ///< terms of which the XOR reads or writes bits, and the others
  bool isDisjoint = true;               ///< no bit may be set in two terms of `below`
};
} // namespace

/// The expression over values that are no affine computations themselves.
static AffineExpr expandOperands(AffineExpr expr, SmallVectorImpl<OpFoldResult> &operands) {
  for (unsigned number = 0; number < operands.size(); ++number) {
    auto value = dyn_cast<Value>(operands[number]);
    auto apply = value ? value.getDefiningOp<affine::AffineApplyOp>() : affine::AffineApplyOp();
    if (!apply || !expr.isFunctionOfDim(number))
      continue;
    AffineMap map = apply.getAffineMap();
    SmallVector<AffineExpr> inner;
    for (Value operand : apply.getMapOperands()) {
      inner.push_back(getAffineDimExpr(operands.size(), expr.getContext()));
      operands.push_back(operand);
    }
    ArrayRef<AffineExpr> all = inner;
    AffineExpr replacement =
        map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    expr = expr.replace(getAffineDimExpr(number, expr.getContext()), replacement);
  }
  return expr;
}

/// The terms of a sum.
static void flattenSum(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return terms.push_back(expr);
  if (expr.getKind() == AffineExprKind::Add) {
    flattenSum(binary.getLHS(), terms);
    return flattenSum(binary.getRHS(), terms);
  }
  auto inner = dyn_cast<AffineBinaryOpExpr>(binary.getLHS());
  bool isScaledSum = expr.getKind() == AffineExprKind::Mul && isa<AffineConstantExpr>(binary.getRHS()) && inner &&
                     inner.getKind() == AffineExprKind::Add;
  if (!isScaledSum)
    return terms.push_back(expr);
  flattenSum(inner.getLHS() * binary.getRHS(), terms);
  flattenSum(inner.getRHS() * binary.getRHS(), terms);
}

static Mover moverOf(AffineExpr term, ArrayRef<OpFoldResult> operands) {
  bool isUnrolled = true, isThread = true;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto value = dyn_cast<Value>(operand);
    if (!value || !term.isFunctionOfDim(number) || getConstantIntValue(value))
      continue;
    isThread = isThread && value.getDefiningOp<simt::ThreadIdOp>();
    auto iv = dyn_cast<BlockArgument>(value);
    auto loop = iv ? dyn_cast_or_null<scf::ForOp>(iv.getOwner()->getParentOp()) : scf::ForOp();
    isUnrolled = isUnrolled && loop && loop.getInductionVar() == iv && loop->hasAttr(simt::kUnroll);
  }
  return isUnrolled ? Mover::UnrolledLoop : isThread ? Mover::Thread : Mover::Loop;
}

/// The bits that may be set in the term; nothing if any may.
static std::optional<int64_t> bitsOf(const IndexFacts &facts, AffineExpr term, ArrayRef<OpFoldResult> operands) {
  IndexBounds range = facts.range(term, operands);
  if (!range.isAtLeast(0) || !range.isBelow(int64_t(1) << 40))
    return std::nullopt;
  int64_t divisor = facts.divisor(term, operands), below = static_cast<int64_t>(llvm::NextPowerOf2(*range.high));
  return divisor == 0 ? 0 : (below - 1) & -(divisor & -divisor);
}

/// The sum of the terms. Factors stand outside: affine maps would turn a scaled remainder into a difference, and its
/// range would be lost.
Value KernelLowering::sumOf(mlir::Location loc, ArrayRef<AffineExpr> terms, ArrayRef<OpFoldResult> operands) {
  AffineExpr whole = builder.getAffineConstantExpr(0);
  for (AffineExpr term : terms)
    whole = whole + term;
  whole = simplifyAffineExpr(whole, operands.size(), 0);
  if (whole.getKind() != AffineExprKind::Add)
    return apply(loc, whole, operands); // quotient and remainder of one number, say
  Value sum;
  for (AffineExpr term : terms) {
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    auto factor = product && term.getKind() == AffineExprKind::Mul ? dyn_cast<AffineConstantExpr>(product.getRHS())
                                                                   : AffineConstantExpr();
    bool isScaled = factor && isa<AffineBinaryOpExpr>(product.getLHS());
    Value value = apply(loc, isScaled ? product.getLHS() : term, operands);
    if (isScaled)
      value = arith::MulIOp::create(builder, loc, value, constant(loc, factor.getValue()));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult() : value;
  }
  return sum;
}

/// The offset that stands for a linear one of which only `bits` may be set.
Value KernelLowering::swizzled(mlir::Location loc, const TileStorage &storage, Value linear, int64_t bits) {
  Value offset = linear;
  for (const XorStep &step : storage.swizzle) {
    if ((bits & (step.mask << step.shift)) == 0)
      continue;
    Value field = arith::ShRUIOp::create(builder, loc, linear, constant(loc, step.shift));
    field = arith::AndIOp::create(builder, loc, field, constant(loc, step.mask));
    field = arith::ShLIOp::create(builder, loc, field, constant(loc, step.unitLog2));
    offset = arith::XOrIOp::create(builder, loc, offset, field);
  }
  return offset;
}

/// Terms that are multiples of `top` pass through the XOR; the others are sorted by who moves them.
static OffsetParts takeApart(const IndexFacts &facts, AffineExpr linear, ArrayRef<OpFoldResult> operands, int64_t top) {
  OffsetParts result;
  SmallVector<AffineExpr> terms;
  flattenSum(linear, terms);
  int64_t used = 0;
  for (AffineExpr term : terms) {
    int64_t divisor = facts.divisor(term, operands);
    if (divisor == 0)
      continue; // nothing is added
    if (divisor % top == 0) {
      result.above.push_back(term);
      continue;
    }
    std::optional<int64_t> bits = bitsOf(facts, term, operands);
    result.isDisjoint = result.isDisjoint && bits && (used & *bits) == 0;
    used |= bits.value_or(0);
    Part &part = result.parts[static_cast<size_t>(moverOf(term, operands))];
    part.terms.push_back(term);
    part.bits |= bits.value_or(0);
    result.below.push_back(term);
  }
  return result;
}

Value KernelLowering::swizzledOffset(mlir::Location loc, const TileStorage &storage, AffineExpr linear,
                                     ArrayRef<OpFoldResult> place) {
  SmallVector<OpFoldResult> operands(place);
  linear = expandOperands(linear, operands);
  int64_t top = 1;
  for (const XorStep &step : storage.swizzle)
    top = std::max(top, (step.mask + 1) << step.shift);
  OffsetParts offset = takeApart(facts, linear, operands, top);
  Value result;
  if (!offset.isDisjoint)
    result = swizzled(loc, storage, sumOf(loc, offset.below, operands), /*bits=*/-1);
  for (const Part &part : offset.parts) {
    if (!offset.isDisjoint || part.terms.empty())
      continue;
    Value one = swizzled(loc, storage, sumOf(loc, part.terms, operands), part.bits);
    result = result ? arith::XOrIOp::create(builder, loc, result, one).getResult() : one;
  }
  if (offset.above.empty() && result)
    return result;
  Value rest = sumOf(loc, offset.above, operands);
  return result ? arith::AddIOp::create(builder, loc, result, rest).getResult() : rest;
}
