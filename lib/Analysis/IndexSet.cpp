// IndexSet.cpp - the indices that loops touch along one dimension, as numbers that can be compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/IndexSet.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tile {

/// The number that an expression over parameters is, whatever they are.
static std::optional<int64_t> constantOf(AffineExpr expr) {
  unsigned parameters = 0;
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      parameters = std::max(parameters, dim.getPosition() + 1);
  });
  auto constant = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(expr, parameters, 0));
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

static bool hasVariables(AffineExpr expr) {
  bool found = false;
  expr.walk([&](AffineExpr part) { found |= isa<AffineSymbolExpr>(part); });
  return found;
}

/// Steps and places beyond it are not compared: their sums might not be numbers of 64 bits.
static constexpr int64_t kFarthest = int64_t(1) << 31;

static bool isNear(int64_t number, int64_t farthest = kFarthest) {
  return -farthest <= number && number <= farthest;
}

/// Adds factor * expr: to the coefficients what is linear in a variable, to the base what has none.
static bool addTerms(AffineExpr expr, int64_t factor, MutableArrayRef<int64_t> coefficients, AffineExpr &base) {
  if (auto variable = dyn_cast<AffineSymbolExpr>(expr)) {
    coefficients[variable.getPosition()] += factor;
    return isNear(coefficients[variable.getPosition()]);
  }
  if (!hasVariables(expr)) {
    base = base + expr * factor;
    return true;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, coefficients, base) &&
           addTerms(binary.getRHS(), factor, coefficients, base);
  auto number = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && number && isNear(number.getValue()) &&
         isNear(factor * number.getValue()) &&
         addTerms(binary.getLHS(), factor * number.getValue(), coefficients, base);
}

/// Makes one walk of those that leave no gap; the smallest step first.
static SmallVector<IndexSet::Walk> joined(SmallVector<IndexSet::Walk> walks) {
  llvm::stable_sort(walks, [](const auto &a, const auto &b) { return a.step < b.step; });
  SmallVector<IndexSet::Walk> result;
  for (const IndexSet::Walk &walk : walks) {
    IndexSet::Walk *finer = result.empty() ? nullptr : &result.back();
    std::optional<int64_t> covered = finer ? constantOf(finer->count) : std::nullopt;
    if (covered && walk.step % finer->step == 0 && walk.step / finer->step <= *covered)
      finer->count = finer->count + (walk.count - 1) * (walk.step / finer->step);
    else
      result.push_back(walk);
  }
  return result;
}

std::optional<IndexSet> IndexSet::get(AffineExpr expr, ArrayRef<AffineExpr> counts) {
  IndexSet set{getAffineConstantExpr(0, expr.getContext()), {}};
  SmallVector<int64_t> coefficients(counts.size(), 0);
  if (!addTerms(expr, 1, coefficients, set.base))
    return std::nullopt;
  SmallVector<Walk> walks;
  for (auto [coefficient, count] : llvm::zip_equal(coefficients, counts)) {
    std::optional<int64_t> trips = constantOf(count);
    if (trips && (*trips <= 0 || *trips > kFarthest))
      return std::nullopt;
    if (coefficient == 0 || trips == 1)
      continue;
    if (coefficient < 0)
      set.base = set.base + (count - 1) * coefficient;
    walks.push_back({std::abs(coefficient), count});
  }
  set.walks = joined(std::move(walks));
  return set;
}

void IndexSet::clip(int64_t extent) {
  std::optional<int64_t> first = constantOf(base);
  std::optional<int64_t> count = walks.size() == 1 ? constantOf(walks[0].count) : std::nullopt;
  if (!first || !count || !isNear(*first, kFarthest * kFarthest))
    return;
  MLIRContext *context = base.getContext();
  int64_t step = walks[0].step, below = *first < 0 ? llvm::divideCeilSigned(-*first, step) : 0;
  int64_t begin = *first + below * step, most = llvm::divideCeilSigned(extent - begin, step);
  base = getAffineConstantExpr(begin, context);
  walks[0].count = getAffineConstantExpr(std::max<int64_t>(std::min(*count - below, most), 0), context);
}

/// The same steps, none fewer times.
static bool coverEach(ArrayRef<IndexSet::Walk> outer, ArrayRef<IndexSet::Walk> inner) {
  return outer.size() == inner.size() && llvm::all_of(llvm::zip_equal(outer, inner), [](auto pair) {
           const auto &[whole, part] = pair;
           return whole.step == part.step && constantOf(whole.count - part.count).value_or(-1) >= 0;
         });
}

bool isWithin(const IndexSet &inner, const IndexSet &outer) {
  std::optional<int64_t> ahead = constantOf(inner.base - outer.base);
  if (!ahead)
    return false;
  if (outer.walks.size() != 1)
    return *ahead == 0 && coverEach(outer.walks, inner.walks);
  const IndexSet::Walk &whole = outer.walks[0];
  // What is left of the outer walk behind the end of the inner ones.
  AffineExpr left = (whole.count - 1) * whole.step - *ahead;
  for (const IndexSet::Walk &walk : inner.walks) {
    if (walk.step % whole.step != 0)
      return false;
    left = left - (walk.count - 1) * walk.step;
  }
  std::optional<int64_t> behind = constantOf(left);
  return *ahead >= 0 && *ahead % whole.step == 0 && behind && *behind >= 0;
}

} // namespace tile
