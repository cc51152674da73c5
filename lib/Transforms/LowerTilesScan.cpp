// LowerTilesScan.cpp - a scan digit by digit: runs of registers, lanes of a warp, then the rest through shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread holds runs of neighbours. Each run has a *total*, and a value *before* it: all that precedes it, combined.
// The digits above the run are taken from the lowest weight up. After each of them, `before` covers what precedes the
// run inside the block of all digits so far:
//
//     lanes       totals of lower blocks travel by shfl_up, 1, 2, 4, … lanes far: `before` of twice as many each time
//     registers   the last lane of the lower block says its total; the thread adds them up, register after register
//     the rest    from the first digit beyond the warp on: one exchange of totals through shared memory for all of them
//
// Then each run is walked once more, beginning with what is before it: that gives the results in the order of the row.
// A reverse scan is the same with every digit running downwards.
//
// In a loop the exchange takes one half of its buffer in even trips, the other in odd ones. What a trip writes was last
// read two trips before, and the barrier of the trip between lies after that: one barrier a trip is enough.
//
// Where a reduction takes the total of the row, the last of these steps keeps it in every thread of the row.
//
#include "LowerTilesAxis.h"

#include "tile/Analysis/Hazards.h"
#include "tile/Analysis/ScanTotal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Loops over the totals of other threads are unrolled up to this many trips.
static constexpr int64_t kMostUnrolled = 32;

/// Totals of up to that many warps are read one after the other: shuffles would cost more.
static constexpr int64_t kMostSerial = 8;

/// Exchanges of up to that many bytes have a second place: a barrier a trip costs more.
static constexpr int64_t kMostTwice = 2048;

namespace tile {
class ScanLowering final : public AxisLowering {
public:
  ScanLowering(KernelLowering &lowering, ScanOp scan);
  void lower();

private:
  using SlotBody = function_ref<void(Value isMine, AffineExpr slot)>;

  void sumRuns();
  void scanLanes(const AxisDigit &digit);
  void scanRegisters(const AxisDigit &digit);
  void exchange(ArrayRef<AxisDigit> rest);
  Value tripNumber();
  void writeTotals(ArrayRef<AxisDigit> rest, Value shared);
  Value readAhead(ArrayRef<AxisDigit> rest, Value shared);
  Value precedes(ArrayRef<AxisDigit> rest, AffineExpr slot);
  void readTotals(ArrayRef<AxisDigit> rest, Value shared);
  bool fillsWarps() const;
  bool isByLanes(ArrayRef<AxisDigit> rest) const;
  bool isInMoves(ArrayRef<AxisDigit> rest) const;
  AffineExpr inOrder(ArrayRef<AxisDigit> rest, AffineExpr slot);
  AffineExpr totalAt(ArrayRef<AxisDigit> rest, AffineExpr slot);
  void readTotalsByLanes(ArrayRef<AxisDigit> rest, Value shared);
  static int64_t slotsOf(ArrayRef<AxisDigit> rest);
  void overSlots(ArrayRef<AxisDigit> left, Value isMine, AffineExpr slot, bool isUnrolled, SlotBody body);
  void writeResults();
  void keepTotal(function_ref<Value()> total);

  void overHigher(function_ref<void()> body, int except = -1);
  Value precedingLanes(Value total, int64_t count, int64_t stride, simt::ShuffleMode direction,
                       function_ref<Value(int64_t distance)> isReached);
  Value lastInclusive();
  Value blockTotal();
  void putBefore(Value preceding);
  Value isReached(const AxisDigit &digit, int64_t distance);
  Value isLastLane();
  Value lastLane();
  /// The value of a digit that comes last.
  int64_t lastOf(int64_t radix) const { return isReverse ? 0 : radix - 1; }

  ScanOp scan;
  bool isReverse;
  Value source, target;
  Value totals, before;         ///< of each run
  Value rowTotals;              ///< of each row, for a reduction that takes them; null if there is none
  SmallVector<unsigned> runs;   ///< register digits that number them
  SmallVector<unsigned> done;   ///< those of the axis whose blocks are combined
  SmallVector<AxisDigit> lanes; ///< likewise, of threads
  bool isFirst = true;          ///< no digit is done: `before` holds nothing yet
  AffineExpr half;              ///< where the exchange begins; null at 0
};
} // namespace tile

