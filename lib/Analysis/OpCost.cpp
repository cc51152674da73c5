// OpCost.cpp - enumerates the addresses of an op's accesses and adds up what they cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/OpCost.h"

#include "AxisCost.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Analysis/Origin.h"
#include "tile/Analysis/ThreadDigits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace tile;

/// A stride known at run time only: a multiple of every vector, and far.
static constexpr int64_t kFarStride = int64_t(1) << 20;
/// More warp instructions than these are not enumerated but extrapolated.
static constexpr int64_t kMostRequests = 24;

OpCost &OpCost::operator+=(const OpCost &other) {
  pools += other.pools;
  isExact &= other.isExact;
  sharedBytes = std::max(sharedBytes, other.sharedBytes);
  conversions += other.conversions;
  contiguousLanes += other.contiguousLanes;
  return *this;
}

/// What `width(n)` allows to move at once.
static int64_t mostNeighbours(ArrayRef<TileAccess> accesses) {
  for (const TileAccess &access : accesses) {
    Operation *op = access.op;
    if (!isa<CopyOp>(op))
      op = op->getParentOfType<ParallelOp>();
    if (auto width = op ? op->getAttrOfType<IntegerAttr>("width") : IntegerAttr())
      return width.getInt();
  }
  return kVectorBytes;
}

