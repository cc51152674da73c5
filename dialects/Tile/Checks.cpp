// Checks.cpp - rules of buffers and index expressions, shared by all operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"

#include "dialects/Tile/Ranges.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

int64_t tile::elementBytes(Type type) {
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return 1;
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return type.getIntOrFloatBitWidth() / 8;
  if (!type.isSignlessInteger())
    return 0;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
  case 8:
    return 1;
  case 16:
    return 2;
  case 32:
    return 4;
  case 64:
    return 8;
  default:
    return 0;
  }
}

int64_t tile::tileBytes(MemRefType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

bool tile::isElementType(Type type) {
  return elementBytes(type) != 0;
}

std::optional<int64_t> tile::countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(count, extent, count))
      return std::nullopt;
  return count;
}

std::string tile::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(
      shape, stream,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          stream << '?';
        else
          stream << extent;
      },
      "x");
  return text;
}

ArrayRef<int64_t> tile::dropLeadingUnits(ArrayRef<int64_t> shape) {
  return shape.drop_while([](int64_t extent) { return extent == 1; });
}

Value tile::rootBuffer(Value buffer) {
  // Each step goes to an operand; in text that is not yet known to be free of cycles the count ends it.
  for (int step = 0; step < 1000; ++step) {
    Operation *op = buffer.getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, ViewOp, SliceOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return buffer;
}

void tile::noteBuffer(InFlightDiagnostic &diag, Value buffer) {
  diag.attachNote(buffer.getLoc()) << "buffer of type " << buffer.getType() << " defined here";
}

KernelOp tile::kernelOf(Operation *op) {
  return op->getParentOfType<KernelOp>();
}

LogicalResult tile::checkInKernel(Operation *op) {
  if (kernelOf(op))
    return success();
  return op->emitOpError() << "stands outside a kernel; operations on tiles belong into a 'tile.kernel' (kernel-C21)";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult checkExtents(EmitError emit, MemRefType type) {
  Space space = spaceOf(type);
  if (space != Space::Global && !type.hasStaticShape())
    return emit() << "found shape [" << shapeText(type.getShape()) << "] of a " << nameOf(space)
                  << " tile; extents of tiles are numbers (buffer-C5)";
  if (space != Space::Global && llvm::is_contained(type.getShape(), 0))
    return emit() << "found shape [" << shapeText(type.getShape()) << "] of a " << nameOf(space)
                  << " tile; extents of tiles are at least 1 (buffer-C5)";
  int64_t limit = space == Space::Global ? kIndexLimit : int64_t(1) << 31;
  __int128 count = 1;
  for (int64_t extent : type.getShape()) {
    if (ShapedType::isDynamic(extent) || extent == 0)
      continue;
    count *= extent;
    if (count >= limit)
      return emit() << "found extents [" << shapeText(type.getShape()) << "], " << limit << " elements or more; a "
                    << nameOf(space) << " buffer holds fewer (buffer-C6)";
  }
  return success();
}

LogicalResult tile::checkBufferType(EmitError emit, MemRefType type) {
  Space space = spaceOf(type);
  if (space == Space::Other)
    return emit() << "found memory space " << type.getMemorySpace()
                  << "; spaces are none (global), #tile.shared, #tile.fragment and #tile.local (buffer-C1)";
  if (!isElementType(type.getElementType()))
    return emit() << "found elements of type " << type.getElementType()
                  << "; element types are i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 (buffer-C2)";
  if (!type.getLayout().isIdentity()) {
    auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout());
    if (!strided || space != Space::Global || strided.getOffset() != 0)
      return emit() << "found layout " << type.getLayout() << " on a " << nameOf(space)
                    << " buffer; only global tensors have one, strided<[...]> without an offset (buffer-C3)";
    for (int64_t stride : strided.getStrides())
      if (!ShapedType::isDynamic(stride) && (stride < 0 || stride >= kIndexLimit))
        return emit() << "found stride " << stride << "; strides lie in 0 ... 2^53 - 1 (buffer-C4)";
  }
  return checkExtents(emit, type);
}

LogicalResult tile::checkBuffer(Operation *op, Value buffer) {
  auto emit = [&] {
    InFlightDiagnostic diag = op->emitOpError();
    return diag;
  };
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return emit() << "found a value of type " << buffer.getType() << "; a buffer is a ranked memref (buffer-C1)";
  return checkBufferType(emit, type);
}

//===----------------------------------------------------------------------===//
// Index expressions
//===----------------------------------------------------------------------===//

static LogicalResult checkExpression(EmitError emit, AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t value = constant.getValue();
    if (value <= -kIndexLimit || value >= kIndexLimit)
      return emit() << "found the constant " << value
                    << " in an index expression; constants stay below 2^53 in magnitude (index-C2)";
    return success();
  }
  if (isa<AffineSymbolExpr>(expr))
    return emit() << "found 'symbol(...)' in an index expression; name the value alone (index-C6)";
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return success();
  if (failed(checkExpression(emit, binary.getLHS())) || failed(checkExpression(emit, binary.getRHS())))
    return failure();
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Mod:
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv: {
    StringRef word = expr.getKind() == AffineExprKind::Mod        ? "mod"
                     : expr.getKind() == AffineExprKind::FloorDiv ? "floordiv"
                                                                  : "ceildiv";
    if (!right)
      return emit() << "found '" << word << "' by a value; divisors are positive constants (index-C1)";
    if (right.getValue() <= 0)
      return emit() << "found '" << word << ' ' << right.getValue() << "'; divisors are positive constants (index-C1)";
    return success();
  }
  case AffineExprKind::Mul:
    if (!right && !isa<AffineConstantExpr>(binary.getLHS()))
      return emit() << "found a product of two values in an index expression; one factor is a constant (index-C1)";
    return success();
  default:
    return success();
  }
}

