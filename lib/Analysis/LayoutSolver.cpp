// LayoutSolver.cpp - seeds, completion by the rules, and descent op by op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutSolver.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/Origin.h"
#include "tile/Analysis/WidthHint.h"
#include "tile/Layout/DefaultLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tile;

/// Solutions within this factor of the best tie.
static constexpr double kTie = 1.02;
/// Candidates of an op that are tried in company, and solutions that are worked on.
static constexpr size_t kMostSeeds = 8, kMostImproved = 4, kMostRounds = 3;

LayoutSolver::LayoutSolver(KernelOp kernel) : kernel(kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto alloc = dyn_cast<AllocSharedOp>(op))
      sharedBytes += tileBytes(alloc.getType());
    if (!isa<LayoutOpInterface>(op))
      return;
    ops.push_back(op);
    trips.push_back(tripsOf(op));
  });
  // A fragment used in a loop that does not define it lives as long as the loop: approximated by its first and last op.
  for (auto [number, op] : llvm::enumerate(ops)) {
    SmallVector<Value> buffers;
    if (isa<ReduceOp, ArgReduceOp, ScanOp>(op))
      for (Value operand : op->getOperands())
        buffers.push_back(rootOf(operand));
    for (const TileAccess &access : accessesOf(op))
      buffers.push_back(rootOf(access.buffer));
    llvm::erase_if(buffers, [](Value root) { return !isa_and_nonnull<AllocFragmentOp>(root.getDefiningOp()); });
    touched.push_back(buffers);
    for (Value root : buffers) {
      auto [entry, isNew] = lifetimes.insert({root, {number, number}});
      entry->second.second = number;
    }
  }
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

const OpCost &LayoutSolver::cachedCost(size_t number, const LayoutInference &layouts) {
  Operation *op = ops[number];
  std::vector<const void *> key = {op, layouts.operationAttr(op).getAsOpaquePointer()};
  for (Value root : touched[number])
    if (DistributedAttr fragment = layouts.fragmentAttr(root))
      key.push_back(fragment.getAsOpaquePointer());
  auto [entry, isNew] = costs.try_emplace(key);
  if (isNew)
    entry->second = tile::costOf(op, *layouts.operation(op), [&](Value root) { return layouts.fragment(root); });
  return entry->second;
}

SolutionCost LayoutSolver::costOf(const LayoutInference &layouts) {
  SolutionCost cost;
  cost.shape.threads = layouts.threads();
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (!layouts.operation(op))
      continue;
    OpCost one = cachedCost(number, layouts);
    one.pools = one.pools * trips[number];
    cost.total += one;
  }
  for (size_t number = 0; number < ops.size(); ++number) {
    int64_t bytes = 0;
    for (const auto &[root, life] : lifetimes)
      if (life.first <= number && number <= life.second)
        if (const Layout *layout = layouts.fragment(root))
          bytes += layout->numRegisters() * elementBytes(cast<MemRefType>(root.getType()).getElementType());
    cost.shape.registers = std::max(cost.shape.registers, (bytes + 3) / 4);
  }
  cost.shape.sharedBytes = sharedBytes + cost.total.sharedBytes;
  cost.time = blockTime(cost.total.pools, cost.shape);
  return cost;
}

/// What decides between solutions of about the same time; less is better.
static auto tieOrder(const SolutionCost &cost) {
  const Pools &pools = cost.total.pools;
  return std::make_tuple(!cost.total.isExact, pools.barriers, pools.requests, pools.issue, cost.shape.registers,
                         -cost.total.contiguousLanes);
}

/// Sorts by time, but what ties with the fastest by the tie order.
template <typename Range, typename GetCost> static void sortByCost(Range &range, GetCost costOf) {
  double fastest = std::numeric_limits<double>::max();
  for (const auto &entry : range)
    fastest = std::min(fastest, costOf(entry).time.clocks);
  llvm::stable_sort(range, [&](const auto &a, const auto &b) {
    const SolutionCost &left = costOf(a), &right = costOf(b);
    bool isLeftTied = left.time.clocks <= kTie * fastest, isRightTied = right.time.clocks <= kTie * fastest;
    if (isLeftTied && isRightTied)
      return tieOrder(left) < tieOrder(right);
    return left.time.clocks < right.time.clocks;
  });
}