VectorLane tile::chooseVectorLane(const Layout &layout, ArrayRef<TileAccess> accesses) {
  int64_t most = mostNeighbours(accesses);
  SmallVector<int64_t> votes(layout.rank(), 0);
  int64_t smallest = kVectorBytes;
  for (const TileAccess &access : accesses) {
    AffineExpr index = contiguousIndex(access);
    if (spaceOf(access.type()) == Space::Fragment || !index)
      continue;
    smallest = std::min(smallest, elementBytes(access.type().getElementType()));
    for (int axis = 0; axis < layout.rank(); ++axis)
      votes[axis] += index.isFunctionOfDim(axis);
  }
  VectorLane lane;
  int64_t best = -1;
  int number = 0;
  for (const Digit &digit : layout.digits()) {
    if (digit.owner != Owner::Register)
      continue;
    int64_t count = std::min(std::gcd(digit.radix, std::max<int64_t>(kVectorBytes / smallest, 1)), most);
    if (digit.weight == 1 && count > 1 && votes[digit.axis] >= best) {
      best = votes[digit.axis];
      lane = {digit.axis, number, count};
    }
    ++number;
  }
  return lane;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {
/// The points that a thread visits: the coordinates each thread and register number adds.
class PointTable {
public:
  PointTable(const Layout &layout, const VectorLane &lane);

  /// The kernel's origin from here on: places become points.
  void setOrigin(int64_t value) { origin = value; }

  int64_t warps() const { return numWarps; }
  /// Accesses of a thread if each moves `width` points.
  int64_t steps(int64_t width) const { return numVectors * (lane.count / width); }
  /// The first point of a step, nothing for an idle thread or past the end.
  bool point(int64_t thread, int64_t step, int64_t width, SmallVectorImpl<int64_t> &at) const;

private:
  const Layout &layout;
  VectorLane lane;
  int64_t numWarps, numVectors = 1, origin = 0;
  SmallVector<Digit> digits; ///< register digits outside the vector, the smallest stride first
  std::vector<std::optional<Coordinate>> threads;
};

/// Byte addresses of one access.
class AddressMap {
public:
  AddressMap(const TileAccess &access, int64_t sample);
  std::optional<int64_t> address(ArrayRef<int64_t> point) const;
  int64_t elementBytes() const { return bytes; }

private:
  std::optional<int64_t> slowAddress(ArrayRef<int64_t> point) const;

  AffineMap map;
  SmallVector<int64_t> strides, operands;
  int64_t bytes, numPoints;
  /// Of a linear map: the address of point 0 and the step of each axis.
  std::optional<SmallVector<int64_t>> linear;
  int64_t origin = 0;
};
} // namespace

PointTable::PointTable(const Layout &layout, const VectorLane &lane) : layout(layout), lane(lane) {
  numWarps = llvm::divideCeil(layout.threadSpan(), kWarp);
  int number = 0;
  for (Digit digit : layout.digits()) {
    if (digit.owner != Owner::Register)
      continue;
    if (number++ == lane.digit) {
      digit.weight *= lane.count;
      digit.radix /= lane.count;
      digit.stride *= lane.count;
    }
    if (digit.radix > 1)
      digits.push_back(digit);
    numVectors *= digit.radix;
  }
  llvm::stable_sort(digits, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  // Places as a layout of its own, without origins.
  LayoutParts parts = layout.description();
  for (int axis = 0; axis < layout.rank(); ++axis)
    parts.extents[axis] += layout.origins()[axis];
  parts.origins.clear();
  std::optional<Layout> places = Layout::get(std::move(parts));
  assert(places && "the digits of an axis cover its places");
  threads.resize(numWarps * kWarp);
  for (int64_t thread = 0; thread < layout.threadSpan(); ++thread)
    threads[thread] = places->at(thread, 0);
}

bool PointTable::point(int64_t thread, int64_t step, int64_t width, SmallVectorImpl<int64_t> &at) const {
  const std::optional<Coordinate> &start = threads[thread];
  if (!start)
    return false;
  at.assign(start->begin(), start->end());
  int64_t pieces = lane.count / width;
  if (lane.axis >= 0)
    at[lane.axis] += step % pieces * width;
  step /= pieces;
  for (const Digit &digit : digits) {
    at[digit.axis] += step % digit.radix * digit.weight;
    step /= digit.radix;
  }
  for (int axis = 0; axis < layout.rank(); ++axis) {
    if (layout.origins()[axis] != 0)
      at[axis] -= origin;
    if (at[axis] < 0 || at[axis] >= layout.extents()[axis])
      return false;
  }
  return true;
}

/// Sums of products with constants only.
static bool isLinear(AffineMap map) {
  bool linear = true;
  map.walkExprs([&](AffineExpr expr) {
    linear &= expr.getKind() != AffineExprKind::Mod && expr.getKind() != AffineExprKind::FloorDiv &&
              expr.getKind() != AffineExprKind::CeilDiv;
  });
  return linear;
}

AddressMap::AddressMap(const TileAccess &access, int64_t sample)
    : map(access.map), bytes(tile::elementBytes(access.type().getElementType())) {
  numPoints = map.getNumDims() - access.operands.size();
  operands.assign(map.getNumDims(), 0);
  // Values known at run time only: a few of them stand for all, so that odd pitches show.
  auto kernel = access.op->getParentOfType<KernelOp>();
  SmallVector<int64_t> blocks(kernel.getBlockIds().size(), sample);
  for (auto [number, operand] : llvm::enumerate(access.operands)) {
    std::optional<AffineExpr> expr = overBlocks(operand, kernel);
    operands[numPoints + number] = expr ? evaluateAffine(*expr, blocks).value_or(sample) : sample;
  }
  int64_t offset = 0;
  if (failed(access.type().getStridesAndOffset(strides, offset)))
    strides.assign(map.getNumResults(), kFarStride);
  for (int64_t &stride : strides)
    if (ShapedType::isDynamic(stride))
      stride = kFarStride;
  if (!isLinear(map))
    return;
  SmallVector<int64_t> point(numPoints, 0), steps;
  origin = slowAddress(point).value_or(0);
  for (int64_t axis = 0; axis < numPoints; ++axis) {
    point[axis] = 1;
    steps.push_back(slowAddress(point).value_or(0) - origin);
    point[axis] = 0;
  }
  linear = steps;
}

std::optional<int64_t> AddressMap::address(ArrayRef<int64_t> point) const {
  if (!linear)
    return slowAddress(point);
  int64_t result = origin;
  for (int64_t axis = 0; axis < numPoints; ++axis)
    result += point[axis] * (*linear)[axis];
  return result;
}

std::optional<int64_t> AddressMap::slowAddress(ArrayRef<int64_t> point) const {
  SmallVector<int64_t> values(operands);
  llvm::copy(point.take_front(numPoints), values.begin());
  int64_t element = 0;
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides)) {
    std::optional<int64_t> index = evaluateAffine(expr, values);
    if (!index)
      return std::nullopt;
    element += *index * stride;
  }
  return element * bytes;
}