LogicalResult tile::checkExpressions(EmitError emit, AffineMap map, size_t numOperands) {
  if (map.getNumInputs() != numOperands)
    return emit() << "found " << numOperands << " values for an expression over " << map.getNumInputs()
                  << "; there is one value an input (index-C7)";
  for (AffineExpr expr : map.getResults())
    if (failed(checkExpression(emit, expr)))
      return failure();
  return success();
}

/// Whether a condition, or a loop that may stop early, decides if `op` runs: its index may be guarded by it.
static bool isGuarded(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent); parent = parent->getParentOp())
    if (isa<scf::IfOp, scf::WhileOp>(parent))
      return true;
  return false;
}

/// Whether a loop around `op` has no trips at all.
static bool neverRuns(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (auto loop = dyn_cast<LoopOpInterface>(parent))
      for (AffineExpr extent : loop.getExtents().getResults())
        if (auto constant = dyn_cast<AffineConstantExpr>(extent); constant && constant.getValue() <= 0)
          return true;
  return false;
}

/// One dimension: a window of `window` elements that starts in `start` must lie in `extent` elements.
static LogicalResult checkStart(Operation *op, Value buffer, size_t dim, const IndexRange &start, int64_t window,
                                int64_t extent, bool mayOverhang) {
  bool isGlobal = spaceOf(cast<MemRefType>(buffer.getType())) == Space::Global;
  bool isOpen = ShapedType::isDynamic(extent);
  int64_t length = mayOverhang ? 1 : window;
  // A window may start at 0 of an empty tensor: nothing of it is there.
  int64_t last = isOpen ? IndexRange::kHighest : mayOverhang ? std::max<int64_t>(extent - 1, 0) : extent - length;
  bool lowOutside = start.lo < 0 && start.lo != IndexRange::kLowest;
  bool highOutside = start.hi > last && start.hi != IndexRange::kHighest;
  bool allOutside = start.hi < 0 || start.lo > last;
  // Run-time accesses of global tensors are guarded: only a constant is certain to be a mistake.
  bool isWrong = start.isConstant() ? lowOutside || highOutside
                 : isGlobal         ? false
                                    : allOutside || (start.isReached && !isGuarded(op) && (lowOutside || highOutside));
  if (!isWrong || neverRuns(op))
    return success();
  InFlightDiagnostic diag = op->emitOpError();
  if (window != 1)
    diag << "moves " << window << " elements of dimension " << dim << " from ";
  else
    diag << "indexes dimension " << dim << " at ";
  if (start.isConstant())
    diag << start.lo;
  else
    diag << (start.lo == IndexRange::kLowest ? std::string("...") : std::to_string(start.lo)) << " to "
         << (start.hi == IndexRange::kHighest ? std::string("...") : std::to_string(start.hi));
  if (isOpen)
    diag << "; indices begin at 0";
  else
    diag << ", its extent is " << extent << "; "
         << (mayOverhang ? "a copy starts inside its tensor"
             : isGlobal  ? "constant indices lie inside the extent"
                         : "indices of a tile lie inside its extent");
  diag << (start.isConstant() ? " (index-C4)" : " (index-C5)");
  noteBuffer(diag, buffer);
  return diag;
}

