// WidthHint.cpp - where a hint applies, whether it can hold, and the layouts that keep it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/WidthHint.h"

#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"
#include "tile/Analysis/IndexFacts.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Analysis/OpCost.h"
#include "tile/Layout/DefaultLayout.h"

#include "mlir/IR/Block.h"

#include <numeric>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Where a vector lies
//===----------------------------------------------------------------------===//

namespace {
/// A vector of points: `width` neighbours along one axis that begin at a multiple of it, anywhere in the box.
class PointVector {
public:
  PointVector(Operation *op, size_t rank, int axis, int64_t width);

  /// A number of elements that divides the place in memory of the vector's beginning, whatever the sizes; 0 if its
  /// points are no neighbours in memory.
  int64_t alignment(const TileAccess &access);

private:
  struct Window {
    SmallVector<AffineExpr> coordinate;
    SmallVector<OpFoldResult> operands;
    Value storage; ///< behind all slices
  };
  Window windowOf(const TileAccess &access);

  size_t rank;
  int axis;
  int64_t width;
  Block scratch; ///< stands for the points and the number within the vector, the last
  IndexFacts facts;
};
} // namespace

/// What `where` says of divisors.
static void assumeDivisors(KernelOp kernel, IndexFacts &facts) {
  std::optional<AffineMap> where = kernel.getWhereMap();
  if (!where)
    return;
  SmallVector<Value> launchValues = kernel.getLaunchValues();
  for (auto [number, comparison] : llvm::enumerate(kernel.getComparisons())) {
    auto mod = dyn_cast<AffineBinaryOpExpr>(where->getResult(2 * number));
    auto zero = dyn_cast<AffineConstantExpr>(where->getResult(2 * number + 1));
    if (!mod || mod.getKind() != AffineExprKind::Mod || comparison != Comparison::Eq || !zero || zero.getValue() != 0)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(mod.getLHS());
    auto modulus = dyn_cast<AffineConstantExpr>(mod.getRHS());
    if (!dim || !modulus)
      continue;
    Value value = launchValues[dim.getPosition()];
    facts.setDivisor(value, std::lcm(facts.divisor(value), modulus.getValue()));
  }
}

PointVector::PointVector(Operation *op, size_t rank, int axis, int64_t width) : rank(rank), axis(axis), width(width) {
  Type index = IndexType::get(op->getContext());
  for (size_t i = 0; i <= rank; ++i)
    scratch.addArgument(index, op->getLoc());
  facts.setDivisor(scratch.getArgument(axis), width);
  // At the beginning of the vector, which everything divides.
  facts.setDivisor(scratch.getArgument(rank), 0);
  if (auto kernel = op->getParentOfType<KernelOp>())
    assumeDivisors(kernel, facts);
}

PointVector::Window PointVector::windowOf(const TileAccess &access) {
  Window window{{}, {}, access.buffer};
  MLIRContext *context = access.map.getContext();
  for (BlockArgument argument : scratch.getArguments())
    window.operands.push_back(Value(argument));
  SmallVector<AffineExpr> replacements;
  for (size_t i = 0; i < rank; ++i)
    replacements.push_back(getAffineDimExpr(i, context));
  replacements[axis] = replacements[axis] + getAffineDimExpr(rank, context);
  for (Value operand : access.operands) {
    replacements.push_back(getAffineDimExpr(window.operands.size(), context));
    window.operands.push_back(operand);
  }
  for (AffineExpr expr : access.map.getResults())
    window.coordinate.push_back(expr.replaceDims(replacements));
  while (auto slice = window.storage.getDefiningOp<SliceOp>()) {
    size_t skipped = slice.getMap().getNumResults() - window.coordinate.size();
    SmallVector<AffineExpr> shifted;
    for (auto [dim, start] : llvm::enumerate(slice.getMap().getResults())) {
      AffineExpr moved = start.shiftDims(slice.getMap().getNumDims(), window.operands.size());
      shifted.push_back(dim < skipped ? moved : window.coordinate[dim - skipped] + moved);
    }
    llvm::append_range(window.operands, slice.getStarts());
    window.coordinate = shifted;
    window.storage = slice.getSource();
  }
  return window;
}

