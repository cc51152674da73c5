// PointLoop.cpp - what the points of a loop are, and which of their vectors are staged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PointLoop.h"

#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/OpCost.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Places of the frame that every loop has.
static constexpr unsigned kLane = 0, kThread = 1, kFirstDigit = 2;
/// How much of one buffer a thread stages at a time.
static constexpr int64_t kGroupVectors = 4, kGroupBytes = kVectorBytes * kGroupVectors;

PointLoop::PointLoop(KernelLowering &lowering, Operation *op, Block &body)
    : k(lowering), op(op), body(body), parent(lowering.points) {
  k.scratch.push_back(std::make_unique<Block>());
  auto unknown = [&] { return k.scratch.back()->addArgument(k.builder.getIndexType(), op->getLoc()); };
  frame.push_back(unknown());
  frame.push_back(k.thread);
  someRun = unknown();
  somePlace = unknown();
}

/// Adds a digit to the frame, as an unknown number below its radix.
void PointLoop::addDigit(int axis, int64_t weight, int64_t radix, int registerDigit, int64_t scale) {
  if (radix <= 1)
    return;
  Value value = k.scratch.back()->addArgument(k.builder.getIndexType(), op->getLoc());
  k.facts.setRange(value, {0, radix - 1});
  digits.push_back({axis, weight, radix, registerDigit, scale, false, static_cast<unsigned>(frame.size())});
  frame.push_back(value);
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

void PointLoop::buildParallel(ParallelOp loop) {
  MLIRContext *context = op->getContext();
  layout = layoutOf(*loop.getLayout());
  accesses = accessesOf(loop);
  chooseLane();
  AffineExpr thread = getAffineDimExpr(kThread, context), lane = getAffineDimExpr(kLane, context);

  SmallVector<AffineExpr> positions = threadPositions(*layout, thread);

  // Register digits, the largest stride outermost; the lane's digit gives up its lowest part.
  SmallVector<std::pair<Digit, int>> registers;
  for (const Digit &digit : layout->digits())
    if (digit.owner == Owner::Register)
      registers.push_back({digit, static_cast<int>(registers.size())});
  llvm::stable_sort(registers, [](const auto &a, const auto &b) { return a.first.stride > b.first.stride; });
  for (auto [digit, number] : registers) {
    bool isLane = number == laneRegisterDigit;
    int64_t scale = isLane ? lanes : 1, radix = isLane ? digit.radix / lanes : digit.radix;
    // Cut so that a few vectors can be staged together.
    int64_t inner = std::gcd(radix, kGroupVectors);
    addDigit(digit.axis, digit.weight * scale * inner, radix / inner, number, scale * inner);
    addDigit(digit.axis, digit.weight * scale, inner, number, scale);
  }
  for (const PointDigit &digit : digits)
    positions[digit.axis] = positions[digit.axis] + getAffineDimExpr(digit.place, context) * digit.weight;
  if (lanes > 1)
    positions[laneAxis] = positions[laneAxis] + lane;
  // Digits count places.
  for (int number = 0; number < layout->rank(); ++number)
    if (layout->origins()[number] != 0) {
      positions[number] = positions[number] - getAffineDimExpr(frame.size(), context);
      frame.push_back(k.origin);
    }

  SmallVector<OpFoldResult> operands;
  for (Value operand : loop.getExtentOperands())
    operands.push_back(k.mapped(operand));
  for (auto [number, extent] : llvm::enumerate(loop.getConstantExtents())) {
    Axis &axis = axes.emplace_back();
    axis.position = positions[number];
    axis.stripExtent = layout->extents()[number];
    if (extent) {
      if (layout->paddedExtent(number) > *extent || layout->origins()[number] != 0)
        axis.limit = OpFoldResult(k.builder.getIndexAttr(*extent));
      continue;
    }
    axis.strip = affine::makeComposedFoldedAffineApply(
        k.builder, op->getLoc(), loop.getExtents().getSubMap({static_cast<unsigned>(number)}), operands);
    axis.limit = axis.strip;
    axis.base = frame.size();
    Value base = k.scratch.back()->addArgument(k.builder.getIndexType(), op->getLoc());
    k.facts.setRange(base, {0, std::nullopt});
    k.facts.setDivisor(base, axis.stripExtent);
    frame.push_back(base);
    axis.position = axis.position + getAffineDimExpr(axis.base, context);
  }
}

void PointLoop::buildVectorized(VectorizedOp loop) {
  MLIRContext *context = op->getContext();
  SmallVector<int64_t> extents = *loop.getStaticShape();
  // The accesses of the body, seen from its own variables.
  accesses = accessesOfBody(loop.getBody(), loop.getInductionVars());
  laneAxis = extents.size() - 1;
  lanes = extents.back();
  for (size_t axis = 0; axis + 1 < extents.size(); ++axis)
    addDigit(axis, 1, extents[axis], -1, 1);
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    AffineExpr position = getAffineConstantExpr(0, context);
    for (const PointDigit &digit : digits)
      if (digit.axis == static_cast<int>(axis))
        position = getAffineDimExpr(digit.place, context);
    if (static_cast<int>(axis) == laneAxis && lanes > 1)
      position = getAffineDimExpr(kLane, context);
    axes.emplace_back().position = position;
  }
}

