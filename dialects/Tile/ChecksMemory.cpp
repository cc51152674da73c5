// ChecksMemory.cpp - rules of buffers: alloc, reshape, view, slice, copy, fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// alloc
//===----------------------------------------------------------------------===//

/// The pin of a shared tile: the hardware's panels must tile its rows, and the layout must exist for its elements.
static LogicalResult checkSharedPin(Operation *op, MemRefType type, Attribute layout) {
  auto swizzled = dyn_cast<SwizzledAttr>(layout);
  if (!swizzled && !isa<LinearAttr, PaddedAttr, XorAttr>(layout))
    return op->emitOpError()
           << "is pinned to " << layout
           << "; a shared tile takes #tile.linear, #tile.padded, #tile.xor or #tile.swizzled (alloc-C2)";
  if (std::string why; !sharedLayoutOf(type, layout, &why))
    return op->emitOpError() << "is pinned to " << layout << "; there is no such layout: " << why << " (alloc-C5)";
  if (!swizzled)
    return success();
  int64_t rowBytes = type.getRank() ? type.getShape().back() * elementBytes(type.getElementType()) : 0;
  if (type.getRank() == 0 || rowBytes % swizzled.getBytes() != 0)
    return op->emitOpError() << "is pinned to panels of " << swizzled.getBytes() << " bytes, its rows have " << rowBytes
                             << "; rows are whole panels (alloc-C3)";
  return success();
}

template <typename AllocOp> static LogicalResult checkAlloc(AllocOp op, Space space) {
  if (failed(checkInKernel(op)) || failed(checkBuffer(op, op.getResult())))
    return failure();
  auto type = cast<MemRefType>(op.getResult().getType());
  if (spaceOf(type) != space)
    return op.emitOpError() << "makes a " << nameOf(spaceOf(type)) << " buffer; it makes " << nameOf(space)
                            << " ones, of type memref<..., #tile." << nameOf(space) << "> (alloc-C1)";
  if (Attribute layout = op.getLayoutAttr()) {
    if (space == Space::Local)
      return op.emitOpError() << "is pinned to " << layout << "; a private array takes no layout (alloc-C2)";
    if (space == Space::Shared && failed(checkSharedPin(op, type, layout)))
      return failure();
    auto distributed = dyn_cast<DistributedAttr>(layout);
    if (space == Space::Fragment && !distributed)
      return op.emitOpError() << "is pinned to " << layout << "; a fragment takes #tile.distributed (alloc-C2)";
    if (space == Space::Fragment && failed(checkLayout(op, distributed, type.getShape())))
      return failure();
  }
  std::optional<int64_t> align = op.getAlign();
  if (!align)
    return success();
  if (space == Space::Fragment)
    return op.emitOpError() << "is aligned to " << *align << " bytes; registers have no address (alloc-C4)";
  if (*align < 1 || *align > 1024 || !llvm::isPowerOf2_64(*align))
    return op.emitOpError() << "is aligned to " << *align
                            << " bytes; alignments are powers of two up to 1024 (alloc-C4)";
  return success();
}

LogicalResult AllocSharedOp::verify() {
  return checkAlloc(*this, Space::Shared);
}
LogicalResult AllocFragmentOp::verify() {
  return checkAlloc(*this, Space::Fragment);
}
LogicalResult AllocLocalOp::verify() {
  return checkAlloc(*this, Space::Local);
}

//===----------------------------------------------------------------------===//
// reshape, view, slice
//===----------------------------------------------------------------------===//

/// What reshape, view and slice share.
static LogicalResult checkSameStorage(Operation *op, Value source, Value result) {
  if (failed(checkInKernel(op)) || failed(checkBuffer(op, source)) || failed(checkBuffer(op, result)))
    return failure();
  auto from = cast<MemRefType>(source.getType()), to = cast<MemRefType>(result.getType());
  if (spaceOf(from) != spaceOf(to)) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "turns a " << nameOf(spaceOf(from)) << " buffer into a " << nameOf(spaceOf(to))
                              << " one; both name the same storage (storage-C1)";
    noteBuffer(diag, source);
    return diag;
  }
  if (!to.getLayout().isIdentity())
    return op->emitOpError() << "has result layout " << to.getLayout() << "; the result is a plain memref (storage-C2)";
  return success();
}

