// LowerTilesStorage.cpp - where elements lie, and whether they exist: one address routine, fed by strides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"

#include "dialects/Tile/LayoutParts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

static SmallVector<AffineExpr> identityExprs(int64_t rank, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < rank; ++dim)
    exprs.push_back(getAffineDimExpr(dim, context));
  return exprs;
}

/// Row-major strides of static extents.
static SmallVector<int64_t> rowMajor(ArrayRef<int64_t> extents) {
  SmallVector<int64_t> strides(extents.size());
  int64_t stride = 1;
  for (size_t dim = extents.size(); dim-- > 0; stride *= extents[dim])
    strides[dim] = stride;
  return strides;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

void KernelLowering::bindTensor(BlockArgument argument, Attribute shape, int number, Value pointer) {
  auto type = cast<MemRefType>(argument.getType());
  MLIRContext *context = builder.getContext();
  mlir::Location loc = plain(argument.getLoc());
  TileStorage storage;
  storage.element = type.getElementType();
  storage.buffer = pointer;
  storage.argument = number;
  storage.alignBytes = variant.isAligned ? 16 : elementBytes(storage.element);
  storage.toRoot = identityExprs(type.getRank(), context);
  auto bracket = dyn_cast<AffineMapAttr>(shape);
  SmallVector<OpFoldResult> symbols;
  for (BlockArgument symbol : source.getSymbols())
    symbols.push_back(mapping.lookup<Value>(symbol));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    OpFoldResult extent = builder.getIndexAttr(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      extent = affine::makeComposedFoldedAffineApply(
          builder, loc, AffineMap::get(symbols.size(), 0, bracket.getValue().getResult(dim)), symbols);
    storage.extents.push_back(extent);
    storage.limits.push_back({getAffineDimExpr(dim, context), extent});
  }

  // Strides: written ones, parameters where they are dynamic, else products of extents.
  SmallVector<int64_t> written;
  int64_t offset;
  bool isStrided = isa<StridedLayoutAttr>(type.getLayout());
  (void)type.getStridesAndOffset(written, offset);
  storage.strides.resize(type.getRank());
  OpFoldResult product = builder.getIndexAttr(1);
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    OpFoldResult stride = product;
    if (isStrided && !ShapedType::isDynamic(written[dim])) {
      stride = builder.getIndexAttr(written[dim]);
    } else if (isStrided) {
      for (auto [value, parameter] : llvm::zip(kernel.getParameterValues(), kernel.getParameters())) {
        auto which = cast<simt::ParameterAttr>(parameter);
        if (which.getKind() == simt::ParameterKind::Stride && which.getNumber() == number && which.getDim() == dim)
          stride = value;
      }
    }
    storage.strides[dim] = stride;
    if (isStrided)
      continue;
    std::optional<int64_t> left = getConstantIntValue(product), right = getConstantIntValue(storage.extents[dim]);
    if (left && right)
      product = builder.getIndexAttr(*left * *right);
    else if (left && *left == 1)
      product = storage.extents[dim];
    else
      product = arith::MulIOp::create(builder, loc, materialize(loc, product), materialize(loc, storage.extents[dim]))
                    .getResult();
  }
  // In the aligned variant the launch has checked that every row begins at a multiple of 16 bytes.
  if (variant.isAligned)
    for (OpFoldResult &stride : storage.strides)
      if (auto value = dyn_cast<Value>(stride)) {
        int64_t multiple = std::max<int64_t>(16 / elementBytes(storage.element), 1);
        facts.setDivisor(value, std::max(facts.divisor(value), multiple));
        assumed.insert(simt::RequirementAttr::get(context, simt::RequirementKind::StrideMultiple, number,
                                                  &stride - storage.strides.begin(), 16));
      }
  storages.insert({argument, std::move(storage)});
}

