// Hazards.cpp - see Hazards.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Hazards.h"

#include "TripDistance.h"

#include "tile/Analysis/Intervals.h"
#include "tile/Analysis/PointEvaluator.h"
#include "tile/Analysis/ThreadBytes.h"
#include "tile/Analysis/Uniformity.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

#include <set>
#include <utility>

using namespace mlir;
using namespace tile;
using namespace tile::simt;

//===----------------------------------------------------------------------===//
// Pairs of accesses
//===----------------------------------------------------------------------===//

namespace {
/// Decides whether two accesses of a kernel may touch one byte from different threads, one of them writing.
class Conflicts {
public:
  explicit Conflicts(KernelOp kernel) : kernel(kernel), intervals(kernel), maps(kernel) {}

  bool mayConflict(const MemoryAccess &a, const MemoryAccess &b) {
    if ((!a.isWrite && !b.isWrite) || (a.isAtomic && b.isAtomic) || (a.isExplicit && b.isExplicit) ||
        a.space != b.space)
      return false;
    if (!a.root.buffer || !b.root.buffer)
      return true;
    return a.space == simt::Space::Shared ? mayConflictInShared(a, b) : mayConflictInGlobal(a, b);
  }

  /// Whether a thread may touch by `other` what its own `write` brings to shared memory; with `loop`, in a later trip
  /// of that loop than it began.
  bool mayTouch(const MemoryAccess &write, const MemoryAccess &other, Operation *loop) {
    if (other.space != simt::Space::Shared || !areInOnePlace(write, other))
      return false;
    return !loop || !areApartInLaterTrips(write, other, cast<scf::ForOp>(loop), intervals);
  }

private:
  ByteRange rangeOf(const MemoryAccess &access);
  bool areInOnePlace(const MemoryAccess &a, const MemoryAccess &b);
  bool mayConflictInShared(const MemoryAccess &a, const MemoryAccess &b);
  bool mayConflictInGlobal(const MemoryAccess &a, const MemoryAccess &b);
  bool isRestrict(Value parameter);

  KernelOp kernel;
  Intervals intervals;
  ThreadByteMaps maps;
};
} // namespace

/// The bytes of the arena an access can touch; a legal index stays inside its buffer.
ByteRange Conflicts::rangeOf(const MemoryAccess &access) {
  auto type = cast<MemRefType>(access.buffer.getType());
  int64_t width = std::max<int64_t>(access.widthBytes / access.elementBytes, 1);
  Interval index = intervals.of(access.index), legal{0, type.getNumElements() - width};
  index = {std::max(index.low, legal.low), std::min(index.high, legal.high)};
  int64_t begin = access.root.byteOffset + access.root.buffer.getDefiningOp<SharedOp>().getOffset().value_or(0);
  return {begin + index.low * access.elementBytes, begin + index.high * access.elementBytes + access.widthBytes};
}

bool Conflicts::areInOnePlace(const MemoryAccess &a, const MemoryAccess &b) {
  auto first = a.root.buffer.getDefiningOp<SharedOp>(), second = b.root.buffer.getDefiningOp<SharedOp>();
  if (first != second && (!first.getOffset() || !second.getOffset()))
    return false; // no place yet: distinct memory
  return rangeOf(a).overlaps(rangeOf(b));
}

bool Conflicts::mayConflictInShared(const MemoryAccess &a, const MemoryAccess &b) {
  if (a.root.buffer == b.root.buffer && a.root.buffer.getDefiningOp()->hasAttr(kAlternates))
    return false;
  return areInOnePlace(a, b) && maps.mayMeet(a, b);
}

bool Conflicts::isRestrict(Value parameter) {
  auto promised = kernel.getRestrictParameters();
  return promised && llvm::is_contained(*promised, int64_t(cast<BlockArgument>(parameter).getArgNumber()));
}