void PointLoop::chooseLane() {
  VectorLane lane = chooseVectorLane(*layout, accesses);
  laneAxis = lane.axis;
  laneRegisterDigit = lane.digit;
  lanes = lane.count;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

const TileAccess *PointLoop::accessOf(Operation *op) const {
  for (const TileAccess &access : accesses)
    if (access.op == op)
      return &access;
  return nullptr;
}

tile::ElementPlace PointLoop::locate(const TileAccess &access) {
  ViewCoordinates coordinates;
  coordinates.operands = frame;
  SmallVector<AffineExpr> replacements;
  for (const Axis &axis : axes)
    replacements.push_back(axis.position);
  for (Value operand : access.operands) {
    replacements.push_back(getAffineDimExpr(coordinates.operands.size(), op->getContext()));
    coordinates.operands.push_back(k.mapped(operand));
  }
  for (AffineExpr expr : access.map.getResults())
    coordinates.exprs.push_back(expr.replaceDims(replacements));
  ElementPlace location = k.locate(k.storageOf(access.buffer), coordinates);
  for (const Axis &axis : axes)
    if (axis.limit)
      location.limits.push_back({axis.position, *axis.limit});
  return location;
}

tile::ElementPlace PointLoop::locate(const Staged &staged) {
  ElementPlace location = locate(staged.access);
  if (staged.unasked.empty())
    return location;
  location.limits.truncate(location.storage->limits.size());
  for (auto [number, axis] : llvm::enumerate(axes))
    if (axis.limit && !staged.unasked.contains(static_cast<int>(number)))
      location.limits.push_back({axis.position, *axis.limit});
  return location;
}

/// A divisor of the place in memory, as far as the vectors of the origin tell. \pre the location counts from the origin
int64_t PointLoop::divisorFromOrigin(const ElementPlace &location) {
  SmallVector<OpFoldResult> leaves;
  SmallVector<AffineExpr> operands;
  for (OpFoldResult operand : location.operands)
    operands.push_back(k.takenApart(operand, leaves));
  AffineExpr linear = getAffineConstantExpr(0, op->getContext());
  for (auto [coordinate, stride] : llvm::zip_equal(location.coordinates, location.storage->strides)) {
    std::optional<int64_t> constant = getConstantIntValue(stride);
    if (!constant)
      return 1;
    linear = linear + coordinate.replaceDims(operands) * *constant;
  }
  // The origin as what it is modulo its vector.
  AffineExpr origin = k.takenApart(k.origin, leaves);
  linear = linear.replace(origin, k.takenApart(k.origin.getDefiningOp<arith::RemUIOp>().getLhs(), leaves));
  linear = simplifyAffineExpr(linear, leaves.size(), 0);
  return std::gcd(k.facts.divisor(linear, leaves), k.source.getOriginVector());
}

/// Do `width` elements from any lane that is a multiple of it make one aligned vector?
bool PointLoop::isAligned(const TileAccess &access, int64_t width) {
  k.facts.setDivisor(cast<Value>(frame[kLane]), width);
  ElementPlace location = locate(access);
  const TileStorage &storage = *location.storage;
  int64_t step = 0, divisor = 0;
  for (auto [coordinate, stride] : llvm::zip_equal(location.coordinates, storage.strides)) {
    std::optional<int64_t> moves = k.facts.stride(coordinate, location.operands, kLane, lanes);
    std::optional<int64_t> constant = getConstantIntValue(stride);
    if (!moves || (*moves != 0 && !constant))
      return false;
    step += *moves * constant.value_or(0);
    divisor = std::gcd(divisor, k.facts.divisor(coordinate, location.operands) * k.facts.divisor(stride));
  }
  if (k.origin && llvm::is_contained(location.operands, OpFoldResult(k.origin)))
    divisor = divisorFromOrigin(location);
  auto isMonotonic = [&](AffineExpr coordinate) {
    return k.facts.stride(coordinate, location.operands, kLane, lanes).value_or(-1) >= 0;
  };
  for (const IndexLimit &limit : llvm::concat<IndexLimit>(location.limits, location.windows))
    if (!isMonotonic(limit.coordinate))
      return false;
  if (k.isChecked && storage.space != Space::Global && !llvm::all_of(location.view, isMonotonic))
    return false;
  int64_t bytes = width * elementBytes(storage.element);
  return step == 1 && divisor % width == 0 && storage.alignBytes % bytes == 0 &&
         (storage.chunk == 0 || storage.chunk % width == 0);
}

int64_t PointLoop::widthOf(const TileAccess &access) {
  int64_t widest = kVectorBytes / elementBytes(access.type().getElementType());
  for (int64_t width = widest; width > 1; width /= 2)
    if (lanes % width == 0 && isAligned(access, width))
      return width;
  return 1;
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

bool PointLoop::mayAlias(Value a, Value b) const {
  return tile::mayOverlap(k.source, rootOf(a), rootOf(b));
}

/// The address depends on nothing that the body computes, so the access may move out of it.
bool PointLoop::isMovable(const TileAccess &access) const {
  return access.op->getBlock() == &body && llvm::none_of(access.operands, [&](Value operand) {
           return body.getParent()->isAncestor(operand.getParentRegion());
         });
}

void PointLoop::stage() {
  k.facts.setRange(cast<Value>(frame[kLane]), {0, lanes - 1});
  for (auto [number, access] : llvm::enumerate(accesses)) {
    Space space = spaceOf(access.type());
    if (isa<AtomicOp>(access.op) || (space != Space::Global && space != Space::Shared) || !isMovable(access))
      continue;
    // Loads move up over what precedes them, stores down over what follows.
    ArrayRef<TileAccess> all = accesses;
    ArrayRef<TileAccess> crossed = access.isStore ? all.drop_front(number + 1) : all.take_front(number);
    bool isOrdered = llvm::any_of(crossed, [&, &access = access](const TileAccess &other) {
      return (access.isStore || other.isStore) && mayAlias(access.buffer, other.buffer);
    });
    int64_t width = isOrdered ? 1 : widthOf(access);
    bool isChanged = meetsStore(access);
    bool mayRepeat = !access.isStore && (width > 1 || !isChanged) && isRepeated(access);
    if (width == 1 && !mayRepeat)
      continue;
    Staged staged;
    staged.op = access.op;
    staged.access = access;
    staged.width = width;
    staged.isRepeated = mayRepeat;
    staged.isChanged = isChanged;
    if (!mayRepeat)
      findDirect(staged);
    if (width > 1)
      k.usedVector(k.storageOf(access.buffer), width);
    (access.isStore ? stores : loads).insert({access.op, staged});
  }
  joinMoves();
}

/// A vector that the body only passes from memory to memory needs one set of registers, and no body.
void PointLoop::joinMoves() {
  for (auto &[op, staged] : stores) {
    auto source = cast<StoreOp>(op).getValue().getDefiningOp<LoadOp>();
    auto *load = source ? loads.find(source) : loads.end();
    if (load == loads.end() || staged.direct || load->second.direct || !source.getResult().hasOneUse() ||
        repeatsOf(load->second.access, kLane, lanes) > 1)
      continue;
    staged.loadedBy = source;
    staged.isAsync = load->second.isAsync = mayGoAsync(load->second, staged);
    passedOn.insert(op);
    passedOn.insert(source);
  }
}

/// Does the program come to a use of the tile, a write or a view of it included, before anything that takes time: a
/// loop, a reduction, a scan that does not touch it? What the next trip of a loop uses is far; a tile that is not used
/// again has nothing to wait for.
static bool isUsedSoon(Operation *op, Value root) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    WalkResult uses = next->walk([&](Operation *inner) {
      bool isUse = llvm::any_of(inner->getOperands(), [&](Value operand) {
        return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
      });
      return isUse ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (uses.wasInterrupted())
      return true;
    if (isa<SerialOp, UnrolledOp, PipelinedOp, ReduceOp, ArgReduceOp, ScanOp>(next))
      return false;
  }
  Operation *parent = op->getParentOp();
  if (isa<KernelOp>(parent))
    return true;
  return !isa<SerialOp, PipelinedOp>(parent) && isUsedSoon(parent, root);
}

/// A copy from a tensor that nothing writes to a shared tile whose next use is not at hand: the loads fly meanwhile.
bool PointLoop::mayGoAsync(const Staged &load, const Staged &store) {
  Value root = rootOf(store.access.buffer);
  return layout && spaceOf(load.access.type()) == Space::Global && spaceOf(store.access.type()) == Space::Shared &&
         load.width == store.width &&
         load.width * elementBytes(load.access.type().getElementType()) >= int64_t(simt::kLeastAsync) &&
         isOnlyRead(k.source, rootOf(load.access.buffer)) && !isUsedSoon(op, root);
}

std::optional<RegisterMap> PointLoop::registersOf(const TileAccess &access) {
  auto [entry, isNew] = registerMaps.try_emplace(access.op);
  if (isNew) {
    RootAccess root = rootOf(access);
    entry->second = registerMap(*layout, root.map, *k.storageOf(root.root).layout, access.isStore);
  }
  return entry->second;
}

/// A load whose only use is a store to registers moves there itself; a store of what a load of registers gave likewise.
void PointLoop::findDirect(Staged &staged) {
  Operation *other = nullptr;
  if (auto load = dyn_cast<LoadOp>(staged.op)) {
    if (load.getResult().hasOneUse())
      other = dyn_cast<StoreOp>(*load.getResult().user_begin());
  } else if (auto source = cast<StoreOp>(staged.op).getValue().getDefiningOp<LoadOp>()) {
    other = source.getResult().hasOneUse() ? source : nullptr;
  }
  const TileAccess *access = other && other->getBlock() == &body ? accessOf(other) : nullptr;
  if (!access || passedOn.contains(other))
    return;
  Space space = spaceOf(access->type());
  if (space == Space::Fragment && layout) {
    std::optional<RegisterMap> map = registersOf(*access);
    if (!map || laneRegisterDigit < 0 || map->coefficients[laneRegisterDigit] != 1 || map->constant % staged.width)
      return;
    for (const PointDigit &digit : digits)
      if (map->coefficients[digit.registerDigit] * digit.scale % staged.width != 0)
        return;
    // A load pads what lies past the loop's end. That must be padding of the fragment too, not elements beyond the
    // loop.
    bool isMasked = llvm::any_of(axes, [](const Axis &axis) { return axis.limit.has_value(); });
    RootAccess root = rootOf(*access);
    bool isWhole = root.map.isIdentity() && *layout == *k.storageOf(root.root).layout;
    if (isMasked && access->isStore && !isWhole)
      return;
  } else if (space != Space::Local || !isMovable(*access) || !isAligned(*access, staged.width)) {
    return;
  }
  // Something else in the body may look at the registers in between.
  for (const TileAccess &third : accesses)
    if (third.op != other && third.op != staged.op && rootOf(third.buffer) == rootOf(access->buffer))
      return;
  staged.direct = *access;
  passedOn.insert(other);
  passedOn.insert(staged.op);
}

/// The innermost digits whose vectors are staged together. Single elements are read where their digits are walked.
void PointLoop::group() {
  int64_t bytes = 0, points = lanes;
  bool touchesRegisters = false;
  for (const TileAccess &access : accesses)
    touchesRegisters |= spaceOf(cast<MemRefType>(rootOf(access.buffer).getType())) == Space::Fragment;
  for (auto *map : {&loads, &stores})
    for (auto &[op, staged] : *map)
      if (staged.width > 1)
        bytes = std::max(bytes, elementBytes(staged.access.type().getElementType()));
  int64_t total = 1;
  for (const PointDigit &digit : digits)
    total *= digit.radix;
  for (size_t i = digits.size(); bytes > 0 && i-- > 0; points *= digits[i].radix) {
    if (points * digits[i].radix * bytes > kGroupBytes)
      break;
    digits[i].isGrouped = true;
  }
  unrolls = touchesRegisters || total <= 8;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

LogicalResult PointLoop::lower(KernelLowering &lowering, ParallelOp loop) {
  PointLoop points(lowering, loop, loop.getBody().front());
  points.buildParallel(loop);
  return points.emit();
}

LogicalResult PointLoop::lower(KernelLowering &lowering, VectorizedOp loop) {
  PointLoop points(lowering, loop, loop.getBody().front());
  points.buildVectorized(loop);
  return points.emit();
}