void KernelLowering::allocate(Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  MLIRContext *context = builder.getContext();
  TileStorage storage;
  storage.space = spaceOf(type);
  storage.element = type.getElementType();
  storage.toRoot = identityExprs(type.getRank(), context);
  storage.extents = getAsIndexOpFoldResult(context, type.getShape());
  int64_t bytes = elementBytes(storage.element), count = type.getNumElements();
  SmallVector<int64_t> strides = rowMajor(type.getShape());
  int64_t align = 16;
  auto buffer = [&](int64_t elements, Attribute space) {
    return MemRefType::get(elements, storage.element, MemRefLayoutAttrInterface(), space);
  };
  switch (storage.space) {
  case Space::Shared: {
    std::optional<SharedLayout> layout = sharedLayoutOf(type, op->getAttr("layout"));
    assert(layout && "the verifier accepts only layouts that exist");
    // Panels: the column inside the panel, then the row, then the panel.
    if (layout->panelBytes() && type.getRank() > 0 && layout->panelBytes() < type.getShape().back() * bytes) {
      int64_t panel = layout->panelBytes() / bytes, last = type.getRank() - 1;
      AffineExpr column = storage.toRoot[last];
      storage.toRoot[last] = column % panel;
      storage.toRoot.push_back(column.floorDiv(panel));
      strides.push_back(layout->rows() * panel);
      for (int64_t dim = 0, stride = panel; dim < last; ++dim) {
        int64_t at = last - 1 - dim;
        strides[at] = stride;
        stride *= type.getDimSize(at);
      }
      strides[last] = 1;
    } else if (type.getRank() > 0) {
      int64_t stride = layout->pitchBytes() / bytes;
      for (int64_t dim = type.getRank() - 1; dim-- > 0; stride *= type.getDimSize(dim))
        strides[dim] = stride;
    }
    int64_t unit = llvm::Log2_64(bytes);
    for (XorStep step : layout->xorSteps())
      storage.swizzle.push_back(
          {static_cast<int>(step.shift - unit), step.mask, static_cast<int>(step.unitLog2 - unit)});
    storage.chunk = storage.swizzle.empty() ? 0 : int64_t(1) << storage.swizzle.front().unitLog2;
    storage.isDense = type.getRank() < 2 || layout->rows() * layout->pitchBytes() == type.getNumElements() * bytes;
    count = llvm::divideCeil(layout->sizeInBytes(), bytes);
    align = std::max<int64_t>({16, layout->alignment(), 1});
    if (auto pinned = op->getAttrOfType<IntegerAttr>("align"))
      align = std::max(align, pinned.getInt());
    storage.buffer = simt::SharedOp::create(builder, op->getLoc(), buffer(count, simt::SharedAttr::get(context)),
                                            IntegerAttr(), builder.getI64IntegerAttr(align));
    break;
  }
  case Space::Fragment:
    storage.layout = layoutOf(op->getAttrOfType<DistributedAttr>("layout"));
    storage.buffer = simt::RegistersOp::create(
        builder, op->getLoc(), buffer(storage.layout->numRegisters(), simt::RegisterAttr::get(context)));
    break;
  default:
    storage.buffer = simt::LocalOp::create(builder, op->getLoc(), buffer(count, simt::LocalAttr::get(context)));
  }
  storage.alignBytes = align;
  storage.strides = getAsIndexOpFoldResult(context, strides);
  storages.insert({op->getResult(0), std::move(storage)});
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// `expr`, over `rank` dims and then operands, with its dims replaced and its operands renumbered behind `newRank`.
static AffineExpr replaceView(AffineExpr expr, int64_t rank, ArrayRef<AffineExpr> dims, int64_t numOperands,
                              int64_t firstOperand) {
  SmallVector<AffineExpr> replacements(dims.begin(), dims.begin() + rank);
  for (int64_t i = 0; i < numOperands; ++i)
    replacements.push_back(getAffineDimExpr(firstOperand + i, expr.getContext()));
  return expr.replaceDims(replacements);
}

/// A stride of `oldBytes` elements in elements of `newBytes`.
OpFoldResult KernelLowering::rescaled(mlir::Location loc, OpFoldResult stride, int64_t oldBytes, int64_t newBytes) {
  if (std::optional<int64_t> known = getConstantIntValue(stride))
    return builder.getIndexAttr(*known * oldBytes / newBytes);
  AffineExpr elements = builder.getAffineDimExpr(0);
  elements = oldBytes >= newBytes ? elements * (oldBytes / newBytes) : elements.floorDiv(newBytes / oldBytes);
  return apply(loc, elements, {stride});
}

/// The same bytes as elements of another type. The storage is that of a tensor or tile, or of a view of one: reshaping
/// in between changes nothing, as bytes keep their order. Where rows have gaps, the view has the root's rows (view-C2).
void KernelLowering::bindRetyped(ViewOp op) {
  mlir::Location loc = plain(op.getLoc());
  auto from = cast<MemRefType>(op.getSource().getType()), to = cast<MemRefType>(op.getType());
  const TileStorage &base = storageOf(op.getSource());
  auto root = cast<MemRefType>(rootOf(op.getSource()).getType());
  MLIRContext *context = builder.getContext();
  int64_t oldBytes = elementBytes(from.getElementType()), newBytes = elementBytes(to.getElementType());
  bool hasPanels = !base.isDense && base.strides.size() > size_t(root.getRank());

  TileStorage view = base;
  view.element = to.getElementType();
  view.toRoot = identityExprs(to.getRank(), context);
  view.operands.clear();
  view.limits.clear();
  view.extents.assign(to.getRank(), OpFoldResult());
  view.strides.assign(to.getRank(), OpFoldResult());
  int64_t product = 1;
  for (int64_t dim = to.getRank(); dim-- > 0;) {
    // Leading sizes known at launch only are kept, and so are the distances between rows of a tile with gaps.
    bool followsBase = dim + 1 < to.getRank() && (to.isDynamicDim(dim + 1) || !base.isDense);
    view.strides[dim] = followsBase ? rescaled(loc, base.strides[dim], oldBytes, newBytes)
                                    : OpFoldResult(builder.getIndexAttr(product));
    view.extents[dim] =
        to.isDynamicDim(dim) ? base.extents[dim] : OpFoldResult(builder.getIndexAttr(to.getDimSize(dim)));
    product *= to.isDynamicDim(dim) ? 1 : to.getDimSize(dim);
  }
  if (view.space == Space::Global)
    for (auto [dim, extent] : llvm::enumerate(view.extents))
      view.limits.push_back({getAffineDimExpr(dim, context), extent});
  if (hasPanels) {
    // A panel keeps its bytes: the column splits at as many of the new elements.
    int64_t last = to.getRank() - 1, rows = to.getNumElements() / to.getShape().back();
    OpFoldResult panelStride = rescaled(loc, base.strides.back(), oldBytes, newBytes);
    int64_t panel = *getConstantIntValue(panelStride) / rows;
    AffineExpr column = view.toRoot[last];
    view.toRoot[last] = column % panel;
    view.toRoot.push_back(column.floorDiv(panel));
    view.strides.push_back(panelStride);
  }
  int shift = static_cast<int>(llvm::Log2_64(oldBytes)) - static_cast<int>(llvm::Log2_64(newBytes));
  for (XorStep &step : view.swizzle) {
    step.shift += shift;
    step.unitLog2 += shift;
  }
  view.chunk = base.chunk * oldBytes / newBytes;
  auto flat = cast<MemRefType>(base.buffer.getType());
  int64_t count =
      flat.hasStaticShape() ? llvm::divideCeil(flat.getDimSize(0) * oldBytes, newBytes) : ShapedType::kDynamic;
  view.buffer = simt::ViewOp::create(
      builder, op.getLoc(), MemRefType::get(count, view.element, MemRefLayoutAttrInterface(), flat.getMemorySpace()),
      base.buffer, builder.getI64IntegerAttr(0));
  storages.insert({op.getResult(), std::move(view)});
}

LogicalResult KernelLowering::bindView(Operation *op) {
  auto from = cast<MemRefType>(op->getOperand(0).getType()), to = cast<MemRefType>(op->getResult(0).getType());
  MLIRContext *context = builder.getContext();
  if (spaceOf(from) == Space::Fragment)
    return success(); // uses go through TileAccess
  if (auto retyped = dyn_cast<ViewOp>(op))
    return bindRetyped(retyped), success();
  const TileStorage &base = storageOf(op->getOperand(0));
  TileStorage view = base;
  view.extents = getAsIndexOpFoldResult(context, to.getShape());
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (to.isDynamicDim(dim))
      view.extents[dim] = base.extents[dim]; // leading sizes known at launch only are kept

  SmallVector<AffineExpr> dims; // coordinates of the base over those of the view, then new operands
  if (isa<ReshapeOp>(op)) {
    dims = reshapedCoordinates(identityExprs(to.getRank(), context), to.getShape(), from.getShape(), context);
  } else {
    auto slice = cast<SliceOp>(op);
    size_t skipped = from.getRank() - to.getRank(), firstStart = to.getRank() + base.operands.size();
    for (auto [dim, start] : llvm::enumerate(slice.getMap().getResults())) {
      AffineExpr index = start.shiftDims(slice.getMap().getNumDims(), firstStart);
      if (dim >= skipped)
        index = index + getAffineDimExpr(dim - skipped, context);
      dims.push_back(index);
    }
    for (Value start : slice.getStarts())
      view.operands.push_back(mapping.lookupOrDefault(start));
  }
  int64_t rank = from.getRank(), numOperands = base.operands.size();
  for (AffineExpr &expr : view.toRoot)
    expr = replaceView(expr, rank, dims, numOperands, to.getRank());
  for (auto *limits : {&view.limits, &view.windows})
    for (IndexLimit &limit : *limits)
      limit.coordinate = replaceView(limit.coordinate, rank, dims, numOperands, to.getRank());
  if (isa<SliceOp>(op) && view.space != Space::Global)
    for (auto [coordinate, extent] : llvm::zip_equal(dims, base.extents))
      view.windows.push_back({coordinate, extent});
  if (isa<SliceOp>(op) && view.space == Space::Global)
    for (auto [dim, extent] : llvm::enumerate(view.extents))
      view.limits.push_back({getAffineDimExpr(dim, context), extent});
  storages.insert({op->getResult(0), std::move(view)});
  return success();
}

//===----------------------------------------------------------------------===//
// Addresses and conditions
//===----------------------------------------------------------------------===//

tile::ElementPlace KernelLowering::locate(const TileStorage &storage, const ViewCoordinates &view) const {
  ElementPlace location;
  location.storage = &storage;
  location.operands = view.operands;
  location.view = view.exprs;
  int64_t first = location.operands.size(), rank = view.exprs.size(), numOperands = storage.operands.size();
  llvm::append_range(location.operands, storage.operands);
  for (AffineExpr expr : storage.toRoot)
    location.coordinates.push_back(replaceView(expr, rank, view.exprs, numOperands, first));
  for (auto [from, to] : {std::pair(&storage.limits, &location.limits), {&storage.windows, &location.windows}})
    for (const IndexLimit &limit : *from)
      to->push_back({replaceView(limit.coordinate, rank, view.exprs, numOperands, first), limit.extent});
  return location;
}

Value KernelLowering::offsetOf(mlir::Location loc, const ElementPlace &location) {
  const TileStorage &storage = *location.storage;
  AffineExpr fixed = getAffineConstantExpr(0, builder.getContext());
  Value sum;
  for (auto [coordinate, stride] : llvm::zip_equal(location.coordinates, storage.strides)) {
    if (std::optional<int64_t> constant = getConstantIntValue(stride)) {
      fixed = fixed + coordinate * *constant;
      continue;
    }
    Value index = apply(loc, coordinate, location.operands);
    Value part = arith::MulIOp::create(builder, loc, index, cast<Value>(stride));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, part).getResult() : part;
  }
  if (!storage.swizzle.empty())
    return swizzledOffset(loc, storage, fixed, location.operands);
  Value offset = apply(loc, fixed, location.operands);
  if (sum)
    offset = arith::AddIOp::create(builder, loc, sum, offset);
  return offset;
}