/// Does every element of the access move by itself, whatever lies side by side? Atomics do, and what stands under a
/// condition or at a place that the body computes.
static bool movesAlone(const TileAccess &access) {
  auto loop = access.op->getParentOfType<ParallelOp>();
  if (!loop)
    return false;
  return isa<AtomicOp>(access.op) || access.op->getParentOp() != loop ||
         llvm::any_of(access.operands,
                      [&](Value operand) { return loop.getBody().isAncestor(operand.getParentRegion()); });
}

/// Elements that one instruction moves: as many neighbours along the lane as are aligned wherever we look.
static int64_t widthOf(const PointTable &points, const AddressMap &addresses, const VectorLane &lane) {
  for (int64_t width = std::min(lane.count, kVectorBytes / addresses.elementBytes()); width > 1; width /= 2) {
    bool fits = true;
    SmallVector<int64_t> at, next;
    for (int64_t thread : {0, 1, 2, 5, 31})
      for (int64_t step = 0, last = std::min<int64_t>(points.steps(width), 4); fits && step < last; ++step) {
        if (!points.point(std::min(thread, points.warps() * kWarp - 1), step, width, at))
          continue;
        next = at;
        ++next[lane.axis];
        std::optional<int64_t> first = addresses.address(at), second = addresses.address(next);
        fits &= first && second && *second - *first == addresses.elementBytes() &&
                *first % (width * addresses.elementBytes()) == 0;
      }
    if (fits)
      return width;
  }
  return 1;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// Adds up the requests of one access of memory.
class AccessCounter {
public:
  AccessCounter(const TileAccess &access, const PointTable &points, const VectorLane &lane)
      : access(access), points(points), lane(lane), space(spaceOf(access.type())) {}
  Pools count(const AddressMap &addresses);

private:
  void request(const MemoryRequest &request);
  void globalRequest(const MemoryRequest &request);

  const TileAccess &access;
  const PointTable &points;
  const VectorLane &lane;
  Space space;
  CostConstants constants;
  Pools pools;
  double path = 0, touched = 0;
  double storedBytes = 0, shortRunBytes = 0; ///< stored, and the same by what their runs cost
  llvm::DenseSet<int64_t> seen;              ///< sectors
};
} // namespace

void AccessCounter::globalRequest(const MemoryRequest &request) {
  GlobalCost cost = globalCost(request);
  if (cost.sectors == 0)
    return;
  touched += cost.sectors;
  path += constants.lineClocks * cost.lines + constants.sectorClocks * cost.sectors;
  for (int64_t address : request.address)
    if (address >= 0)
      for (int64_t sector = address / 32; sector <= (address + request.bytes - 1) / 32; ++sector)
        seen.insert(sector);
  double waves = wavefronts(request);
  pools.data += access.isStore ? waves : std::max({waves, cost.lines / 4.0, constants.hitClocks});
  if (!access.isStore)
    return;
  int64_t runs = 0;
  SmallVector<int64_t> sorted;
  llvm::copy_if(request.address, std::back_inserter(sorted), [](int64_t address) { return address >= 0; });
  llvm::sort(sorted);
  for (size_t i = 0; i < sorted.size(); ++i)
    runs += i == 0 || sorted[i] > sorted[i - 1] + request.bytes;
  double bytes = double(sorted.size()) * request.bytes;
  storedBytes += bytes;
  shortRunBytes += bytes * constants.shortRunFactor(bytes / runs);
}

void AccessCounter::request(const MemoryRequest &request) {
  pools.requests += 1;
  pools.issue += 2;
  if (space == Space::Global)
    return globalRequest(request);
  // Which layout the tile will get is decided later, by all of its accesses; it keeps the widest pieces whole.
  pools.data += chunkBound(request, std::max(request.bytes, 4));
}