/// Storage without gaps: neither a strided tensor nor a window.
static LogicalResult checkContiguous(Operation *op, Value source) {
  Value buffer = source;
  // The count ends the walk in text that is not yet known to be free of cycles.
  for (int step = 0; step < 1000; ++step) {
    Operation *origin = buffer.getDefiningOp();
    auto type = dyn_cast<MemRefType>(buffer.getType());
    bool isWindow = isa_and_nonnull<SliceOp>(origin);
    if (isWindow || (type && !type.getLayout().isIdentity())) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "applies to " << (isWindow ? "a slice" : "a strided tensor")
                                << "; only storage without gaps has another shape or element type (storage-C3)";
      noteBuffer(diag, buffer);
      return diag;
    }
    if (!isa_and_nonnull<ReshapeOp, ViewOp>(origin))
      break;
    buffer = origin->getOperand(0);
  }
  return success();
}

static LogicalResult shapeError(Operation *op, Value source, MemRefType to, const Twine &rule) {
  auto from = cast<MemRefType>(source.getType());
  InFlightDiagnostic diag = op->emitOpError() << "turns shape [" << shapeText(from.getShape()) << "] of "
                                              << from.getElementType() << " into shape [" << shapeText(to.getShape())
                                              << "] of " << to.getElementType() << "; " << rule;
  noteBuffer(diag, source);
  return diag;
}

LogicalResult ReshapeOp::verify() {
  if (failed(checkSameStorage(*this, getSource(), getResult())) || failed(checkContiguous(*this, getSource())))
    return failure();
  auto from = cast<MemRefType>(getSource().getType()), to = cast<MemRefType>(getType());
  if (from.getElementType() != to.getElementType())
    return shapeError(*this, getSource(), to, "the element type stays; 'tile.view' changes it (reshape-C1)");
  ArrayRef<int64_t> before = from.getShape(), after = to.getShape();
  // A leading '?' stays as it is; what follows keeps its count.
  if (!before.empty() && !after.empty() && ShapedType::isDynamic(before[0]) && ShapedType::isDynamic(after[0])) {
    before = before.drop_front();
    after = after.drop_front();
  }
  std::optional<int64_t> count = countElements(before);
  if (!count || count != countElements(after))
    return shapeError(*this, getSource(), to,
                      "the number of elements stays, and only a leading '?' may be kept (reshape-C2)");
  return success();
}

/// A view of a tile with gaps between its rows keeps them, and no element of a view is taken apart.
static LogicalResult checkLayoutOfView(ViewOp op) {
  Value root = rootBuffer(op.getSource());
  auto alloc = root.getDefiningOp<AllocSharedOp>();
  auto from = cast<MemRefType>(root.getType()), to = cast<MemRefType>(op.getType());
  std::optional<SharedLayout> layout = alloc ? sharedLayoutOf(from, alloc.getLayoutAttr()) : std::nullopt;
  if (!layout || from.getRank() == 0)
    return success();
  bool hasGaps = from.getRank() > 1 &&
                 layout->rows() * layout->pitchBytes() != from.getNumElements() * elementBytes(from.getElementType());
  if (hasGaps && (from.getRank() != to.getRank() || from.getShape().drop_back() != to.getShape().drop_back()))
    return shapeError(
        op, root, to,
        "rows of a tile with padding or panels keep their place: all extents but the last stay (view-C2)");
  int64_t bytes = elementBytes(to.getElementType());
  auto taken = [&](const Twine &where, int64_t distance) {
    InFlightDiagnostic diag = op.emitOpError() << "looks at elements of " << bytes << " bytes in " << where << distance
                                               << " bytes; elements of a view stay whole (view-C3)";
    noteBuffer(diag, root);
    return diag;
  };
  if (hasGaps && layout->pitchBytes() % bytes != 0)
    return taken("rows at distances of ", layout->pitchBytes());
  for (const XorStep &step : layout->xorSteps())
    if (int64_t unit = int64_t(1) << step.unitLog2; unit < bytes)
      return taken("a tile whose XOR moves pieces of ", unit);
  return success();
}