/// The value over `leaves`, with index arithmetic taken apart.
AffineExpr KernelLowering::takenApart(OpFoldResult value, SmallVectorImpl<OpFoldResult> &leaves) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, builder.getContext());
  if (auto apply = cast<Value>(value).getDefiningOp<affine::AffineApplyOp>()) {
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(takenApart(operand, leaves));
    AffineMap map = apply.getAffineMap();
    ArrayRef<AffineExpr> all = operands;
    return map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  }
  const auto *known = llvm::find(leaves, value);
  size_t number = known - leaves.begin();
  if (known == leaves.end())
    leaves.push_back(value);
  return getAffineDimExpr(number, builder.getContext());
}

/// What the steps of a strided walk stay below, over `leaves`: in `for r in ((M - b) ceildiv 8)`, 8 * r is less than M
/// - b.
std::optional<std::pair<int64_t, AffineExpr>> KernelLowering::walkOf(scf::ForOp loop,
                                                                     SmallVectorImpl<OpFoldResult> &leaves) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1)
    return std::nullopt;
  auto bound = dyn_cast<AffineBinaryOpExpr>(takenApart(loop.getUpperBound(), leaves));
  auto step = bound ? dyn_cast<AffineConstantExpr>(bound.getRHS()) : AffineConstantExpr();
  if (!step || step.getValue() <= 0)
    return std::nullopt;
  if (bound.getKind() == AffineExprKind::CeilDiv)
    return std::pair(step.getValue(), bound.getLHS());
  if (bound.getKind() == AffineExprKind::FloorDiv)
    return std::pair(step.getValue(), bound.getLHS() - (step.getValue() - 1));
  return std::nullopt;
}

