// Affine.cpp - brackets as sums over slots, evaluated a lane at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Program.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Products and sums wrap: an index beyond 64 bits is a user's mistake that must not become ours.
static int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
static int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

AffineSum AffineSum::build(AffineExpr expr, ArrayRef<int> slots, unsigned numDims) {
  AffineSum sum;
  sum.add(expr, 1, slots, numDims);
  return sum;
}

void AffineSum::add(AffineExpr expr, int64_t factor, ArrayRef<int> slots, unsigned numDims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    linear.push_back({slots[dim.getPosition()], factor});
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    linear.push_back({slots[numDims + symbol.getPosition()], factor});
    return;
  }
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant = wrapAdd(constant, wrapMul(factor, number.getValue()));
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add) {
    add(binary.getLHS(), factor, slots, numDims);
    add(binary.getRHS(), factor, slots, numDims);
    return;
  }
  auto multiplier = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && multiplier) {
    add(binary.getLHS(), wrapMul(factor, multiplier.getValue()), slots, numDims);
    return;
  }
  terms.push_back(
      {expr.getKind(), factor, build(binary.getLHS(), slots, numDims), build(binary.getRHS(), slots, numDims)});
}

std::optional<int64_t> AffineSum::evaluate(const LaneSlots &slots, int64_t lane) const {
  int64_t value = constant;
  for (auto [slot, factor] : linear)
    value = wrapAdd(value, wrapMul(static_cast<int64_t>(slots.row(slot)[lane]), factor));
  for (const Term &term : terms) {
    std::optional<int64_t> lhs = term.lhs.evaluate(slots, lane), rhs = term.rhs.evaluate(slots, lane);
    if (!lhs || !rhs)
      return std::nullopt;
    if (term.kind == AffineExprKind::Mul) {
      value = wrapAdd(value, wrapMul(term.factor, wrapMul(*lhs, *rhs)));
      continue;
    }
    if (*rhs <= 0)
      return std::nullopt;
    int64_t result = term.kind == AffineExprKind::FloorDiv  ? llvm::divideFloorSigned(*lhs, *rhs)
                     : term.kind == AffineExprKind::CeilDiv ? llvm::divideCeilSigned(*lhs, *rhs)
                                                            : llvm::mod(*lhs, *rhs);
    value = wrapAdd(value, wrapMul(term.factor, result));
  }
  return value;
}