bool Conflicts::mayConflictInGlobal(const MemoryAccess &a, const MemoryAccess &b) {
  if (a.root.buffer != b.root.buffer)
    return !isRestrict(a.root.buffer) && !isRestrict(b.root.buffer);
  return maps.mayMeet(a, b);
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

namespace {
/// Accesses since the last barrier; `aged` are those that a note has closed off, so that another tile op follows.
///
/// `flights` are writes that may not have arrived. Each names the outermost `scf.for` around in an earlier trip of
/// which it began; null where nothing is known of trips. A barrier does not end them: for other threads they happen
/// when their own thread awaits them.
struct Pending {
  llvm::BitVector all, aged;
  std::set<std::pair<unsigned, Operation *>> flights;

  explicit Pending(unsigned count) : all(count), aged(count) {}
  void barrier() {
    all.reset();
    for (auto [access, loop] : flights)
      all.set(access);
    aged = all;
  }
  void join(const Pending &other) {
    all |= other.all;
    aged |= other.aged;
    flights.insert(other.flights.begin(), other.flights.end());
  }
  /// The next trip of a loop that was entered with `entry`.
  void nextTrip(Operation *loop, const Pending &entry) {
    Operation *carrier = isa<scf::ForOp>(loop) ? loop : nullptr;
    for (const auto &flight : std::exchange(flights, {}))
      flights.insert(entry.flights.contains(flight) ? flight : std::pair(flight.first, carrier));
  }
  /// Behind a loop its trips are no longer told apart.
  void leave(Operation *loop) {
    for (auto [access, carrier] : std::exchange(flights, {}))
      flights.insert({access, carrier && loop->isAncestor(carrier) ? nullptr : carrier});
  }
  bool operator==(const Pending &other) const = default;
};

using Pair = std::pair<unsigned, unsigned>;
using Pairs = llvm::SetVector<Pair>;

/// What is in the way of accesses: other threads, or writes of the thread itself that have not arrived.
struct Found {
  Pairs hazards, flights;
};

/// Carries pending accesses through structured control flow, over back edges to a fixed point.
class HazardFlow {
public:
  explicit HazardFlow(KernelOp kernel);

  /// Puts barriers in; what is found afterwards no barrier can resolve.
  void insert();
  SmallVector<Hazard> find();

private:
  // Looking only: conflicts go to `found`.
  void look(Block &block, Pending &pending, Found &found);
  void look(Operation *op, Pending &pending, Found &found);
  void lookAtIf(scf::IfOp op, Pending &pending, Found &found);
  void lookAtFor(scf::ForOp op, Pending &pending, Found &found);
  void lookAtWhile(scf::WhileOp op, Pending &pending, Found &found);
  // Putting barriers in; all threads are here together.
  void insert(Block &block, Pending &pending);
  void insert(Operation *op, Pending &pending);
  void insertInLoop(Operation *loop);

  void check(unsigned access, const Pending &pending, Found &found);
  void enter(unsigned access, Pending &pending);
  bool mayConflict(unsigned first, unsigned second);
  bool keepApart(unsigned first, unsigned second) const;
  void putBarrierBefore(Operation *op, Pending &pending);
  void putAwaitBefore(Operation *op, Pending &pending);
  void awaitAtOnceIn(Operation *op);
  Pending nothing() const { return Pending(accesses.size()); }

  KernelOp kernel;
  Uniformity uniformity;
  Conflicts conflicts;
  SmallVector<MemoryAccess> accesses;
  DenseMap<Operation *, SmallVector<unsigned, 2>> accessNumbers;
  DenseMap<Pair, bool> decided;
  bool hasNotes = false;
  unsigned opsPut = 0;
  unsigned divergentDepth = 0;
};
} // namespace

HazardFlow::HazardFlow(KernelOp kernel) : kernel(kernel), uniformity(kernel), conflicts(kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasNotes |= isa<NoteOp>(op);
    for (MemoryAccess &access : memoryAccesses(op)) {
      accessNumbers[op].push_back(accesses.size());
      accesses.push_back(access);
    }
  });
}

bool HazardFlow::mayConflict(unsigned first, unsigned second) {
  auto [place, isNew] = decided.try_emplace(std::minmax(first, second), false);
  if (isNew) {
    bool result = conflicts.mayConflict(accesses[first], accesses[second]);
    decided[std::minmax(first, second)] = result;
    return result;
  }
  return place->second;
}

