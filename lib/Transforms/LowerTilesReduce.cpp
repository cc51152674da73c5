// LowerTilesReduce.cpp - a reduction in registers, then in warps by shuffles, then through shared memory once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTilesAxis.h"

#include "tile/Analysis/FirstCopy.h"
#include "tile/Analysis/ScanTotal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace tile;

namespace tile {
/// The three stages of any reduction. A partial result is a tuple of values, one array of registers each.
class BlockReduction : public AxisLowering {
public:
  void lower();

protected:
  using Partial = SmallVector<Value, 2>;

  BlockReduction(KernelLowering &lowering, Operation *op, DistributedAttr layout, int64_t axis, ReductionRule rule)
      : AxisLowering(lowering, op, layout, axis, rule, /*anyRadix=*/false), op(op) {}
  ~BlockReduction() = default;

  /// The types of a partial result.
  virtual SmallVector<Type, 2> types() = 0;
  /// The partial result before any element, at the present kept digits.
  virtual Partial start() = 0;
  /// Takes the present element in: stores what changes.
  virtual void take(Value element) = 0;
  virtual Partial join(const Partial &mine, const Partial &other) = 0;
  virtual void finish(const Partial &result) = 0;
  /// The fragments that take the result.
  virtual SmallVector<Value, 2> targets() = 0;

  void finishRows();
  Partial loadPartial() { return loadFrom(partials, numberOf(kept)); }
  void storePartial(const Partial &partial) { storeTo(partial, partials, numberOf(kept)); }
  Value source;
  Partial partials; ///< the arrays

private:
  Operation *op;
  Partial loadFrom(const Partial &arrays, Value index);
  void storeTo(const Partial &partial, const Partial &arrays, Value index);
  void reduceRegisters();
  void reduceWarps();
  void reduceBlock();
  int64_t countSlots(AffineExpr &mine);
  void overSlots(int64_t begin, int64_t end, int64_t step, function_ref<void(AffineExpr slot)> body);
  void joinOneByOne(const Partial &shared, int64_t slots);
  void joinInMoves(const Partial &shared, int64_t slots);
  Value isWriter();
  Value isNeeded();
};
} // namespace tile

BlockReduction::Partial BlockReduction::loadFrom(const Partial &arrays, Value index) {
  Partial loaded;
  for (Value array : arrays)
    loaded.push_back(load(array, index));
  return loaded;
}