LogicalResult ViewOp::verify() {
  if (failed(checkSameStorage(*this, getSource(), getResult())) || failed(checkContiguous(*this, getSource())))
    return failure();
  auto from = cast<MemRefType>(getSource().getType()), to = cast<MemRefType>(getType());
  ArrayRef<int64_t> before = from.getShape(), after = to.getShape();
  while (!before.empty() && !after.empty() && ShapedType::isDynamic(before[0]) && ShapedType::isDynamic(after[0])) {
    before = before.drop_front();
    after = after.drop_front();
  }
  std::optional<int64_t> count = countElements(before), newCount = countElements(after);
  if (!count || !newCount ||
      *count * elementBytes(from.getElementType()) != *newCount * elementBytes(to.getElementType()))
    return shapeError(*this, getSource(), to, "the number of bytes stays, and only leading '?' may be kept (view-C1)");
  return checkLayoutOfView(*this);
}

LogicalResult SliceOp::verify() {
  if (failed(checkSameStorage(*this, getSource(), getResult())))
    return failure();
  auto from = cast<MemRefType>(getSource().getType()), to = cast<MemRefType>(getType());
  if (from.getElementType() != to.getElementType())
    return shapeError(*this, getSource(), to, "the element type stays; 'tile.view' changes it (slice-C1)");
  ArrayRef<int64_t> window = to.getShape();
  bool fits = to.hasStaticShape() && window.size() <= from.getShape().size();
  if (fits)
    for (auto [length, extent] : llvm::zip_equal(window, from.getShape().take_back(window.size())))
      fits &= length >= 1 && (ShapedType::isDynamic(extent) || length <= extent);
  if (!fits)
    return shapeError(
        *this, getSource(), to,
        "a window has constant extents of at least 1 that fit the buffer, aligned from the last dimension "
        "(slice-C2)");
  if (failed(checkSubscript(*this, getSource(), getMap(), getStarts(), window, /*mayOverhang=*/false)))
    return failure();
  if (spaceOf(from) == Space::Fragment && !getMap().isConstant())
    return emitOpError(
        "starts at an index known at run time only; a slice of a fragment starts at constants (slice-C3)");
  return success();
}

//===----------------------------------------------------------------------===//
// copy
//===----------------------------------------------------------------------===//

/// A tile that is copied as a whole: it has no bracket. The box of the copy is its shape.
static bool isWhole(MemRefType type, std::optional<AffineMap> map) {
  return !map && spaceOf(type) != Space::Global;
}

/// The box that moves, with its leading unit extents.
static ArrayRef<int64_t> boxOf(CopyOp op) {
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  bool sourceWhole = isWhole(source, op.getSourceMap()), targetWhole = isWhole(target, op.getTargetMap());
  if (sourceWhole != targetWhole)
    return sourceWhole ? source.getShape() : target.getShape();
  if (!target.hasStaticShape())
    return source.getShape();
  if (!source.hasStaticShape())
    return target.getShape();
  return source.getNumElements() <= target.getNumElements() ? source.getShape() : target.getShape();
}

SmallVector<int64_t> CopyOp::getTileShape() {
  return SmallVector<int64_t>(dropLeadingUnits(boxOf(*this)));
}

/// Whether the box may be taken from this side: tiles hold it, global tensors may end before it does.
static bool holdsBox(MemRefType type, std::optional<AffineMap> map, ArrayRef<int64_t> box) {
  ArrayRef<int64_t> shape = type.getShape();
  if (spaceOf(type) == Space::Global)
    return box.size() <= shape.size();
  if (!map)
    return dropLeadingUnits(shape) == box;
  if (box.size() > shape.size())
    return false;
  return llvm::all_of(llvm::zip_equal(box, shape.take_back(box.size())),
                      [](auto pair) { return std::get<0>(pair) <= std::get<1>(pair); });
}