ScanLowering::ScanLowering(KernelLowering &lowering, ScanOp scan)
    : AxisLowering(lowering, scan, *scan.getLayout(), scan.getDim(),
                   ruleOf(stringifyScanKind(scan.getKind()), scan.getSourceType()), /*anyRadix=*/true),
      scan(scan), isReverse(scan.getReverse()), source(bufferOf(scan.getSource())), target(bufferOf(scan.getTarget())),
      runs(kept) {
  runs.append(above);
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

void ScanLowering::sumRuns() {
  totals = createRegisters("total", countOf(runs), accumulator);
  overDigits(runs, [&] { store(identity(), totals, numberOf(runs)); });
  guarded(isActive(), [&] {
    overRows([&] {
      overElements(
          [&] {
            Value number = numberOf(runs);
            store(combine(load(totals, number), widen(load(source, sourceIndex()))), totals, number);
          },
          isReverse);
    });
  });
}

/// Every combination of the register digits that are not done, `except` one.
void ScanLowering::overHigher(function_ref<void()> body, int except) {
  SmallVector<unsigned> higher(kept);
  for (unsigned number : above)
    if (!llvm::is_contained(done, number) && static_cast<int>(number) != except)
      higher.push_back(number);
  overDigits(higher, body);
}

/// The last run of the block of all digits so far, among the registers of this thread, and what is before it.
Value ScanLowering::lastInclusive() {
  for (unsigned number : done)
    values[number + 1] = builder.getIndexAttr(lastOf(registers[number].radix));
  Value number = numberOf(runs), total = load(totals, number);
  for (unsigned digit : done)
    values[digit + 1] = builder.getIndexAttr(0);
  return isFirst ? total : combine(load(before, number), total);
}

/// The total of that block: what its last lane says.
Value ScanLowering::blockTotal() {
  Value total = lastInclusive();
  return lanes.empty() ? total : shuffle(simt::ShuffleMode::Index, total, lastLane());
}

/// Puts what precedes the block in front of each of its runs.
void ScanLowering::putBefore(Value preceding) {
  overDigits(done, [&] {
    Value number = numberOf(runs);
    store(isFirst ? preceding : combine(preceding, load(before, number)), before, number);
  });
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Is there a lane of the same group `distance` values before this one?
Value ScanLowering::isReached(const AxisDigit &digit, int64_t distance) {
  auto compare = [&](arith::CmpIPredicate predicate, Value value, int64_t bound) {
    return arith::CmpIOp::create(builder, loc, predicate, value, k.constant(loc, bound));
  };
  if (!isReverse)
    return compare(arith::CmpIPredicate::sge, apply(position(digit)), distance);
  Value inside = compare(arith::CmpIPredicate::slt, apply(position(digit)), digit.radix - distance);
  // The last warp may lack lanes.
  bool mayLack = digit.positions != 0 && layout.threads() % kWarp != 0;
  return both(mayLack ? compare(arith::CmpIPredicate::slt, k.thread, layout.threads() - distance * digit.stride)
                      : Value(),
              inside);
}

/// The lane of this thread's group that holds the last run of the lanes done.
Value ScanLowering::lastLane() {
  AffineExpr lane = builder.getAffineDimExpr(0) % kWarp;
  int64_t last = 0;
  for (const AxisDigit &digit : lanes) {
    lane = lane + (lastOf(digit.radix) - position(digit)) * digit.stride;
    last += lastOf(digit.radix) * digit.stride;
  }
  return fillsWarps() ? constantI32(last) : apply(lane);
}

/// Does this thread hold the last run of its lanes?
Value ScanLowering::isLastLane() {
  Value result;
  for (const AxisDigit &digit : lanes) {
    Value isLast = isAt(digit, builder.getIndexAttr(lastOf(digit.radix)));
    if (digit.positions != 0 && !isReverse) {
      AxisDigit whole = digit;
      whole.radix = digit.positions;
      isLast = arith::OrIOp::create(builder, loc, isLast, isAt(whole, builder.getIndexAttr(digit.positions - 1)));
    }
    result = both(result, isLast);
  }
  return result;
}

/// All that precedes this lane's total in `count` lanes, `stride` apart.
Value ScanLowering::precedingLanes(Value total, int64_t count, int64_t stride, simt::ShuffleMode direction,
                                   function_ref<Value(int64_t distance)> isReached) {
  Value preceding = identity();
  for (int64_t distance = 1; distance < count; distance *= 2) {
    // What is before this lane and the lane itself; then what that was, `distance` lanes away.
    Value mine = distance == 1 ? total : combine(preceding, total);
    Value other = shuffle(direction, mine, constantI32(distance * stride));
    Value further = distance == 1 ? other : combine(other, preceding);
    preceding = arith::SelectOp::create(builder, loc, isReached(distance), further, preceding);
  }
  return preceding;
}

void ScanLowering::scanLanes(const AxisDigit &digit) {
  simt::ShuffleMode direction = isReverse ? simt::ShuffleMode::Down : simt::ShuffleMode::Up;
  overHigher([&] {
    putBefore(precedingLanes(blockTotal(), digit.radix, digit.stride, direction,
                             [&](int64_t distance) { return isReached(digit, distance); }));
  });
  lanes.push_back(digit);
  isFirst = false;
}

void ScanLowering::scanRegisters(const AxisDigit &digit) {
  Value carry = createRegisters("carry", 1, accumulator), zero = k.constant(loc, 0);
  auto number = static_cast<unsigned>(digit.registerDigit);
  overHigher(
      [&] {
        store(identity(), carry, zero);
        overDigits(
            number,
            [&] {
              Value total = blockTotal(), preceding = load(carry, zero);
              putBefore(preceding);
              store(combine(preceding, total), carry, zero);
            },
            isReverse);
        if (&digit == &digits.back())
          keepTotal([&] { return load(carry, zero); });
      },
      digit.registerDigit);
  done.push_back(number);
}

//===----------------------------------------------------------------------===//
// Beyond the warp
//===----------------------------------------------------------------------===//

/// How many totals these digits number.
int64_t ScanLowering::slotsOf(ArrayRef<AxisDigit> rest) {
  int64_t slots = 1;
  for (const AxisDigit &digit : rest)
    slots *= digit.radix;
  return slots;
}

/// Walks the slots of a row in the order of the scan. `isMine`: the values of the thread digits are this thread's.
void ScanLowering::overSlots(ArrayRef<AxisDigit> left, Value isMine, AffineExpr slot, bool isUnrolled, SlotBody body) {
  if (left.empty())
    return body(isMine, slot);
  AxisDigit digit = left.back();
  left = left.drop_back();
  int64_t weight = slotsOf(left);
  if (digit.registerDigit >= 0) {
    auto number = static_cast<unsigned>(digit.registerDigit);
    overDigits(
        number,
        [&] { overSlots(left, isMine, slot + builder.getAffineDimExpr(number + 1) * weight, isUnrolled, body); },
        isReverse);
    return;
  }
  k.loop(loc, digit.radix, 1, isUnrolled, [&](OpFoldResult value) {
    if (isReverse)
      value = k.apply(loc, digit.radix - 1 - builder.getAffineDimExpr(0), {value});
    values.push_back(value);
    AffineExpr here = builder.getAffineDimExpr(values.size() - 1);
    overSlots(left, both(isMine, isAt(digit, value)), slot + here * weight, isUnrolled, body);
    values.pop_back();
  });
}

/// The last lane of each block says its total.
void ScanLowering::writeTotals(ArrayRef<AxisDigit> rest, Value shared) {
  AffineExpr slot = builder.getAffineConstantExpr(0);
  SmallVector<unsigned> registerDigits;
  for (auto [number, digit] : llvm::enumerate(rest)) {
    int64_t weight = slotsOf(rest.take_front(number));
    if (digit.registerDigit >= 0)
      registerDigits.push_back(digit.registerDigit);
    slot = slot +
           (digit.registerDigit >= 0 ? builder.getAffineDimExpr(digit.registerDigit + 1) : position(digit)) * weight;
  }
  Value isWriter = both(both(isActive(), k.isFirstCopy(loc, layout)), isLastLane());
  guarded(isWriter, [&] {
    overRows([&] { overDigits(registerDigits, [&] { store(lastInclusive(), shared, apply(totalAt(rest, slot))); }); });
  });
}

/// Does a thread read the totals of its row in moves, as many as it takes at once?
bool ScanLowering::isInMoves(ArrayRef<AxisDigit> rest) const {
  return !isByLanes(rest) && isWarpOfOneRow() && slotsOf(rest) <= kMostUnrolled;
}

/// The place of a slot among those of its row as the scan comes to them.
AffineExpr ScanLowering::inOrder(ArrayRef<AxisDigit> rest, AffineExpr slot) {
  return isReverse ? slotsOf(rest) - 1 - slot : slot;
}

/// The totals of the present row in registers, all that precede another; null where they are read one by one.
Value ScanLowering::readAhead(ArrayRef<AxisDigit> rest, Value shared) {
  if (!isInMoves(rest))
    return {};
  int64_t slots = slotsOf(rest);
  Value parts = createRegisters("part", placesOf(slots) / countRows(), accumulator);
  AffineExpr first = builder.getAffineConstantExpr(0);
  readSlots(shared, half ? half : first, rowTotals ? slots : slots - 1, slots, parts);
  return parts;
}

/// Every thread walks all totals of its rows, and keeps what it has when it comes to its own.
void ScanLowering::readTotals(ArrayRef<AxisDigit> rest, Value shared) {
  Value carry = createRegisters("carry", 1, accumulator), zero = k.constant(loc, 0);
  int64_t slots = slotsOf(rest);
  guarded(isActive(), [&] {
    overRows([&] {
      Value parts = readAhead(rest, shared);
      store(identity(), carry, zero);
      overSlots(
          rest, Value(), builder.getAffineConstantExpr(0), slots <= kMostUnrolled, [&](Value isMine, AffineExpr slot) {
            guarded(isMine, [&] { putBefore(load(carry, zero)); });
            guarded(precedes(rest, slot), [&] {
              Value total = parts ? load(parts, apply(inOrder(rest, slot))) : load(shared, apply(totalAt(rest, slot)));
              store(combine(load(carry, zero), total), carry, zero);
            });
          });
      keepTotal([&] { return load(carry, zero); });
    });
  });
}

/// Does some total follow that of the slot? Null where that of the last slot is there as well.
Value ScanLowering::precedes(ArrayRef<AxisDigit> rest, AffineExpr slot) {
  int64_t slots = slotsOf(rest);
  if (!isInMoves(rest) || rowTotals || slotsRead(slots - 1, elementBytes(accumulator)) == slots)
    return {};
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, apply(inOrder(rest, slot)),
                               k.constant(loc, slots - 1));
}

/// Do the lanes that are done make up whole warps, all of whose threads exist?
bool ScanLowering::fillsWarps() const {
  int64_t groupSize = 1;
  for (const AxisDigit &digit : lanes)
    groupSize *= digit.radix;
  return groupSize == kWarp && layout.threads() % kWarp == 0;
}

bool ScanLowering::isByLanes(ArrayRef<AxisDigit> rest) const {
  return fillsWarps() && rest.front().radix > kMostSerial && rest.front().radix <= kWarp;
}

/// Where a total lies: what the lanes of a warp read at once lies side by side, and so does, in the order of the scan,
/// what one thread does.
AffineExpr ScanLowering::totalAt(ArrayRef<AxisDigit> rest, AffineExpr slot) {
  int64_t slots = slotsOf(rest);
  AffineExpr place = isByLanes(rest)   ? rowNumber() * slots + slot
                     : isInMoves(rest) ? placeOf(inOrder(rest, slot), slots)
                                       : slot * countRows() + rowNumber();
  return half ? place + half : place;
}

/// The same where a warp is one row's and many warps have totals: each lane takes one of them, and the warp scans them.
void ScanLowering::readTotalsByLanes(ArrayRef<AxisDigit> rest, Value shared) {
  AxisDigit warps = rest.front();
  int64_t count = warps.radix, slots = slotsOf(rest);
  Value carry = createRegisters("carry", 1, accumulator), said = createRegisters("said", 1, accumulator);
  Value zero = k.constant(loc, 0);
  AffineExpr lane = builder.getAffineDimExpr(0) % kWarp, place = position(warps);
  auto isReached = [&](int64_t distance) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, apply(lane), k.constant(loc, distance));
  };
  Value takes = k.inRange(loc, apply(lane), 0, builder.getIndexAttr(count), /*checkLow=*/false);
  // Idle lanes of a warp take totals too; the numbers of idle warps may name no row.
  if (isActive())
    takes = both(takes, k.inRange(loc, apply(rowNumber()), 0, builder.getIndexAttr(countRows()), /*checkLow=*/false));
  // In the order of the scan.
  AffineExpr taken = isReverse ? count - 1 - lane : lane, mine = isReverse ? count - 1 - place : place;
  overKept([&] {
    store(identity(), carry, zero);
    overSlots(rest.drop_front(), Value(), builder.getAffineConstantExpr(0), slots <= kMostUnrolled,
              [&](Value isMine, AffineExpr slot) {
                store(identity(), said, zero);
                guarded(both(takes, rowExists()),
                        [&] { store(load(shared, apply(totalAt(rest, slot * count + taken))), said, zero); });
                Value total = load(said, zero);
                Value preceding = precedingLanes(total, count, 1, simt::ShuffleMode::Up, isReached);
                Value all = shuffle(simt::ShuffleMode::Index, combine(preceding, total), constantI32(count - 1));
                Value before = shuffle(simt::ShuffleMode::Index, preceding, apply(mine));
                guarded(isMine, [&] { putBefore(combine(load(carry, zero), before)); });
                store(combine(load(carry, zero), all), carry, zero);
              });
    keepTotal([&] { return load(carry, zero); });
  });
}

