// Origin.cpp - the starts of accesses as numbers of the block indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Origin.h"

#include "dialects/Tile/Checks.h"
#include "tile/Layout/AccessCost.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile {

/// No vector has more elements.
static constexpr int64_t kMostElements = 16;

std::optional<AffineExpr> overBlocks(Value value, KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  for (auto [axis, id] : llvm::enumerate(kernel.getBlockIds()))
    if (value == id)
      return getAffineDimExpr(axis, context);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || apply.getAffineMap().getNumSymbols() != 0)
    return std::nullopt;
  SmallVector<AffineExpr> operands;
  for (Value operand : apply.getMapOperands()) {
    std::optional<AffineExpr> expr = overBlocks(operand, kernel);
    if (!expr)
      return std::nullopt;
    operands.push_back(*expr);
  }
  return apply.getAffineMap().getResult(0).replaceDims(operands);
}

namespace {
/// An access that walks memory element by element along one axis of its op, from a start that the block sets.
struct Walk {
  int axis = 0;
  AffineExpr start; ///< in elements of the tensor, over the block indices
};
} // namespace

/// Nothing but dims times constants.
static bool isSum(AffineExpr expr) {
  WalkResult result = expr.walk([](AffineExpr part) {
    bool isSum = part.getKind() == AffineExprKind::Add || part.getKind() == AffineExprKind::Mul ||
                 isa<AffineConstantExpr, AffineDimExpr>(part);
    return isSum ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// The place of a point in its tensor, in elements; nothing where a stride is known at run time only.
static std::optional<AffineExpr> linearPlace(const TileAccess &access) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(access.type().getStridesAndOffset(strides, offset)) || ShapedType::isDynamic(offset))
    return std::nullopt;
  AffineExpr place = getAffineConstantExpr(offset, access.map.getContext());
  for (auto [expr, stride] : llvm::zip_equal(access.map.getResults(), strides)) {
    if (ShapedType::isDynamic(stride) && expr != getAffineConstantExpr(0, access.map.getContext()))
      return std::nullopt;
    place = place + expr * (ShapedType::isDynamic(stride) ? 0 : stride);
  }
  return isSum(place) ? std::optional(place) : std::nullopt;
}

/// The coefficient of a dim. \pre the place is a sum of dims times constants
static int64_t coefficientOf(AffineExpr place, unsigned dim, unsigned dims) {
  SmallVector<AffineExpr> unit(dims, getAffineConstantExpr(0, place.getContext())), zero = unit;
  unit[dim] = getAffineConstantExpr(1, place.getContext());
  auto at = [&](ArrayRef<AffineExpr> point) {
    return cast<AffineConstantExpr>(simplifyAffineExpr(place.replaceDims(point), 0, 0)).getValue();
  };
  return at(unit) - at(zero);
}

static std::optional<Walk> walkOf(const TileAccess &access, ArrayRef<int64_t> extents, KernelOp kernel) {
  std::optional<AffineExpr> place = linearPlace(access);
  if (!place || spaceOf(access.type()) != Space::Global || isa<AtomicOp>(access.op))
    return std::nullopt;
  MLIRContext *context = access.map.getContext();
  Walk walk{-1, {}};
  SmallVector<AffineExpr> replacements;
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    replacements.push_back(getAffineConstantExpr(0, context));
    if (extent == 1 || !place->isFunctionOfDim(axis))
      continue;
    // One element after the other along one axis, and nothing along the others.
    if (walk.axis >= 0 || coefficientOf(*place, axis, access.map.getNumDims()) != 1)
      return std::nullopt;
    walk.axis = static_cast<int>(axis);
  }
  for (auto [number, operand] : llvm::enumerate(access.operands)) {
    std::optional<AffineExpr> expr = overBlocks(operand, kernel);
    unsigned dim = extents.size() + number;
    // What moves the start by whole vectors does not matter, whatever it is.
    if (!expr && coefficientOf(*place, dim, access.map.getNumDims()) % kMostElements != 0)
      return std::nullopt;
    replacements.push_back(expr.value_or(getAffineConstantExpr(0, context)));
  }
  walk.start = simplifyAffineExpr(place->replaceDims(replacements), kernel.getBlockIds().size(), 0);
  return walk.axis >= 0 && isSum(walk.start) ? std::optional(walk) : std::nullopt;
}