LogicalResult tile::checkSubscript(Operation *op, Value buffer, AffineMap map, ValueRange operands,
                                   ArrayRef<int64_t> window, bool mayOverhang) {
  auto type = cast<MemRefType>(buffer.getType());
  if (map.getNumResults() != static_cast<unsigned>(type.getRank())) {
    InFlightDiagnostic diag = op->emitOpError() << "found " << map.getNumResults() << " indices for a buffer of rank "
                                                << type.getRank() << "; a bracket has one index a dimension (index-C3)";
    noteBuffer(diag, buffer);
    return diag;
  }
  if (failed(checkExpressions([&] { return op->emitOpError(); }, map, operands.size())))
    return failure();
  size_t rank = type.getRank();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    size_t fromTail = rank - dim;
    int64_t length = fromTail <= window.size() ? window[window.size() - fromTail] : 1;
    if (failed(checkStart(op, buffer, dim, rangeOf(expr, operands), length, type.getDimSize(dim), mayOverhang)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Layouts and roles
//===----------------------------------------------------------------------===//

/// "the digits (8 thread) of axis 1 hold 8 of 16", of the first axis that differs; nothing where the ranks do.
static std::string wrongAxis(DistributedAttr layout, ArrayRef<int64_t> pinned, ArrayRef<int64_t> wanted) {
  if (pinned.size() != wanted.size())
    return "";
  size_t axis = 0;
  while (pinned[axis] == wanted[axis] || ShapedType::isDynamic(wanted[axis]))
    ++axis;
  size_t at = layout.getShape().size() - pinned.size() + axis;
  int64_t first = 0, count = layout.getDigitCounts()[at];
  for (int64_t digits : layout.getDigitCounts().take_front(at))
    first += digits;
  return ": the digits " +
         digitsText(layout.getRadices().slice(first, count), layout.getOwners().slice(first, count),
                    layout.getStrides().slice(first, count)) +
         " of axis " + std::to_string(at) + " hold " + std::to_string(pinned[axis]) + " of " +
         std::to_string(wanted[axis]);
}

LogicalResult tile::checkLayout(Operation *op, std::optional<DistributedAttr> layout, ArrayRef<int64_t> shape) {
  if (!layout)
    return success();
  ArrayRef<int64_t> pinned = layout->getShape(), wanted = shape;
  if (pinned.size() != wanted.size()) {
    pinned = dropLeadingUnits(pinned);
    wanted = dropLeadingUnits(wanted);
  }
  bool fits = pinned.size() == wanted.size() && llvm::all_of(llvm::zip(pinned, wanted), [](auto pair) {
                auto [have, want] = pair;
                return have == want || ShapedType::isDynamic(want);
              });
  if (!fits)
    return op->emitOpError() << "is laid out by a layout of shape [" << shapeText(layout->getShape())
                             << "], its own shape is [" << shapeText(shape) << "]" << wrongAxis(*layout, pinned, wanted)
                             << "; the shapes are equal (layout-C1)";
  KernelOp kernel = kernelOf(op);
  if (kernel && static_cast<int64_t>(kernel.getThreads()) != layout->getThreads()) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "is laid out over " << layout->getThreads() << " threads in a kernel of "
                              << kernel.getThreads() << "; the numbers of threads are equal (layout-C2)";
    diag.attachNote(kernel.getLoc()) << "the threads are given here";
    return diag;
  }
  int64_t largest = kernel && kernel.getOrigin() ? kernel.getOriginVector() - 1 : 0;
  for (int64_t origin : layout->getOrigins())
    if (origin != 0 && origin != largest)
      return op->emitOpError() << "is laid out with an origin of up to " << origin
                               << " in a kernel whose origin is up to " << largest << "; the two are equal (layout-C3)";
  return success();
}

static bool isPrivate(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && spaceOf(type) == Space::Local;
}

bool tile::isBlockWide(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<SyncOp, ParallelOp, PipelinedOp, ReduceOp, ArgReduceOp, ScanOp, AllocSharedOp, AllocFragmentOp>(
          [](auto) { return true; })
      .Case([](CopyOp copy) {
        bool fromFragment = spaceOf(copy.getSourceType()) == Space::Fragment;
        return fromFragment || (!isPrivate(copy.getSource()) && !isPrivate(copy.getTarget()));
      })
      .Case([](FillOp fill) { return !isPrivate(fill.getTarget()); })
      .Case([](PrintOp print) { return isa<MemRefType>(print.getValue().getType()) && !isPrivate(print.getValue()); })
      .Default([](Operation *) { return false; });
}
