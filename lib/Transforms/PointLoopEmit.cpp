// PointLoopEmit.cpp - loops over the points: loads, bodies, stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PointLoop.h"

#include "tile/Analysis/Aliases.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

static constexpr unsigned kLane = 0;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult PointLoop::emit() {
  mlir::Location loc = plain(op->getLoc());
  stage();
  group();
  placeMoves();
  isMasked = needsMask();
  recordPadding();
  Value isActive;
  if (parent)
    isWriter = parent->isWriter;
  if (layout) {
    isActive = k.isActive(loc, *layout);
    isWriter = k.isFirstCopy(loc, *layout);
    // Copies are there for the registers that a loop writes; what goes to memory needs one of them.
    bool writesRegisters = llvm::any_of(
        accesses, [](const TileAccess &access) { return access.isStore && spaceOf(access.type()) == Space::Fragment; });
    if (!writesRegisters) {
      isActive = k.both(loc, isActive, isWriter);
      isWriter = {};
    }
  }
  LogicalResult result = success();
  k.points = this;
  k.guarded(loc, isActive, [&] { result = emitStrips(0); });
  k.points = parent;
  return result;
}

/// Dimensions whose extent is known at run time only are walked strip by strip, all threads together.
LogicalResult PointLoop::emitStrips(size_t number) {
  if (number == axes.size())
    return emitOutside(0);
  Axis &axis = axes[number];
  if (!axis.strip)
    return emitStrips(number + 1);
  mlir::Location loc = plain(op->getLoc());
  auto loop = scf::ForOp::create(k.builder, loc, k.constant(loc, 0), k.materialize(loc, axis.strip),
                                 k.constant(loc, axis.stripExtent));
  OpBuilder::InsertionGuard guard(k.builder);
  k.builder.setInsertionPointToStart(loop.getBody());
  frame[axis.base] = loop.getInductionVar();
  return emitStrips(number + 1);
}

/// Walks the digits outside of the group, the outermost first; a load stands inside those that it depends on.
LogicalResult PointLoop::emitOutside(size_t next) {
  if (next == digits.size() || digits[next].isGrouped)
    return emitGroup();
  emitLoads(next);
  PointDigit &digit = digits[next];
  OpFoldResult outside = frame[digit.place];
  LogicalResult result = success();
  k.loop(plain(op->getLoc()), digit.radix, 1, unrolls, [&](OpFoldResult value) {
    frame[digit.place] = value;
    result = emitOutside(next + 1);
  });
  frame[digit.place] = outside;
  return result;
}

LogicalResult PointLoop::emitGroup() {
  size_t level = numOutside();
  for (auto *map : {&loads, &stores})
    for (auto &[op, staged] : *map)
      if (staged.level == level)
        allocate(staged);
  emitLoads(level);
  if (failed(emitBodies()))
    return failure();
  for (auto &[staged, info] : stores)
    emitMoves(info);
  return success();
}