/// All solutions, the best first.
std::vector<size_t> LayoutSolver::ranking() const {
  std::vector<size_t> order(solutions.size());
  std::iota(order.begin(), order.end(), size_t(0));
  sortByCost(order, [&](size_t number) -> const SolutionCost & { return solutions[number].cost; });
  return order;
}

/// Clocks of the pipe that a limit speaks of; 0 if it speaks of none.
static double clocksOf(Limit limit, const Pools &pools) {
  switch (limit) {
  case Limit::Data:
    return pools.data;
  case Limit::Path:
    return pools.path;
  case Limit::L2:
    return pools.l2;
  case Limit::Dram:
    return pools.dram;
  default:
    return 0;
  }
}

/// What the other solution has more of: the pipe that limits it if that is most of the difference, else the weightiest
/// count; what limits it if it has more of nothing.
static std::string burdenOf(const SolutionCost &other, const SolutionCost &chosen) {
  double full = clocksOf(other.time.limit, other.total.pools), was = clocksOf(other.time.limit, chosen.total.pools);
  if (was > 0 && full >= 1.01 * was && full - was >= (other.time.clocks - chosen.time.clocks) / 2)
    return llvm::formatv("needs {0:f0} % more {1}", (full / was - 1) * 100, describe(other.time.limit));
  auto more = [](double got, double less, StringRef what) {
    return llvm::formatv("needs {0:f0} more {1}{2}", got - less, what, got - less == 1 ? "" : "s").str();
  };
  const Pools &pools = other.total.pools, &fewer = chosen.total.pools;
  if (other.total.conversions > chosen.total.conversions)
    return more(other.total.conversions, chosen.total.conversions, "conversion");
  if (pools.barriers - fewer.barriers >= 1)
    return more(pools.barriers, fewer.barriers, "barrier");
  if (std::floor(other.time.resident) < std::floor(chosen.time.resident))
    return llvm::formatv("runs {0:f0} blocks at a time, not {1:f0}", std::floor(other.time.resident),
                         std::floor(chosen.time.resident));
  if (pools.requests - fewer.requests >= 1)
    return more(pools.requests, fewer.requests, "memory request");
  return "is limited by " + std::string(describe(other.time.limit));
}