/// An index that is the step of a strided walk times its variable, plus something: below what the walk was cut from.
bool KernelLowering::isBelowByStride(AffineExpr expr, ArrayRef<OpFoldResult> operands, OpFoldResult extent,
                                     int64_t reach) {
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto iv = dyn_cast_or_null<BlockArgument>(dyn_cast<Value>(operand));
    auto loop = iv ? dyn_cast_or_null<scf::ForOp>(iv.getOwner()->getParentOp()) : scf::ForOp();
    if (!loop || loop.getInductionVar() != iv || !expr.isFunctionOfDim(number))
      continue;
    SmallVector<OpFoldResult> leaves;
    SmallVector<AffineExpr> apart;
    for (OpFoldResult value : operands)
      apart.push_back(takenApart(value, leaves));
    auto walk = walkOf(loop, leaves);
    if (!walk)
      continue;
    AffineExpr rest = expr.replaceDims(apart) - apart[number] * walk->first;
    AffineExpr spare = takenApart(extent, leaves) - walk->second - rest - reach;
    auto constant = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(spare, leaves.size(), 0));
    if (constant && constant.getValue() >= 0)
      return true;
  }
  return false;
}

bool KernelLowering::isProvenBelow(AffineExpr expr, ArrayRef<OpFoldResult> operands, OpFoldResult extent,
                                   int64_t reach) {
  IndexBounds range = facts.range(expr, operands), end = facts.range(extent);
  // The first of a vector is a multiple of something: it stays further from the end than any element might.
  if (int64_t divisor = facts.divisor(expr, operands); divisor > 1 && range.high && *range.high >= 0)
    range.high = *range.high - *range.high % divisor;
  int64_t last;
  if (range.high && end.low && !llvm::AddOverflow(*range.high, reach, last) && last < *end.low)
    return true;
  // A block index stays below its grid extent, the variable of a loop below its bound; both also plus a constant 0.
  SmallVector<AffineExpr> known;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    std::optional<int64_t> constant = getConstantIntValue(operand);
    known.push_back(constant ? getAffineConstantExpr(*constant, builder.getContext())
                             : getAffineDimExpr(number, builder.getContext()));
  }
  if (isBelowByStride(expr, operands, extent, reach))
    return true;
  auto dim = dyn_cast<AffineDimExpr>(expr.replaceDims(known));
  auto value = dim && reach == 0 ? dyn_cast<Value>(operands[dim.getPosition()]) : Value();
  if (!value)
    return false;
  for (const auto &[index, bound] : provenBelow)
    if (index == value && bound == extent)
      return true;
  auto iv = dyn_cast<BlockArgument>(value);
  auto loop = iv ? dyn_cast_or_null<scf::ForOp>(iv.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == iv && extent == OpFoldResult(loop.getUpperBound());
}