/// Walks the digits of the group, the outermost first.
void PointLoop::overGroup(size_t next, function_ref<void()> inside) {
  if (next == digits.size())
    return inside();
  PointDigit &digit = digits[next];
  OpFoldResult outside = frame[digit.place];
  k.loop(plain(op->getLoc()), digit.radix, 1, /*isUnrolled=*/true, [&](OpFoldResult value) {
    frame[digit.place] = value;
    overGroup(next + 1, inside);
  });
  frame[digit.place] = outside;
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Elements of one set of registers.
int64_t PointLoop::numStaged(const Staged &staged) const {
  int64_t count = lanes / staged.laneRepeat;
  for (size_t i = staged.level; i < digits.size(); ++i)
    count *= digits[i].radix / staged.repeats[i];
  return count;
}

/// Where the present point lies in the registers.
Value PointLoop::stagedIndex(mlir::Location loc, const Staged &staged) {
  AffineExpr index = getAffineConstantExpr(0, op->getContext());
  int64_t stride = 1;
  auto add = [&](unsigned place, int64_t radix, int64_t repeat) {
    if (repeat < radix)
      index = index + getAffineDimExpr(place, op->getContext()).floorDiv(repeat) * stride;
    stride *= radix / repeat;
  };
  add(kLane, lanes, staged.laneRepeat);
  for (size_t i = digits.size(); i-- > staged.level;)
    add(digits[i].place, digits[i].radix, staged.repeats[i]);
  return k.apply(loc, index, frame);
}

std::pair<Value, Value> PointLoop::privatePlace(mlir::Location loc, const TileAccess &access) {
  if (spaceOf(cast<MemRefType>(rootOf(access.buffer).getType())) != Space::Fragment) {
    ElementPlace location = locate(access);
    return {location.storage->buffer, k.offsetOf(loc, location)};
  }
  std::optional<RegisterMap> map = registersOf(access);
  assert(map && "insert-conversions leaves only accesses inside threads");
  AffineExpr index = getAffineConstantExpr(map->constant, op->getContext());
  for (const PointDigit &digit : digits)
    index =
        index + getAffineDimExpr(digit.place, op->getContext()) * digit.scale * map->coefficients[digit.registerDigit];
  if (lanes > 1)
    index = index + getAffineDimExpr(kLane, op->getContext()) * map->coefficients[laneRegisterDigit];
  return {k.storageOf(rootOf(access.buffer)).buffer, k.apply(loc, index, frame)};
}

void PointLoop::allocate(Staged &staged) {
  bool isSingle = !staged.access.isStore && staged.width == 1 && numStaged(staged) == 1;
  if (staged.isAsync || staged.direct || isSingle)
    return;
  if (staged.loadedBy) {
    staged.registers = loads.find(staged.loadedBy)->second.registers;
    return;
  }
  auto type = MemRefType::get(numStaged(staged), staged.access.type().getElementType(), MemRefLayoutAttrInterface(),
                              simt::RegisterAttr::get(k.builder.getContext()));
  staged.registers = simt::RegistersOp::create(k.builder, staged.op->getLoc(), type);
}

/// The loads whose moves walk the digits from `level` on.
void PointLoop::emitLoads(size_t level) {
  for (auto &[op, staged] : loads) {
    if (staged.level != level || staged.isAsync)
      continue;
    if (level < numOutside())
      allocate(staged);
    emitMoves(staged);
  }
}

/// Walks what one move after the other is for.
void PointLoop::overMoves(const Staged &staged, size_t next, function_ref<void()> inside) {
  bool isLane = next == digits.size();
  unsigned place = isLane ? kLane : digits[next].place;
  int64_t radix = isLane ? lanes : digits[next].radix;
  int64_t step = isLane ? std::max(staged.width, staged.laneRepeat) : staged.repeats[next];
  OpFoldResult outside = frame[place];
  k.loop(plain(staged.op->getLoc()), radix, step, /*isUnrolled=*/true, [&](OpFoldResult value) {
    frame[place] = value;
    isLane ? inside() : overMoves(staged, next + 1, inside);
  });
  frame[place] = outside;
}

void PointLoop::emitMoves(Staged &staged) {
  overMoves(staged, staged.level, [&] {
    if (staged.isAsync)
      emitAsyncMove(staged);
    else if (staged.width > 1)
      emitMove(staged);
    else if (staged.registers)
      readElements(staged, staged.registers, stagedIndex(plain(staged.op->getLoc()), staged));
    else
      staged.value = k.readElement(cast<LoadOp>(staged.op), locate(staged), Value());
  });
}

/// May a load move a vector whole that begins or ends with neighbours of the row's elements? They become padding: no
/// point of the loop is there. They are elements of the tensor that nobody writes.
bool PointLoop::mayReadBeyond(const Staged &staged, const ElementPlace &location, int64_t width) {
  const TileStorage &storage = *location.storage;
  if (staged.access.isStore || !k.origin || !llvm::is_contained(location.operands, OpFoldResult(k.origin)) ||
      storage.space != Space::Global || rootOf(staged.access.buffer) != staged.access.buffer || !storage.isDense)
    return false;
  int64_t unknown = 0;
  for (OpFoldResult extent : storage.extents)
    unknown += !getConstantIntValue(extent);
  bool endsWithLoop = llvm::all_of(location.limits, [&](const IndexLimit &limit) {
    if (k.facts.stride(limit.coordinate, location.operands, kLane, width) == 0)
      return true;
    return llvm::any_of(axes, [&](const Axis &axis) {
      std::optional<int64_t> end = getConstantIntValue(limit.extent);
      std::optional<int64_t> last = axis.limit ? getConstantIntValue(*axis.limit) : std::nullopt;
      return limit.coordinate == axis.position && end && last && *end >= *last;
    });
  });
  return unknown <= 1 && endsWithLoop && isOnlyRead(k.source, staged.access.buffer);
}

/// The vector has elements of the row, and all of it lies in the tensor. \pre mayReadBeyond
Value PointLoop::touchesTensor(mlir::Location loc, const ElementPlace &location, int64_t width) {
  Value condition;
  for (const IndexLimit &limit : distinctLimits(location.limits)) {
    bool isAlong = k.facts.stride(limit.coordinate, location.operands, kLane, width) != 0;
    if (!isAlong)
      condition = k.both(loc, condition, k.limitsHold(loc, {limit}, location.operands, kLane, width));
    else if (!k.isProvenBelow(limit.coordinate, location.operands, limit.extent, 0))
      condition = k.both(loc, condition,
                         k.inRange(loc, k.apply(loc, limit.coordinate, location.operands), 0, limit.extent,
                                   /*checkLow=*/false));
  }
  // A row begins behind as many elements as its origin, so none of the origin's vectors begins before the tensor.
  AffineExpr total = getAffineConstantExpr(1, op->getContext());
  SmallVector<OpFoldResult> extents;
  for (OpFoldResult extent : location.storage->extents) {
    std::optional<int64_t> constant = getConstantIntValue(extent);
    total = total * (constant ? getAffineConstantExpr(*constant, op->getContext())
                              : getAffineDimExpr(extents.size(), op->getContext()));
    if (!constant)
      extents.push_back(extent);
  }
  Value end = k.apply(loc, total, extents), first = k.offsetOf(loc, location);
  return k.both(loc, condition, k.inRange(loc, first, width - 1, end, width != k.source.getOriginVector()));
}

/// Some element of the vector may exist; null where one always does, or where that is not worth a question.
Value PointLoop::mayExist(mlir::Location loc, const ElementPlace &location, int64_t width) {
  Value condition;
  for (const IndexLimit &limit : distinctLimits(location.limits)) {
    bool isAlong = k.facts.stride(limit.coordinate, location.operands, kLane, width) != 0;
    if (isAlong && !k.isProvenBelow(limit.coordinate, location.operands, limit.extent, 0))
      condition = k.both(loc, condition,
                         k.inRange(loc, k.apply(loc, limit.coordinate, location.operands), 0, limit.extent,
                                   /*checkLow=*/false));
  }
  return condition;
}

/// `lane` places behind `base`.
Value PointLoop::nth(mlir::Location loc, Value base, OpFoldResult lane) {
  MLIRContext *context = op->getContext();
  return k.apply(loc, getAffineDimExpr(0, context) + getAffineDimExpr(1, context), {base, lane});
}

/// The elements of one vector, each as if it were a vector of its own.
void PointLoop::overElements(const Staged &staged,
                             function_ref<void(const ElementPlace &one, OpFoldResult lane)> body) {
  mlir::Location loc = plain(staged.op->getLoc());
  k.loop(loc, staged.width, 1, /*isUnrolled=*/true, [&](OpFoldResult lane) {
    OpFoldResult begin = frame[kLane];
    frame[kLane] = nth(loc, k.materialize(loc, begin), lane);
    body(locate(staged), lane);
    frame[kLane] = begin;
  });
}

/// Each element of a vector to the registers from `first` on; the pad for those that do not exist.
void PointLoop::readElements(const Staged &staged, Value registers, Value first) {
  mlir::Location loc = plain(staged.op->getLoc());
  auto load = cast<LoadOp>(staged.op);
  Type element = load.getType();
  overElements(staged, [&](const ElementPlace &one, OpFoldResult lane) {
    auto read = [&] {
      k.checkAccess(load, one, -1, 1);
      Value offset = k.offsetOf(loc, one), place = nth(loc, first, lane);
      auto access = simt::LoadOp::create(k.builder, loc, element, one.storage->buffer, offset);
      simt::StoreOp::create(k.builder, loc, access, registers, place);
      mark(access, one.storage->space, /*isWrite=*/false, this);
    };
    auto pad = [&] {
      Value place = nth(loc, first, lane);
      simt::StoreOp::create(k.builder, loc, k.padOf(loc, element, load.getPad()), registers, place);
    };
    k.either(loc, k.conditionOf(loc, one, -1, 1), read, pad);
  });
}

/// Each element of a vector that exists, from the registers from `first` on.
void PointLoop::writeElements(const Staged &staged, Value registers, Value first) {
  mlir::Location loc = plain(staged.op->getLoc());
  overElements(staged, [&](const ElementPlace &one, OpFoldResult lane) {
    k.guarded(loc, k.conditionOf(loc, one, -1, 1), [&] {
      k.checkAccess(staged.op, one, -1, 1);
      Value offset = k.offsetOf(loc, one), place = nth(loc, first, lane);
      Value value = simt::LoadOp::create(k.builder, loc, one.storage->element, registers, place);
      auto access = simt::StoreOp::create(k.builder, loc, value, one.storage->buffer, offset);
      mark(access, one.storage->space, /*isWrite=*/true, this);
    });
  });
}

/// One vector, whole where all of it exists, else element by element.
void PointLoop::emitMove(Staged &staged) {
  mlir::Location loc = plain(staged.op->getLoc());
  bool isStore = staged.access.isStore;
  ElementPlace location = locate(staged);
  Type element = location.storage->element;
  if (staged.direct && spaceOf(staged.direct->type()) == Space::Local)
    k.checkAccess(staged.direct->op, locate(*staged.direct), kLane, staged.width);
  const Staged &holder = staged.loadedBy ? loads.find(staged.loadedBy)->second : staged;
  auto [registers, first] = staged.direct ? privatePlace(loc, *staged.direct)
                                          : std::pair<Value, Value>(staged.registers, stagedIndex(loc, holder));
  bool isWide = mayReadBeyond(staged, location, staged.width);
  Value whole = isWide ? touchesTensor(loc, location, staged.width) : k.conditionOf(loc, location, kLane, staged.width);
  auto load = dyn_cast<LoadOp>(staged.op);
  auto move = [&, registers = registers, first = first] {
    k.checkAccess(staged.op, location, kLane, staged.width);
    Value buffer = location.storage->buffer, offset = k.offsetOf(loc, location);
    IntegerAttr bytes = k.builder.getI64IntegerAttr(staged.width * elementBytes(element));
    bool mayHint = !isStore && bytes.getInt() >= int64_t(simt::kLeastKept);
    auto access = isStore ? simt::MoveOp::create(k.builder, loc, registers, first, buffer, offset, bytes)
                          : simt::MoveOp::create(k.builder, loc, buffer, offset, registers, first, bytes);
    if (mayHint && k.streams.contains(staged.op))
      access.getStreamsMutable().assign(k.isStreamed);
    else if (LoadOp again = mayHint ? k.rereads.lookup(staged.op) : LoadOp())
      access.setKeep(lineOf(again.getLoc()));
    mark(access, location.storage->space, isStore, this);
  };
  auto elements = [&, registers = registers, first = first] {
    isStore ? writeElements(staged, registers, first) : readElements(staged, registers, first);
  };
  auto padAll = [&, registers = registers, first = first] {
    k.loop(loc, staged.width, 1, /*isUnrolled=*/true, [&](OpFoldResult lane) {
      Value place = nth(loc, first, lane);
      simt::StoreOp::create(k.builder, loc, k.padOf(loc, element, load.getPad()), registers, place);
    });
  };
  k.guarded(loc, isStore ? isWriter : Value(), [&] {
    if (!whole)
      return move();
    bool hasTail = isWide || !k.isAllOrNothing(location, kLane, staged.width);
    auto none = load ? function_ref<void()>(padAll) : function_ref<void()>();
    auto part = [&] { k.either(loc, mayExist(loc, location, staged.width), elements, none); };
    k.either(loc, whole, move, hasTail ? function_ref<void()>(part) : none);
  });
}

/// One vector straight to shared memory where all of it exists; else through registers, element by element.
void PointLoop::emitAsyncMove(Staged &store) {
  mlir::Location loc = plain(store.op->getLoc());
  const Staged &load = loads.find(store.loadedBy)->second;
  ElementPlace from = locate(load.access), to = locate(store.access);
  Type element = to.storage->element;
  IntegerAttr bytes = k.builder.getI64IntegerAttr(store.width * elementBytes(element));
  Value isWritten = k.conditionOf(loc, to, kLane, store.width);
  Value whole = k.both(loc, k.conditionOf(loc, from, kLane, store.width), isWritten);
  auto moveFrom = [&](Value source, Value index) {
    k.checkAccess(store.op, to, kLane, store.width);
    auto move = simt::MoveOp::create(k.builder, loc, source, index, to.storage->buffer, k.offsetOf(loc, to), bytes);
    mark(move, Space::Shared, /*isWrite=*/true, this);
    return move;
  };
  auto direct = [&] {
    k.checkAccess(load.op, from, kLane, store.width);
    moveFrom(from.storage->buffer, k.offsetOf(loc, from)).setAsync(true);
  };
  auto parts = [&] {
    auto type =
        MemRefType::get(store.width, element, MemRefLayoutAttrInterface(), simt::RegisterAttr::get(op->getContext()));
    Value registers = simt::RegistersOp::create(k.builder, loc, type), first = k.constant(loc, 0);
    readElements(load, registers, first);
    if (isWritten)
      writeElements(store, registers, first);
    else
      moveFrom(registers, first);
  };
  k.guarded(loc, isWriter, [&] { k.either(loc, whole, direct, parts); });
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Does anything in the body do harm at a point that does not exist?
bool PointLoop::needsMask() {
  if (llvm::none_of(axes, [](const Axis &axis) { return axis.limit.has_value(); }))
    return false;
  WalkResult result = body.walk([&](Operation *inner) {
    bool isStaged = loads.contains(inner) || stores.contains(inner) || passedOn.contains(inner);
    bool isHarmless =
        isStaged || asksForPoint(inner) || staysInPadding(inner) || (isPure(inner) && isSpeculatable(inner));
    return isHarmless ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

/// A load from a tensor, which happens at points that exist and gives its pad elsewhere.
bool PointLoop::asksForPoint(Operation *inner) {
  auto load = dyn_cast<LoadOp>(inner);
  return load && layout && accessOf(load) && inner->getBlock() == &body &&
         spaceOf(load.getBufferType()) == Space::Global;
}

Value PointLoop::loadCondition(mlir::Location loc, LoadOp load) {
  const TileAccess *access = isMasked || !asksForPoint(load) ? nullptr : accessOf(load);
  return access ? k.conditionOf(loc, locate(*access), -1, 1) : Value();
}

/// Threads that run a point are those that hold elements of the fragment.
bool PointLoop::matchesThreads(const Layout &fragment) const {
  return layout->threadSpan() == fragment.threadSpan() && layout->numActiveThreads() == fragment.numActiveThreads();
}

/// Each element of the fragment has one point, and each register of a thread one too: what a point that does not exist
/// names is padding.
bool PointLoop::fillsFragment(const TileAccess &access) {
  std::optional<RegisterMap> map = registersOf(access);
  RootAccess root = rootOf(access);
  const Layout &fragment = *k.storageOf(root.root).layout;
  if (!map || !matchesThreads(fragment) || llvm::any_of(axes, [](const Axis &axis) { return bool(axis.strip); }))
    return false;
  llvm::SmallDenseSet<AffineExpr> coordinates;
  for (AffineExpr expr : root.map.getResults())
    if (!isa<AffineConstantExpr>(expr) && (!isa<AffineDimExpr>(expr) || !coordinates.insert(expr).second))
      return false;
  int64_t points = 1;
  for (int64_t extent : layout->extents())
    points *= extent;
  if (cast<MemRefType>(root.root.getType()).getNumElements() != points)
    return false;
  SmallVector<int64_t> numbers = {map->constant};
  unsigned number = 0;
  for (const Digit &digit : layout->digits()) {
    if (digit.owner != Owner::Register)
      continue;
    size_t below = numbers.size();
    for (int64_t value = 1; value < digit.radix; ++value)
      for (size_t i = 0; i < below; ++i)
        numbers.push_back(numbers[i] + value * map->coefficients[number]);
    ++number;
  }
  llvm::sort(numbers);
  bool isInjective = std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
  return isInjective && static_cast<int64_t>(numbers.size()) == fragment.numRegisters();
}

/// At a point that does not exist: reads a register that was written, or writes one that holds nothing.
bool PointLoop::staysInPadding(Operation *inner) {
  const TileAccess *access = layout && isa<LoadOp, StoreOp>(inner) ? accessOf(inner) : nullptr;
  Value root = access ? rootOf(access->buffer) : Value();
  if (!access || inner->getBlock() != &body || spaceOf(cast<MemRefType>(root.getType())) != Space::Fragment)
    return false;
  if (access->isStore)
    return fillsFragment(*access);
  const Layout &fragment = *k.storageOf(root).layout;
  if (!registersOf(*access) || !matchesThreads(fragment))
    return false;
  Block *writer = k.paddedIn.lookup(root);
  return !fragment.hasMasks() || (writer && writer->findAncestorOpInBlock(*op));
}

/// Remembers which fragments have their padding written here.
void PointLoop::recordPadding() {
  for (const TileAccess &access : accesses) {
    bool isDirect = llvm::any_of(
        loads, [&](const auto &entry) { return entry.second.direct && entry.second.direct->op == access.op; });
    bool isPlain = access.op->getBlock() == &body && !isMasked;
    if (layout && access.isStore && spaceOf(access.type()) == Space::Fragment && (isDirect || isPlain) &&
        fillsFragment(access))
      k.paddedIn.try_emplace(rootOf(access.buffer), op->getBlock());
  }
}

LogicalResult PointLoop::emitBodies() {
  bool isEmpty = llvm::all_of(body, [&](Operation &inner) { return passedOn.contains(&inner) || isPure(&inner); });
  if (isEmpty)
    return success();
  LogicalResult result = success();
  bool hasStaged = !loads.empty() || !stores.empty();
  overGroup(numOutside(), [&] {
    OpFoldResult outside = frame[kLane];
    k.loop(plain(op->getLoc()), lanes, 1, hasStaged || unrolls, [&](OpFoldResult lane) {
      frame[kLane] = lane;
      if (succeeded(result))
        result = emitBody();
    });
    frame[kLane] = outside;
  });
  return result;
}

LogicalResult PointLoop::emitBody() {
  mlir::Location loc = plain(op->getLoc());
  Value exists;
  if (isMasked)
    for (const Axis &axis : axes)
      if (axis.limit)
        exists = k.both(loc, exists, k.limitsHold(loc, {{axis.position, *axis.limit}}, frame, -1, 1));
  LogicalResult result = success();
  k.guarded(loc, exists, [&] {
    for (auto [iv, axis] : llvm::zip_equal(body.getArguments(), axes))
      k.mapping.map(iv, k.apply(iv.getLoc(), axis.position, frame));
    for (Operation &inner : body)
      if (!passedOn.contains(&inner) && succeeded(result))
        result = k.lowerOp(inner);
  });
  return result;
}

Value PointLoop::privateLoad(LoadOp load) {
  mlir::Location loc = plain(load.getLoc());
  Type element = load.getType();
  if (const auto *staged = loads.find(load); staged != loads.end()) {
    if (staged->second.value)
      return staged->second.value;
    Value index = stagedIndex(loc, staged->second);
    return simt::LoadOp::create(k.builder, load.getLoc(), element, staged->second.registers, index);
  }
  const TileAccess *access = accessOf(load);
  bool isFragment = spaceOf(cast<MemRefType>(rootOf(load.getBuffer()).getType())) == Space::Fragment;
  if (!isFragment)
    return {};
  if (!access || !layout)
    return parent ? parent->privateLoad(load) : Value();
  auto [registers, index] = privatePlace(loc, *access);
  return simt::LoadOp::create(k.builder, load.getLoc(), element, registers, index);
}

bool PointLoop::privateStore(StoreOp store, Value value) {
  mlir::Location loc = store.getLoc();
  if (const auto *staged = stores.find(store); staged != stores.end()) {
    simt::StoreOp::create(k.builder, loc, value, staged->second.registers, stagedIndex(loc, staged->second));
    return true;
  }
  if (spaceOf(cast<MemRefType>(rootOf(store.getBuffer()).getType())) != Space::Fragment)
    return false;
  const TileAccess *access = accessOf(store);
  if (!access || !layout)
    return parent && parent->privateStore(store, value);
  auto [registers, index] = privatePlace(loc, *access);
  simt::StoreOp::create(k.builder, loc, value, registers, index);
  return true;
}