namespace {
/// How the elements of a buffer that is no slice lie in memory.
struct Placement {
  SmallVector<int64_t> strides; ///< kDynamic where known at run time only
  int64_t piece;                ///< elements that stay together, and begin at a multiple of themselves
};
} // namespace

static Placement placementOf(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Placement placement{{}, kVectorBytes / elementBytes(type.getElementType())};
  int64_t offset = 0, padding = 0;
  (void)type.getStridesAndOffset(placement.strides, offset);
  auto alloc = rootOf(buffer).getDefiningOp<AllocSharedOp>();
  if (!alloc || !alloc.getLayoutAttr())
    return placement;
  if (auto exchanged = dyn_cast<XorAttr>(alloc.getLayoutAttr())) {
    placement.piece = std::min(placement.piece, exchanged.getUnit() / elementBytes(type.getElementType()));
    padding = exchanged.getPadding();
  } else if (auto padded = dyn_cast<PaddedAttr>(alloc.getLayoutAttr())) {
    padding = padded.getElements();
  }
  if (padding != 0 && buffer != alloc.getResult())
    placement.piece = 1; // rows of another shape, with gaps inside
  // All rows move apart by the padding of the last dimension.
  for (size_t dim = 0; dim + 1 < placement.strides.size(); ++dim)
    placement.strides[dim] += placement.strides[dim] / type.getShape().back() * padding;
  return placement;
}

int64_t PointVector::alignment(const TileAccess &access) {
  Window window = windowOf(access);
  Placement placement = placementOf(window.storage);
  int64_t step = 0, divisor = 0;
  for (auto [coordinate, stride] : llvm::zip_equal(window.coordinate, placement.strides)) {
    std::optional<int64_t> moves = facts.stride(coordinate, window.operands, rank, width);
    bool isDynamic = ShapedType::isDynamic(stride);
    if (!moves || (*moves != 0 && isDynamic))
      return 0;
    step += isDynamic ? 0 : *moves * stride;
    // The launch checks that rows begin at whole vectors; what it finds otherwise runs another body.
    int64_t multiple = isDynamic ? kVectorBytes / elementBytes(access.type().getElementType()) : stride;
    divisor = std::gcd(divisor, facts.divisor(coordinate, window.operands) * multiple);
  }
  if (step != 1)
    return 0;
  return std::gcd(divisor, std::max<int64_t>(placement.piece, 1));
}

//===----------------------------------------------------------------------===//
// The hint
//===----------------------------------------------------------------------===//

/// Loads and stores of memory; atomics move one element each.
static SmallVector<TileAccess> movesOf(Operation *op) {
  SmallVector<TileAccess> accesses = accessesOf(op);
  llvm::erase_if(accesses, [](const TileAccess &access) {
    Space space = spaceOf(access.type());
    return isa<AtomicOp>(access.op) || (space != Space::Global && space != Space::Shared);
  });
  return accesses;
}

std::optional<WidthHint> tile::widthHintOf(Operation *op) {
  auto width = op->getAttrOfType<IntegerAttr>("width");
  if (!width)
    return std::nullopt;
  SmallVector<TileAccess> moves = movesOf(op);
  size_t rank = pointExtents(op).size();
  std::optional<WidthHint> hint;
  int64_t most = 0;
  for (size_t axis = rank; axis-- > 0;) {
    PointVector vector(op, rank, static_cast<int>(axis), width.getInt());
    int64_t bytes = 0;
    for (const TileAccess &access : moves)
      if (vector.alignment(access) != 0)
        bytes += elementBytes(access.type().getElementType()) * (spaceOf(access.type()) == Space::Global ? 16 : 1);
    if (bytes > most)
      hint = WidthHint{static_cast<int>(axis), width.getInt()};
    most = std::max(most, bytes);
  }
  return hint;
}

bool tile::keepsWidth(Operation *op, const Layout &layout) {
  std::optional<WidthHint> hint = widthHintOf(op);
  if (!hint || hint->elements == 1)
    return true;
  // Vectors counted from an origin begin where that does, not where the op's are proven to begin.
  if (layout.origins()[hint->axis] != 0)
    return false;
  VectorLane lane = chooseVectorLane(layout, accessesOf(op));
  return lane.axis == hint->axis && lane.count == hint->elements;
}