/// The same number modulo `vector`, with small coefficients.
static AffineExpr reduced(AffineExpr expr, unsigned dims, int64_t vector) {
  AffineExpr sum = getAffineConstantExpr(0, expr.getContext());
  for (unsigned dim = 0; dim < dims; ++dim)
    sum = sum + getAffineDimExpr(dim, expr.getContext()) * llvm::mod(coefficientOf(expr, dim, dims), vector);
  SmallVector<AffineExpr> zeros(dims, getAffineConstantExpr(0, expr.getContext()));
  auto constant = cast<AffineConstantExpr>(simplifyAffineExpr(expr.replaceDims(zeros), 0, 0));
  return sum + llvm::mod(constant.getValue(), vector);
}

std::optional<AffineMap> chooseOrigin(KernelOp kernel) {
  struct Vote {
    double bytes = 0;
    int64_t vector = 1;
  };
  llvm::MapVector<AffineExpr, Vote> votes;
  kernel.walk([&](Operation *op) {
    if (!isa<ParallelOp, CopyOp, FillOp>(op))
      return;
    SmallVector<int64_t> extents = pointExtents(op);
    double points = 1;
    for (int64_t extent : extents)
      points *= ShapedType::isDynamic(extent) ? 1 : static_cast<double>(extent);
    for (const TileAccess &access : accessesOf(op)) {
      std::optional<Walk> walk = walkOf(access, extents, kernel);
      int64_t bytes = elementBytes(access.type().getElementType()), vector = kVectorBytes / bytes;
      if (!walk || vector <= 1 || extents[walk->axis] < vector || walk->start.getLargestKnownDivisor() % vector == 0)
        continue;
      Vote &vote = votes[walk->start];
      vote.bytes += points * static_cast<double>(bytes);
      vote.vector = std::max(vote.vector, vector);
    }
  });
  if (votes.empty())
    return std::nullopt;
  const auto *best =
      llvm::max_element(votes, [](const auto &a, const auto &b) { return a.second.bytes < b.second.bytes; });
  unsigned dims = kernel.getBlockIds().size();
  AffineExpr origin = reduced(best->first, dims, best->second.vector) % best->second.vector;
  // A start that is the same in every block may have become a number.
  if (origin.getKind() != AffineExprKind::Mod)
    return std::nullopt;
  return AffineMap::get(dims, 0, origin);
}

std::optional<int> originAxis(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  std::optional<AffineMap> origin = kernel.getOrigin();
  if (!origin)
    return std::nullopt;
  AffineExpr linear = cast<AffineBinaryOpExpr>(origin->getResult(0)).getLHS();
  SmallVector<int64_t> extents = pointExtents(op);
  for (const TileAccess &access : accessesOf(op)) {
    std::optional<Walk> walk = walkOf(access, extents, kernel);
    if (!walk)
      continue;
    int64_t vector = std::min(kVectorBytes / elementBytes(access.type().getElementType()), kernel.getOriginVector());
    AffineExpr apart = simplifyAffineExpr(walk->start - linear, kernel.getBlockIds().size(), 0);
    if (vector > 1 && apart.getLargestKnownDivisor() % vector == 0)
      return walk->axis;
  }
  return std::nullopt;
}

int64_t originIn(KernelOp kernel, int64_t block) {
  std::optional<AffineMap> origin = kernel.getOrigin();
  SmallVector<int64_t> blocks(kernel.getBlockIds().size(), block);
  return origin ? evaluateAffine(origin->getResult(0), blocks).value_or(0) : 0;
}

} // namespace tile