/// Inside one tile op no access meets itself: its points are distinct. Two buffers may have one place.
bool HazardFlow::keepApart(unsigned first, unsigned second) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  bool areOwn = a.op->hasAttr(kOwnPoint) && b.op->hasAttr(kOwnPoint) && a.root.buffer == b.root.buffer;
  return (first == second && !a.isExplicit) || areOwn;
}

void HazardFlow::check(unsigned access, const Pending &pending, Found &found) {
  // Inside one tile op global accesses are unordered: the program promised that they do not meet.
  const llvm::BitVector &others = accesses[access].space == simt::Space::Global ? pending.aged : pending.all;
  for (unsigned other : others.set_bits())
    if (!(hasNotes && !pending.aged[other] && keepApart(other, access)) && mayConflict(other, access))
      found.hazards.insert({other, access});
  for (auto [other, loop] : pending.flights)
    if (conflicts.mayTouch(accesses[other], accesses[access], loop))
      found.flights.insert({other, access});
}

static bool isFlight(const MemoryAccess &access) {
  auto move = dyn_cast<MoveOp>(access.op);
  return move && move.getAsync() && access.isWrite;
}

void HazardFlow::enter(unsigned access, Pending &pending) {
  pending.all.set(access);
  if (isFlight(accesses[access]))
    pending.flights.insert({access, nullptr});
  if (!hasNotes)
    pending.aged.set(access);
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

void HazardFlow::look(Block &block, Pending &pending, Found &found) {
  for (Operation &op : block)
    look(&op, pending, found);
}

void HazardFlow::look(Operation *op, Pending &pending, Found &found) {
  if (isa<BarrierOp>(op) && divergentDepth == 0)
    return pending.barrier();
  if (isa<AwaitOp>(op))
    return pending.flights.clear();
  if (isa<NoteOp>(op)) {
    pending.aged |= pending.all;
    return;
  }
  if (auto known = accessNumbers.find(op); known != accessNumbers.end()) {
    for (unsigned access : known->second)
      check(access, pending, found);
    for (unsigned access : known->second)
      enter(access, pending);
    return;
  }
  if (op->getNumRegions() == 0)
    return;
  bool isDivergent = uniformity.isDivergent(op);
  divergentDepth += isDivergent;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    lookAtIf(branch, pending, found);
  else if (auto loop = dyn_cast<scf::ForOp>(op))
    lookAtFor(loop, pending, found);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    lookAtWhile(loop, pending, found);
  divergentDepth -= isDivergent;
}

void HazardFlow::lookAtIf(scf::IfOp op, Pending &pending, Found &found) {
  Pending before = pending;
  look(*op.thenBlock(), pending, found);
  // Where threads disagree, both branches run at once: the second also meets what the first did.
  Pending other = uniformity.isDivergent(op) ? pending : before;
  other.flights = before.flights; // a thread comes through one of them
  other.join(before);
  if (op.elseBlock())
    look(*op.elseBlock(), other, found);
  pending.join(other);
}

void HazardFlow::lookAtFor(scf::ForOp op, Pending &pending, Found &found) {
  Pending back = nothing();
  while (true) {
    Pending inside = pending;
    inside.join(back);
    look(*op.getBody(), inside, found);
    inside.nextTrip(op, pending);
    Pending grown = back;
    grown.join(inside);
    if (grown == back)
      break;
    back = grown;
  }
  std::optional<ConstantLoop> known = constantLoop(op.getInductionVar());
  if (known && known->trips > 0)
    pending = back;
  else
    pending.join(back);
  pending.leave(op);
}

void HazardFlow::lookAtWhile(scf::WhileOp op, Pending &pending, Found &found) {
  Pending back = nothing();
  while (true) {
    Pending inside = pending;
    inside.join(back);
    look(*op.getBeforeBody(), inside, found);
    Pending leaving = inside;
    look(*op.getAfterBody(), inside, found);
    Pending grown = back;
    grown.join(inside);
    if (grown == back) {
      pending = leaving;
      return;
    }
    back = grown;
  }
}

//===----------------------------------------------------------------------===//
// Putting barriers in
//===----------------------------------------------------------------------===//

void HazardFlow::putBarrierBefore(Operation *op, Pending &pending) {
  if (!pending.flights.empty())
    putAwaitBefore(op, pending);
  OpBuilder builder(op);
  BarrierOp::create(builder, op->getLoc(), /*user=*/false);
  ++opsPut;
  pending.barrier();
}

void HazardFlow::putAwaitBefore(Operation *op, Pending &pending) {
  OpBuilder builder(op);
  AwaitOp::create(builder, op->getLoc());
  ++opsPut;
  pending.flights.clear();
}

/// Where threads part, no await is in everybody's way: what such an op begins and needs, it waits for where it begins.
void HazardFlow::awaitAtOnceIn(Operation *op) {
  op->walk([&](MoveOp move) {
    if (!move.getAsync() || isa_and_nonnull<AwaitOp>(move->getNextNode()))
      return;
    OpBuilder builder(move->getContext());
    builder.setInsertionPointAfter(move);
    AwaitOp::create(builder, move.getLoc());
    ++opsPut;
  });
}

void HazardFlow::insert() {
  Pending pending = nothing();
  insert(kernel.getBody().front(), pending);
}

void HazardFlow::insert(Block &block, Pending &pending) {
  for (Operation &op : llvm::make_early_inc_range(block))
    insert(&op, pending);
}

void HazardFlow::insert(Operation *op, Pending &pending) {
  bool isLoop = isa<scf::ForOp, scf::WhileOp>(op), isDivergent = uniformity.isDivergent(op);
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && !isDivergent) {
    Pending other = pending;
    insert(*branch.thenBlock(), pending);
    if (branch.elseBlock())
      insert(*branch.elseBlock(), other);
    return pending.join(other);
  }
  if (isLoop && !isDivergent)
    insertInLoop(op);
  // What happens among the op's own accesses no barrier ahead of it can change.
  Found own, found;
  Pending alone = nothing(), trial = pending;
  look(op, alone, own);
  if (!own.flights.empty()) {
    awaitAtOnceIn(op);
    own = {};
    look(op, alone = nothing(), own);
  }
  look(op, trial, found);
  auto hasMore = [](const Pairs &all, const Pairs &known) {
    return llvm::any_of(all, [&](Pair pair) { return !known.contains(pair); });
  };
  if (hasMore(found.hazards, own.hazards))
    putBarrierBefore(op, pending);
  else if (hasMore(found.flights, own.flights))
    putAwaitBefore(op, pending);
  Found ignored;
  look(op, pending, ignored);
}