void BlockReduction::storeTo(const Partial &partial, const Partial &arrays, Value index) {
  for (auto [part, array] : llvm::zip_equal(partial, arrays))
    store(part, array, index);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void BlockReduction::reduceRegisters() {
  for (Type type : types())
    partials.push_back(createRegisters("", countOf(kept), type));
  Value isAwake = isActive();
  overKept([&] { storePartial(start()); });
  k.guarded(loc, isAwake, [&] { overRows([&] { overElements([&] { take(load(source, sourceIndex())); }); }); });
}

/// Butterflies: afterwards every lane of a group has the group's result. Idle threads bring what changes nothing.
void BlockReduction::reduceWarps() {
  for (const AxisDigit &digit : digits) {
    if (!digit.isInWarp)
      continue;
    for (int64_t offset = digit.stride; offset < digit.stride * digit.radix; offset *= 2)
      overKept([&] {
        Partial mine = loadPartial(), other;
        for (Value value : mine)
          other.push_back(shuffle(simt::ShuffleMode::Xor, value, constantI32(offset)));
        storePartial(join(mine, other));
      });
  }
}

/// One thread of each warp and copy writes.
Value BlockReduction::isWriter() {
  Value result = k.both(loc, isActive(), k.isFirstCopy(loc, layout));
  for (const AxisDigit &digit : digits)
    if (digit.isInWarp)
      result = k.both(loc, result, isAt(digit, builder.getIndexAttr(0)));
  return result;
}

/// The threads whose result is read: those of the first copy of the targets, or all that take part, which is null.
Value BlockReduction::isNeeded() {
  SmallVector<Value, 2> results = targets();
  bool isOfFirst = llvm::all_of(results, [&](Value target) {
    return k.storageOf(target).layout == k.storageOf(results.front()).layout && isReadInFirstCopyAlone(target, op);
  });
  return isOfFirst ? k.isFirstCopy(loc, *k.storageOf(results.front()).layout) : Value();
}

/// The digits that are left number the slots of a row.
int64_t BlockReduction::countSlots(AffineExpr &mine) {
  int64_t slots = 1;
  mine = builder.getAffineConstantExpr(0);
  for (const AxisDigit &digit : digits)
    if (digit.registerDigit < 0 && !digit.isInWarp) {
      mine = mine + position(digit) * slots;
      slots *= digit.radix;
    }
  return slots;
}

/// The partial results of the remaining digits meet in shared memory; every thread that needs a result combines them
/// all, in the same order.
void BlockReduction::reduceBlock() {
  AffineExpr mine;
  int64_t slots = countSlots(mine);
  if (slots == 1)
    return finishRows();
  Partial shared;
  for (Type type : types())
    shared.push_back(createShared(placesOf(slots), type));
  Value isReader = both(isActive(), isNeeded());
  guarded(isWriter(), [&] { overRows([&] { storeTo(loadPartial(), shared, apply(placeOf(mine, slots))); }); });
  // Written here, lest two conditions that say the same become one.
  simt::BarrierOp::create(builder, loc, /*user=*/false);
  guarded(isReader, [&] {
    overRows([&] {
      isWarpOfOneRow() ? joinInMoves(shared, slots) : joinOneByOne(shared, slots);
      finish(loadPartial());
    });
  });
}

/// The slots from `begin` on, below `end`, a step at a time; `body` takes the number of the present one.
void BlockReduction::overSlots(int64_t begin, int64_t end, int64_t step, function_ref<void(AffineExpr slot)> body) {
  if (begin >= end)
    return;
  auto withSlot = [&](OpFoldResult slot) {
    values.push_back(slot);
    body(builder.getAffineDimExpr(values.size() - 1));
    values.pop_back();
  };
  k.loop(loc, end, step, /*isUnrolled=*/true, withSlot, begin);
}

void BlockReduction::joinOneByOne(const Partial &shared, int64_t slots) {
  auto at = [&](AffineExpr slot) { return loadFrom(shared, apply(placeOf(slot, slots))); };
  storePartial(at(builder.getAffineConstantExpr(0)));
  overSlots(1, slots, 1, [&](AffineExpr slot) {
    Partial mine = loadPartial();
    storePartial(join(mine, at(slot)));
  });
}

/// As many slots at a time as the widest move of the narrowest type takes.
void BlockReduction::joinInMoves(const Partial &shared, int64_t slots) {
  int64_t step = std::min(slotsOfMove(), slots), whole = slots / step * step;
  Partial parts;
  for (Type type : types())
    parts.push_back(createRegisters("part", std::min<int64_t>(slotsOfMove(), llvm::PowerOf2Ceil(slots)), type));
  auto read = [&](AffineExpr first, int64_t count) {
    for (auto [array, part] : llvm::zip_equal(shared, parts))
      readSlots(array, first, count, slots, part);
  };
  auto joinFrom = [&](int64_t begin, int64_t count) {
    overSlots(begin, count, 1, [&](AffineExpr slot) {
      Partial mine = loadPartial();
      storePartial(join(mine, loadFrom(parts, apply(slot))));
    });
  };
  read(builder.getAffineConstantExpr(0), step);
  storePartial(loadFrom(parts, k.constant(loc, 0)));
  joinFrom(1, step);
  overSlots(step, whole, step, [&](AffineExpr slot) {
    read(slot, step);
    joinFrom(0, step);
  });
  if (whole < slots) {
    read(builder.getAffineConstantExpr(whole), slots - whole);
    joinFrom(0, slots - whole);
  }
}

void BlockReduction::lower() {
  reduceRegisters();
  reduceWarps();
  reduceBlock();
}

void BlockReduction::finishRows() {
  k.guarded(loc, isActive(), [&] { overRows([&] { finish(loadPartial()); }); });
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

namespace tile {
/// tile.reduce: a partial result is one value.
class ReduceLowering final : public BlockReduction {
public:
  ReduceLowering(KernelLowering &lowering, ReduceOp reduce)
      : BlockReduction(lowering, reduce, *reduce.getLayout(), reduce.getDim(),
                       ruleOf(stringifyReduceKind(reduce.getKind()), reduce.getSourceType())),
        reduce(reduce), target(bufferOf(reduce.getTarget())) {
    source = bufferOf(reduce.getSource());
  }
  /// The result from what a scan of the same fragment left in the registers of the same threads.
  void lowerFrom(ScanOp scan);

private:
  SmallVector<Type, 2> types() override { return {accumulator}; }
  Partial start() override { return {identity()}; }
  void take(Value element) override;
  Partial join(const Partial &mine, const Partial &other) override { return {combine(mine[0], other[0])}; }
  void finish(const Partial &result) override;
  SmallVector<Value, 2> targets() override { return {reduce.getTarget()}; }

  ReduceOp reduce;
  Value target;
};
} // namespace tile

void ReduceLowering::lowerFrom(ScanOp scan) {
  assert(scan.getLayout() == reduce.getLayout() && "both work in the layout of their source");
  partials = {k.scanTotals.lookup(scan)};
  finishRows();
}

void ReduceLowering::take(Value element) {
  Value index = numberOf(kept), partial = load(partials[0], index);
  Value value = createMapped(builder, loc, rule, widen(element));
  store(combine(partial, value), partials[0], index);
}

void ReduceLowering::finish(const Partial &result) {
  Value value = result[0], index = numberOf(kept);
  if (reduce.getKind() == ReduceKind::Mean) {
    TypedAttr count = builder.getFloatAttr(accumulator, static_cast<double>(layout.extents()[axis]));
    value = arith::DivFOp::create(builder, loc, value, arith::ConstantOp::create(builder, loc, count));
  }
  if (reduce.getAccumulate())
    value = combine(widen(load(target, index)), value);
  store(narrow(value), target, index);
}

void tile::lowerReduce(KernelLowering &lowering, ReduceOp reduce) {
  ReduceLowering reduction(lowering, reduce);
  if (ScanOp scan = scanOfTotal(reduce))
    reduction.lowerFrom(scan);
  else
    reduction.lower();
}

//===----------------------------------------------------------------------===//
// argreduce
//===----------------------------------------------------------------------===//

namespace {
/// tile.argreduce: a partial result is the best element and its index.
class ArgReduceLowering final : public BlockReduction {
public:
  ArgReduceLowering(KernelLowering &lowering, ArgReduceOp reduce)
      : BlockReduction(lowering, reduce, *reduce.getLayout(), reduce.getDim(),
                       ruleOf(stringifyArgReduceKind(reduce.getKind()), reduce.getSourceType())),
        isMax(reduce.getKind() == ArgReduceKind::Max), value(bufferOf(reduce.getValue())),
        index(bufferOf(reduce.getIndex())), reduce(reduce) {
    source = bufferOf(reduce.getSource());
    leastBytes = std::min(leastBytes, elementBytes(builder.getI32Type()));
  }

private:
  SmallVector<Type, 2> types() override { return {accumulator, builder.getI32Type()}; }
  Partial start() override;
  void take(Value element) override;
  Partial join(const Partial &mine, const Partial &other) override;
  void finish(const Partial &result) override;
  SmallVector<Value, 2> targets() override { return {reduce.getValue(), reduce.getIndex()}; }

  bool isFloat() const { return isa<FloatType>(accumulator); }
  Value isBetter(Value a, Value b);
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value any(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }

  bool isMax;
  Value value, index; ///< the registers of the targets
  ArgReduceOp reduce;
};
} // namespace

/// The worst value, at the first place of this thread: an equal element there keeps it. Idle threads lose to all.
ArgReduceLowering::Partial ArgReduceLowering::start() {
  Value first = axisPosition();
  if (Value isAwake = isActive())
    first = arith::SelectOp::create(builder, loc, isAwake, first, constantI32(std::numeric_limits<int32_t>::max()));
  return {identity(), first};
}

/// Strictly, as numbers: nothing is better than a NaN, or worse.
Value ArgReduceLowering::isBetter(Value a, Value b) {
  if (isFloat())
    return compare(isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, a, b);
  return arith::CmpIOp::create(builder, loc, isMax ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, a, b);
}

/// Elements come in ascending order, so the best one stays until a better one comes, or the first NaN.
void ArgReduceLowering::take(Value element) {
  Value best = load(partials[0], numberOf(kept)), present = widen(element), wins;
  if (isFloat()) // a NaN is unordered against a number, and has won if the best one is none
    wins = both(compare(isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT, present, best),
                compare(arith::CmpFPredicate::ORD, best, best));
  else
    wins = isBetter(present, best);
  guarded(wins, [&] { storePartial({present, axisPosition()}); });
}

/// The better one, of equal ones the first. A NaN is better than any number, and equal to another.
ArgReduceLowering::Partial ArgReduceLowering::join(const Partial &mine, const Partial &other) {
  Value wins = isBetter(other[0], mine[0]);
  Value isEarlier = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, other[1], mine[1]);
  if (isFloat()) {
    Value isEqual = compare(arith::CmpFPredicate::OEQ, other[0], mine[0]);
    Value isNan = compare(arith::CmpFPredicate::UNO, other[0], other[0]);
    Value isNumber = compare(arith::CmpFPredicate::ORD, mine[0], mine[0]);
    wins = any(any(wins, both(isEqual, isEarlier)), both(isNan, any(isNumber, isEarlier)));
  } else {
    Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, other[0], mine[0]);
    wins = any(wins, both(isEqual, isEarlier));
  }
  return {arith::SelectOp::create(builder, loc, wins, other[0], mine[0]),
          arith::SelectOp::create(builder, loc, wins, other[1], mine[1])};
}

void ArgReduceLowering::finish(const Partial &result) {
  store(narrow(result[0]), value, numberOf(kept));
  store(result[1], index, numberOf(kept));
}

void tile::lowerArgReduce(KernelLowering &lowering, ArgReduceOp reduce) {
  ArgReduceLowering(lowering, reduce).lower();
}