std::string tile::reasonOver(const SolutionCost &chosen, const SolutionCost *other) {
  std::string limit;
  if (chosen.isKnown())
    limit = "; limited by " + std::string(describe(chosen.time.limit));
  if (!other)
    return "no other layout was compared" + limit;
  const Pools &pools = chosen.total.pools, &more = other->total.pools;
  // The order is that of `tieOrder`.
  std::tuple<bool, double, double, StringRef> steps[] = {
      {true, !chosen.total.isExact, !other->total.isExact, "without masks or idle threads"},
      {true, pools.barriers, more.barriers, "with fewer barriers"},
      {true, pools.requests, more.requests, "with fewer memory requests"},
      {true, pools.issue, more.issue, "with fewer instructions"},
      {true, double(chosen.shape.registers), double(other->shape.registers), "with fewer registers"},
      {false, double(chosen.total.contiguousLanes), double(other->total.contiguousLanes),
       "with more lanes side by side on the contiguous axis"}};
  bool isTied = other->time.clocks <= kTie * chosen.time.clocks;
  for (auto [isLessBetter, mine, theirs, words] : steps) {
    if (!isTied || mine == theirs)
      continue;
    if ((mine < theirs) == isLessBetter)
      return "as fast as the runner-up within 2 %, " + words.str();
    break;
  }
  double percent = (other->time.clocks / chosen.time.clocks - 1) * 100;
  if (std::abs(percent) < 0.05)
    return "no other layout is faster" + limit;
  if (percent < 0)
    return "as fast as the runner-up within 2 %" + limit;
  return llvm::formatv("{0} % faster than the runner-up, which {1}",
                       llvm::formatv(percent < 9.5 ? "{0:f1}" : "{0:f0}", percent).str(), burdenOf(*other, chosen));
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Completes and keeps a solution; false if it is known.
bool LayoutSolver::add(LayoutInference layouts, bool isComplete) {
  if (!isComplete)
    layouts.complete();
  std::vector<const void *> key;
  for (Operation *op : ops)
    key.push_back(layouts.operationAttr(op).getAsOpaquePointer());
  for (const auto &[root, life] : lifetimes)
    key.push_back(layouts.fragmentAttr(root).getAsOpaquePointer());
  if (!known.insert({key, solutions.size()}).second)
    return false;
  SolutionCost cost = costOf(layouts);
  solutions.push_back({std::move(layouts), cost});
  return true;
}

/// The axes along which some access of memory is contiguous, and the smallest element there.
static llvm::MapVector<int, int64_t> leadAxes(Operation *op, size_t rank) {
  llvm::MapVector<int, int64_t> leads;
  for (const TileAccess &access : accessesOf(op)) {
    Space space = spaceOf(access.type());
    AffineExpr index = contiguousIndex(access);
    if ((space != Space::Global && space != Space::Shared) || !index)
      continue;
    for (size_t axis = 0; axis < rank; ++axis)
      if (index.isFunctionOfDim(axis)) {
        int64_t bytes = elementBytes(access.type().getElementType());
        auto [entry, isNew] = leads.insert({static_cast<int>(axis), bytes});
        entry->second = std::min(entry->second, bytes);
      }
  }
  return leads;
}

/// Candidates whose axis counts from the kernel's origin, in its vectors: as many places more as the origin may be.
/// Their ends are asked about in any case, so idle threads save nothing: what more threads do with as many registers,
/// they do.
std::vector<Layout> LayoutSolver::shiftedLayouts(Extents extents, int64_t bytes, int axis) {
  auto vector = static_cast<int64_t>(kernel.getOriginVector()), threads = static_cast<int64_t>(kernel.getThreads());
  int64_t elements = std::accumulate(extents.begin(), extents.end(), int64_t(1), std::multiplies<>());
  extents[axis] += vector - 1;
  auto width = [&](const Layout &layout) { return layout.axisDigits(axis).front().radix; };
  std::vector<Layout> layouts, kept;
  for (const Layout &places : candidateLayouts(extents, bytes, axis, threads, kVectorBytes / bytes)) {
    LayoutParts parts = places.description();
    parts.extents[axis] -= vector - 1;
    parts.origins.assign(extents.size(), 0);
    parts.origins[axis] = vector - 1;
    std::optional<Layout> layout = Layout::get(std::move(parts));
    if (layout && (elements < threads * vector || width(*layout) == vector))
      layouts.push_back(std::move(*layout));
  }
  for (const Layout &layout : layouts)
    if (llvm::none_of(layouts, [&](const Layout &other) {
          return width(other) == width(layout) && other.numActiveThreads() > layout.numActiveThreads() &&
                 other.numRegisters() <= layout.numRegisters();
        }))
      kept.push_back(layout);
  return kept;
}

/// Layouts of every width along this axis, or of the one that the op asks for.
static std::vector<Layout> layoutsAlong(Operation *op, const Extents &extents, int axis, int64_t elementBytes,
                                        int64_t threads) {
  std::optional<WidthHint> hint = widthHintOf(op);
  if (!hint)
    return candidateLayouts(extents, elementBytes, axis, threads, kVectorBytes / elementBytes);
  std::vector<Layout> kept;
  if (hint->axis == axis)
    for (const Layout &layout : layoutsOfWidth(extents, *hint, elementBytes, threads))
      if (keepsWidth(op, layout))
        kept.push_back(layout);
  return kept;
}

/// Candidates of an op, the cheapest alone first.
std::vector<Layout> LayoutSolver::candidates(Operation *op) {
  if (op->hasAttr("layout") || isa<ReduceOp, ArgReduceOp, ScanOp>(op))
    return {};
  SmallVector<int64_t> extents = pointExtents(op);
  if (llvm::any_of(extents, ShapedType::isDynamic))
    return {};
  auto threads = static_cast<int64_t>(kernel.getThreads());
  std::vector<std::pair<Layout, SolutionCost>> ranked;
  auto rank = [&](Layout layout) {
    SolutionCost cost;
    cost.total = tile::costOf(op, layout, [](Value) { return nullptr; });
    cost.shape = {threads, layout.numRegisters(), sharedBytes};
    cost.time = blockTime(cost.total.pools, cost.shape);
    ranked.push_back({std::move(layout), cost});
  };
  // A width that the op asks for holds for every row, wherever it begins.
  std::optional<int> shifted = widthHintOf(op) ? std::nullopt : originAxis(op);
  for (auto [axis, bytes] : leadAxes(op, extents.size())) {
    Extents box(extents.begin(), extents.end());
    for (Layout &layout : layoutsAlong(op, box, axis, bytes, threads))
      rank(std::move(layout));
    if (shifted == axis)
      for (Layout &layout : shiftedLayouts(box, bytes, axis))
        rank(std::move(layout));
  }
  sortByCost(ranked, [](const auto &entry) -> const SolutionCost & { return entry.second; });
  std::vector<Layout> layouts;
  for (auto &[layout, cost] : ranked)
    if (layouts.size() < kMostSeeds && !llvm::is_contained(layouts, layout))
      layouts.push_back(std::move(layout));
  return layouts;
}

/// Changes one op after the other; true if a better solution was found.
bool LayoutSolver::improve(size_t number) {
  size_t before = ranking().front();
  for (Operation *op : ops)
    for (const Layout &layout : seeds[op]) {
      LayoutInference changed = solutions[number].layouts;
      changed.replaceOperation(op, layout);
      add(std::move(changed), /*isComplete=*/true);
    }
  return ranking().front() != before;
}

const LayoutSolution &LayoutSolver::solve() {
  LayoutInference pins(kernel);
  add(pins);
  for (Operation *op : ops)
    seeds[op] = candidates(op);
  for (Operation *op : ops)
    for (const Layout &seed : seeds[op]) {
      LayoutInference seeded = pins;
      seeded.decideOperation(op, seed);
      add(std::move(seeded));
    }
  // A single op has nothing to disagree with.
  for (size_t round = 0; ops.size() > 1 && round < kMostRounds; ++round) {
    std::vector<size_t> order = ranking();
    bool isBetter = false;
    for (size_t i = 0; i < std::min(order.size(), round == 0 ? kMostImproved : size_t(1)); ++i)
      isBetter |= improve(order[i]);
    if (!isBetter)
      break;
  }
  best = ranking().front();
  return solutions[best];
}

const LayoutSolution *LayoutSolver::runnerUp(Value fragment) const {
  return runnerUp([&](const LayoutInference &layouts) { return layouts.fragment(fragment); });
}

const LayoutSolution *LayoutSolver::runnerUp(Operation *op) const {
  return runnerUp([&](const LayoutInference &layouts) { return layouts.operation(op); });
}

const LayoutSolution *
LayoutSolver::runnerUp(llvm::function_ref<const Layout *(const LayoutInference &)> layoutIn) const {
  const Layout *chosen = layoutIn(solutions[best].layouts);
  for (size_t number : ranking()) {
    const Layout *other = layoutIn(solutions[number].layouts);
    if (chosen && other && !(*other == *chosen))
      return &solutions[number];
  }
  return nullptr;
}

void LayoutSolver::print(raw_ostream &os) const {
  for (size_t number : ranking()) {
    const SolutionCost &cost = solutions[number].cost;
    const Pools &pools = cost.total.pools;
    os << llvm::formatv("solution {0}: {1:f1} clocks a block, {2:f0} blocks at a time, limited by {3}\n", number,
                        cost.time.clocks, cost.time.resident, describe(cost.time.limit));
    os << llvm::formatv("  data {0:f1} path {1:f1} dram {2:f1} issue {3:f0} half {4:f0} full {5:f0} special {6:f0} "
                        "latency {7:f0} barriers {8:f0} requests {9:f0} registers {10} conversions {11}{12}\n",
                        pools.data, pools.path, pools.dram, pools.issue, pools.half, pools.full, pools.special,
                        pools.latency, pools.barriers, pools.requests, cost.shape.registers, cost.total.conversions,
                        cost.total.isExact ? "" : " (masks or idle threads)");
    for (Operation *op : ops)
      if (const Layout *layout = solutions[number].layouts.operation(op))
        os << "  " << describe(op) << ": " << layout->toString() << '\n';
  }
}