static LogicalResult checkCopyShapes(CopyOp op) {
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  auto mismatch = [&](StringRef rule) {
    InFlightDiagnostic diag = op.emitOpError() << "copies shape [" << shapeText(source.getShape()) << "] into shape ["
                                               << shapeText(target.getShape()) << "]; " << rule;
    noteBuffer(diag, op.getSource());
    noteBuffer(diag, op.getTarget());
    return diag;
  };
  ArrayRef<int64_t> box = dropLeadingUnits(boxOf(op));
  if (llvm::any_of(box, ShapedType::isDynamic))
    return mismatch("one side has constant extents (copy-C1)");
  if (!holdsBox(source, op.getSourceMap(), box) || !holdsBox(target, op.getTargetMap(), box))
    return mismatch("shapes match up to leading extents of 1, or a bracket says where the smaller one lies (copy-C2)");
  return success();
}

static LogicalResult checkCopyElements(CopyOp op) {
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  if (source.getElementType() != target.getElementType() && !op.getCast())
    return op.emitOpError() << "copies elements of type " << source.getElementType() << " into elements of type "
                            << target.getElementType() << "; write 'cast' to convert them (copy-C3)";
  std::optional<TypedAttr> pad = op.getPad();
  if (!pad)
    return success();
  if (spaceOf(source) != Space::Global)
    return op.emitOpError() << "has a pad and a " << nameOf(spaceOf(source))
                            << " source; only reads of global tensors may be out of range (copy-C4)";
  if (pad->getType() != target.getElementType() || !isa<IntegerAttr, FloatAttr>(*pad))
    return op.emitOpError() << "has a pad of type " << pad->getType() << " for elements of type "
                            << target.getElementType() << "; the pad has the target's element type (copy-C5)";
  return success();
}

static LogicalResult checkCopySide(CopyOp op, Value buffer, std::optional<AffineMap> map, ValueRange indices) {
  if (!map && !indices.empty())
    return op.emitOpError() << "has " << indices.size() << " indices without a bracket; indices stand in one (copy-C6)";
  if (!map)
    return success();
  bool isGlobal = spaceOf(cast<MemRefType>(buffer.getType())) == Space::Global;
  return checkSubscript(op, buffer, *map, indices, dropLeadingUnits(boxOf(op)), /*mayOverhang=*/isGlobal);
}

LogicalResult CopyOp::verify() {
  if (failed(checkInKernel(*this)) || failed(checkBuffer(*this, getSource())) ||
      failed(checkBuffer(*this, getTarget())))
    return failure();
  if (spaceOf(getSourceType()) == Space::Local && spaceOf(getTargetType()) == Space::Fragment) {
    InFlightDiagnostic diag = emitOpError("copies a private array into a fragment; each thread has its own values, "
                                          "an element of a fragment has one (copy-C7)");
    noteBuffer(diag, getSource());
    return diag;
  }
  if (failed(checkCopyShapes(*this)) || failed(checkCopyElements(*this)) ||
      failed(checkCopySide(*this, getSource(), getSourceMap(), getSourceIndices())) ||
      failed(checkCopySide(*this, getTarget(), getTargetMap(), getTargetIndices())))
    return failure();
  return checkLayout(*this, getLayout(), boxOf(*this));
}

//===----------------------------------------------------------------------===//
// fill
//===----------------------------------------------------------------------===//

LogicalResult FillOp::verify() {
  if (failed(checkInKernel(*this)) || failed(checkBuffer(*this, getTarget())))
    return failure();
  Type element = getTargetType().getElementType();
  if (static_cast<bool>(getScalar()) == getValue().has_value())
    return emitOpError() << "has " << (getScalar() ? 2 : 0)
                         << " values; a fill has one, a number or a scalar (fill-C1)";
  Type found = getScalar() ? getScalar().getType() : getValue()->getType();
  bool isNumber = getScalar() || isa<IntegerAttr, FloatAttr>(*getValue());
  if (found != element || !isNumber) {
    InFlightDiagnostic diag = emitOpError() << "fills elements of type " << element << " with a value of type " << found
                                            << "; the types are equal (fill-C2)";
    noteBuffer(diag, getTarget());
    return diag;
  }
  return checkLayout(*this, getLayout(), getTargetType().getShape());
}