/// Resolves what the trips of a loop do to each other.
void HazardFlow::insertInLoop(Operation *op) {
  Pending back = nothing();
  while (true) {
    unsigned before = opsPut;
    Pending inside = back;
    for (Region &region : op->getRegions())
      insert(region.front(), inside);
    inside.nextTrip(op, nothing());
    if (opsPut != before) {
      back = nothing();
      continue;
    }
    Pending grown = back;
    grown.join(inside);
    if (grown == back)
      return;
    back = grown;
  }
}

SmallVector<Hazard> HazardFlow::find() {
  Found found;
  Pending pending = nothing();
  look(kernel.getBody().front(), pending, found);
  SmallVector<Hazard> hazards;
  found.hazards.insert_range(found.flights);
  for (auto [first, second] : found.hazards) {
    Hazard hazard{accesses[first].op, accesses[second].op};
    Operation *divergent = uniformity.outermostDivergent(hazard.second);
    if (divergent && divergent->isAncestor(hazard.first))
      hazard.divergent = divergent;
    bool isKnown = llvm::any_of(
        hazards, [&](const Hazard &other) { return other.first == hazard.first && other.second == hazard.second; });
    if (!isKnown)
      hazards.push_back(hazard);
  }
  return hazards;
}

SmallVector<Hazard> tile::insertBarriers(KernelOp kernel) {
  HazardFlow flow(kernel);
  flow.insert();
  return flow.find();
}

SmallVector<Hazard> tile::verifyHazards(KernelOp kernel) {
  return HazardFlow(kernel).find();
}