std::vector<Layout> tile::layoutsOfWidth(const Extents &extents, WidthHint hint, int64_t elementBytes,
                                         int64_t threads) {
  Extents vectors = extents;
  vectors[hint.axis] = (vectors[hint.axis] + hint.elements - 1) / hint.elements;
  int64_t bytes = elementBytes * hint.elements;
  std::vector<Layout> found;
  if (std::optional<Layout> layout = defaultLayout(vectors, bytes, hint.axis, threads, 1))
    found.push_back(*layout);
  for (Layout &layout : candidateLayouts(vectors, bytes, hint.axis, threads, 1))
    found.push_back(std::move(layout));
  std::vector<Layout> layouts;
  for (const Layout &layout : found) {
    // Each position of these becomes `elements` of them, in neighbouring registers.
    LayoutParts parts = layout.description();
    parts.extents = extents;
    for (Digit &digit : parts.digits) {
      digit.weight *= digit.axis == hint.axis ? hint.elements : 1;
      digit.stride *= digit.owner == Owner::Register ? hint.elements : 1;
    }
    if (hint.elements > 1)
      parts.digits.push_back({hint.axis, 1, hint.elements, Owner::Register, 1});
    if (std::optional<Layout> wide = Layout::get(std::move(parts)))
      layouts.push_back(std::move(*wide));
  }
  return layouts;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static LogicalResult checkPin(Operation *op, WidthHint hint) {
  auto pin = op->getAttrOfType<DistributedAttr>("layout");
  if (!pin)
    return success();
  Layout layout = fitLayout(layoutOf(pin), pointExtents(op));
  return checkWidthKept(op, layout);
}

static LogicalResult checkHint(Operation *op) {
  int64_t width = op->getAttrOfType<IntegerAttr>("width").getInt();
  std::optional<WidthHint> hint = widthHintOf(op);
  if (!hint && width == 1)
    return success();
  if (!hint)
    return op->emitOpError() << "has width(" << width
                             << "), and nothing that it moves is contiguous in memory along an "
                             << "axis of its own; only neighbours move at once (width-C3)";
  int64_t extent = pointExtents(op)[hint->axis];
  if (!ShapedType::isDynamic(extent) && extent < width)
    return op->emitOpError() << "has width(" << width << ") along axis " << hint->axis << ", which has " << extent
                             << " elements; at most all of them move at once (width-C3)";
  PointVector vector(op, pointExtents(op).size(), hint->axis, width);
  for (const TileAccess &access : movesOf(op)) {
    int64_t alignment = vector.alignment(access);
    if (alignment == 0 || alignment % width == 0)
      continue;
    InFlightDiagnostic diag = op->emitOpError()
                              << "has width(" << width << ") along axis " << hint->axis << ", and what is proven of '"
                              << nameOf(access.buffer) << "' is that its vectors begin at multiples of " << alignment
                              << "; they begin at multiples of the width (width-C4)";
    noteBuffer(diag, access.buffer);
    return diag;
  }
  return checkPin(op, *hint);
}

LogicalResult tile::checkWidthHints(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    bool hasHint = isa<ParallelOp, CopyOp>(op) && op->hasAttr("width");
    return hasHint && failed(checkHint(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult tile::checkWidthKept(Operation *op, const Layout &layout) {
  std::optional<WidthHint> hint = widthHintOf(op);
  if (!hint || keepsWidth(op, layout))
    return success();
  std::string digit = "none";
  for (const Digit &one : llvm::reverse(layout.axisDigits(hint->axis)))
    if (one.radix > 1)
      digit = digitText(one.radix, static_cast<int64_t>(one.owner), one.stride);
  return op->emitOpError() << "has width(" << hint->elements << ") along axis " << hint->axis << " and the layout "
                           << layout.toString() << ", whose lowest digit there is '" << digit
                           << "'; it is of registers and a multiple of the width (width-C5)";
}