/// The number of the trip, where every trip of a loop comes here once, and the loop runs once: null elsewhere.
Value ScanLowering::tripNumber() {
  Operation *loop = scan->getParentOp();
  if (!isa<SerialOp, UnrolledOp, PipelinedOp>(loop))
    return {};
  ArrayRef<BlockArgument> trips = cast<LoopOpInterface>(loop).getInductionVars();
  bool runsOnce = !loop->getParentOfType<LoopOpInterface>() && !loop->getParentOfType<LoopLikeOpInterface>();
  return runsOnce && trips.size() == 1 ? k.mapping.lookup<Value>(trips.front()) : Value();
}

void ScanLowering::exchange(ArrayRef<AxisDigit> rest) {
  int64_t slots = slotsOf(rest), places = isInMoves(rest) ? placesOf(slots) : slots * countRows();
  Value trip = tripNumber();
  bool isTwice = trip && 2 * places * elementBytes(accumulator) <= kMostTwice;
  auto shared = createShared(isTwice ? 2 * places : places, accumulator);
  if (isTwice) {
    values.push_back(trip);
    half = builder.getAffineDimExpr(values.size() - 1) % 2 * places;
    shared->setAttr(kAlternates, builder.getUnitAttr());
  }
  writeTotals(rest, shared);
  // Written here, lest two conditions that say the same become one.
  simt::BarrierOp::create(builder, loc, /*user=*/false);
  isByLanes(rest) ? readTotalsByLanes(rest, shared) : readTotals(rest, shared);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void ScanLowering::writeResults() {
  guarded(isActive(), [&] {
    overRows([&] {
      overElements(
          [&] {
            Value number = numberOf(runs), place = sourceIndex();
            Value prior = load(before, number), next = combine(prior, widen(load(source, place)));
            store(next, before, number);
            store(narrow(scan.getExclusive() ? prior : next), target, place);
          },
          isReverse);
    });
  });
}

/// What the present row comes to, where a reduction takes it.
void ScanLowering::keepTotal(function_ref<Value()> total) {
  if (rowTotals)
    store(total(), rowTotals, numberOf(kept));
}

void ScanLowering::lower() {
  if (isTotalTaken(scan))
    k.scanTotals[scan] = rowTotals = createRegisters("all", countOf(kept), accumulator);
  if (!digits.empty())
    sumRuns();
  before = createRegisters("before", countOf(runs), accumulator);
  if (digits.empty())
    overDigits(runs, [&] { store(identity(), before, numberOf(runs)); });
  for (auto [number, digit] : llvm::enumerate(digits)) {
    if (digit.registerDigit < 0 && !digit.isInWarp) {
      exchange(ArrayRef(digits).drop_front(number));
      break;
    }
    if (digit.registerDigit < 0)
      scanLanes(digit);
    else
      scanRegisters(digit);
  }
  if (!digits.empty() && digits.back().isInWarp)
    overKept([&] { keepTotal([&] { return blockTotal(); }); });
  writeResults();
  // A thread that holds whole rows has come to their ends.
  if (digits.empty())
    overKept([&] { keepTotal([&] { return load(before, numberOf(runs)); }); });
}

void tile::lowerScan(KernelLowering &lowering, ScanOp scan) {
  ScanLowering(lowering, scan).lower();
}