Pools AccessCounter::count(const AddressMap &addresses) {
  bool isAlone = movesAlone(access);
  int64_t width = isAlone ? 1 : widthOf(points, addresses, lane);
  int64_t steps = points.steps(width), warps = points.warps();
  int64_t someSteps = std::min(steps, std::max<int64_t>(kMostRequests / warps, 4));
  int64_t someWarps = std::min(warps, std::max<int64_t>(kMostRequests / someSteps, 1));
  MemoryRequest last;
  SmallVector<int64_t> at;
  for (int64_t warp = 0; warp < someWarps; ++warp) {
    std::set<decltype(MemoryRequest::address)> before;
    for (int64_t step = 0; step < someSteps; ++step) {
      MemoryRequest one;
      one.bytes = width * addresses.elementBytes();
      bool isActive = false;
      for (int64_t i = 0; i < kWarp; ++i) {
        if (!points.point(warp * kWarp + i, step, width, at))
          continue;
        one.address[i] = addresses.address(at).value_or(0);
        isActive |= one.address[i] >= 0;
      }
      // What does not change from step to step stays in a register; what may be read ahead, also from further back.
      if (isAlone && step > 0)
        before = {last.address};
      if (isActive && before.insert(one.address).second)
        request(one);
      last = one;
    }
  }
  double times = double(steps) * warps / (double(someSteps) * someWarps);
  if (space == Space::Global) {
    double fresh = touched == 0 ? 0 : std::min(1.0, seen.size() / touched);
    pools.path += path * (access.isStore ? 1 : fresh);
    double shortRuns = storedBytes == 0 ? 1 : shortRunBytes / storedBytes;
    pools.dram += 32.0 * seen.size() / constants.dramBytes * shortRuns;
  }
  return pools * times;
}

/// Averages over a few values of what is known at run time only, where they change the alignment.
static Pools countAccess(const TileAccess &access, PointTable &points, const VectorLane &lane) {
  const AddressMap samples[] = {{access, 0}, {access, 1}, {access, 2}, {access, 3}};
  SmallVector<int64_t> origin(access.map.getNumDims(), 0);
  std::optional<int64_t> a = samples[0].address(origin), b = samples[1].address(origin);
  auto kernel = access.op->getParentOfType<KernelOp>();
  bool isEven = !kernel.getOrigin() && (!a || !b || (*b - *a) % 128 == 0);
  if (isEven)
    return AccessCounter(access, points, lane).count(samples[0]);
  Pools sum;
  for (auto [block, sample] : llvm::enumerate(samples)) {
    points.setOrigin(originIn(kernel, static_cast<int64_t>(block)));
    sum += AccessCounter(access, points, lane).count(sample);
  }
  return sum * 0.25;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

OpCost tile::conversionCost(const ConversionPlan &plan, MemRefType type) {
  OpCost cost;
  cost.pools = plan.pools;
  bool isShared = plan.kind == ConversionKind::Shared;
  cost.sharedBytes = isShared ? tileBytes(type) : 0;
  cost.conversions = isShared || plan.kind == ConversionKind::Shuffles;
  return cost;
}

static SmallVector<std::optional<int64_t>> constantExtents(Operation *loop) {
  return llvm::TypeSwitch<Operation *, SmallVector<std::optional<int64_t>>>(loop)
      .Case<SerialOp, UnrolledOp, PipelinedOp>([](auto op) { return op.getConstantExtents(); });
}

/// Trips of the loops around `op` and inside `within`.
static double tripsWithin(Operation *op, Operation *within) {
  constexpr double kUnknownTrips = 8;
  double trips = 1;
  for (Operation *outer = op->getParentOp(); outer && outer != within; outer = outer->getParentOp()) {
    if (isa<SerialOp, UnrolledOp, PipelinedOp>(outer)) {
      for (std::optional<int64_t> extent : constantExtents(outer))
        trips *= extent ? std::max<int64_t>(*extent, 0) : kUnknownTrips;
    } else if (isa<LoopLikeOpInterface>(outer)) {
      trips *= kUnknownTrips;
    }
  }
  return trips;
}

double tile::tripsOf(Operation *op) {
  return tripsWithin(op, op->getParentOfType<KernelOp>());
}

/// Instructions of one point of a loop body.
static Pools arithmeticOf(Operation *op) {
  Pools sum;
  op->walk([&](Operation *inner) {
    Pools pools;
    if (isa<math::ExpOp, math::Exp2Op, math::LogOp, math::RsqrtOp, math::SqrtOp, math::TanhOp, arith::DivFOp>(inner)) {
      pools.special += 1;
      pools.issue += 4;
    } else if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp, arith::ExtFOp>(inner)) {
      pools.full += 1;
      pools.issue += 1;
    } else if (inner->getNumResults() == 1 && inner->getResult(0).getType().isIntOrIndexOrFloat() &&
               !isa<LoadOp, arith::ConstantOp>(inner)) {
      pools.half += 1;
      pools.issue += 1;
    }
    sum += pools * tripsWithin(inner, op);
  });
  return sum;
}