/// first >= 0 (if to be checked) and first + reach < extent.
Value KernelLowering::inRange(mlir::Location loc, OpFoldResult first, int64_t reach, OpFoldResult extent,
                              bool checkLow) {
  Value condition;
  Value index = materialize(loc, first);
  if (checkLow)
    condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index, constant(loc, 0));
  Value last = reach ? apply(loc, getAffineDimExpr(0, builder.getContext()) + reach, {first}) : index;
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, last, materialize(loc, extent));
  return both(loc, condition, below);
}

/// All limits of the location, for `width` elements along operand `lane` (-1: a single element). Null if all are
/// proven.
Value KernelLowering::conditionOf(mlir::Location loc, const ElementPlace &location, int64_t lane, int64_t width) {
  return limitsHold(loc, location.limits, location.operands, lane, width);
}

SmallVector<IndexLimit> tile::distinctLimits(ArrayRef<IndexLimit> limits) {
  SmallVector<IndexLimit> distinct;
  for (const IndexLimit &limit : limits)
    if (llvm::none_of(distinct, [&](const IndexLimit &before) {
          return before.coordinate == limit.coordinate && before.extent == limit.extent;
        }))
      distinct.push_back(limit);
  return distinct;
}

Value KernelLowering::limitsHold(mlir::Location loc, ArrayRef<IndexLimit> limits, ArrayRef<OpFoldResult> operands,
                                 int64_t lane, int64_t width) {
  Value condition;
  for (const IndexLimit &limit : distinctLimits(limits)) {
    int64_t stride = 0;
    if (lane >= 0 && width > 1)
      stride = facts.stride(limit.coordinate, operands, lane, width).value_or(0);
    int64_t reach = stride * (width - 1);
    IndexBounds range = facts.range(limit.coordinate, operands);
    bool checkLow = !range.isAtLeast(0);
    bool checkHigh = !isProvenBelow(limit.coordinate, operands, limit.extent, reach);
    if (!checkLow && !checkHigh)
      continue;
    Value index = apply(loc, limit.coordinate, operands);
    condition = both(loc, condition, inRange(loc, index, reach, limit.extent, checkLow));
  }
  return condition;
}

bool KernelLowering::isAllOrNothing(const ElementPlace &location, int64_t lane, int64_t width) {
  return llvm::all_of(location.limits, [&](const IndexLimit &limit) {
    if (facts.stride(limit.coordinate, location.operands, lane, width) == 0)
      return true;
    return facts.divisor(limit.coordinate, location.operands) % width == 0 && facts.divisor(limit.extent) % width == 0;
  });
}

void KernelLowering::usedVector(const TileStorage &storage, int64_t width) {
  if (storage.argument < 0)
    return;
  usesAssumed = true;
  requirements.insert(simt::RequirementAttr::get(builder.getContext(), simt::RequirementKind::PointerMultiple,
                                                 storage.argument, 0, width * elementBytes(storage.element)));
}