/// The conversions of the fragments that the op does not find in its own threads.
static OpCost conversionsOf(Operation *op, const Layout &layout, ArrayRef<TileAccess> accesses,
                            FragmentLayouts fragments) {
  OpCost cost;
  DenseSet<Value> seen;
  for (const TileAccess &access : accesses) {
    Value root = rootOf(access.buffer);
    const Layout *held = spaceOf(access.type()) == Space::Fragment ? fragments(root) : nullptr;
    if (!held || !seen.insert(root).second || isLocal(layout, accesses, root, *held))
      continue;
    auto type = cast<MemRefType>(root.getType());
    if (copiesWholeFragment(op))
      if (const Layout *source = fragments(op->getOperand(0)), *target = fragments(cast<CopyOp>(op).getTarget());
          source && target)
        if (ConversionPlan direct = planCopy(op, *source, *target); direct.kind != ConversionKind::Shared)
          return conversionCost(direct, type);
    cost += conversionCost(planConversion(op, layout, accesses, root, *held), type);
  }
  return cost;
}

/// Of a reduction or scan: a source that is laid out otherwise, and targets that are held otherwise than it leaves
/// them.
static OpCost conversionsAlongAxis(Operation *op, const Layout &layout, FragmentLayouts fragments) {
  OpCost cost;
  auto add = [&](Value fragment, const Layout &own, bool isRead, bool isWritten) {
    const Layout *held = fragments(fragment);
    if (!held || held->extents() != own.extents())
      return;
    auto type = cast<MemRefType>(fragment.getType());
    if (isRead)
      cost += conversionCost(planCopy(op, *held, own), type);
    if (isWritten)
      cost += conversionCost(planCopy(op, own, *held), type);
  };
  add(op->getOperand(0), layout, /*isRead=*/true, /*isWritten=*/false);
  auto reduce = dyn_cast<ReduceOp>(op);
  bool isScan = isa<ScanOp>(op), isRead = reduce && reduce.getAccumulate();
  Layout result = isScan   ? layout
                  : reduce ? reducedLayout(layout, static_cast<int>(reduce.getDim()))
                           : reducedLayout(layout, static_cast<int>(cast<ArgReduceOp>(op).getDim()));
  for (Value target : llvm::drop_begin(op->getOperands()))
    add(target, result, isRead, /*isWritten=*/true);
  return cost;
}

OpCost tile::costOf(Operation *op, const Layout &layout, FragmentLayouts fragments) {
  OpCost cost;
  if (isa<ReduceOp, ArgReduceOp, ScanOp>(op)) {
    cost = costAlongAxis(op, layout);
    cost += conversionsAlongAxis(op, layout, fragments);
    return cost;
  }
  cost.isExact = layout.coversExactly() && layout.numActiveThreads() == layout.threads();
  SmallVector<TileAccess> accesses = accessesOf(op);
  VectorLane lane = chooseVectorLane(layout, accesses);
  PointTable points(layout, lane);
  double perThread = layout.numRegisters(), warps = points.warps();
  cost.pools += arithmeticOf(op) * (perThread * warps);
  if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getCast())
    cost.pools.half += perThread * warps;
  if (layout.hasMasks()) {
    // Every point asks whether it exists; the points of a vector together, if the end does not cut it.
    bool isCut = lane.axis >= 0 && (layout.origins()[lane.axis] != 0 || layout.extents()[lane.axis] % lane.count != 0);
    double questions = perThread / (isCut ? 1 : lane.count) * warps;
    cost.pools.half += 2 * questions;
    cost.pools.issue += 2 * questions;
  }
  for (const Digit &digit : layout.digits())
    if (digit.owner == Owner::Thread && digit.axis == std::max(lane.axis, 0))
      cost.contiguousLanes = std::max(cost.contiguousLanes, digit.radix);
  for (const TileAccess &access : accesses)
    if (Space space = spaceOf(access.type()); space == Space::Global || space == Space::Shared)
      cost.pools += countAccess(access, points, lane) * tripsWithin(access.op, op);
  cost += conversionsOf(op, layout, accesses, fragments);
  return cost;
}
