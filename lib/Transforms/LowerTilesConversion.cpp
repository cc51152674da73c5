// LowerTilesConversion.cpp - a fragment in another layout: moves inside threads, or shuffles inside warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element that thread t keeps in register r afterwards has coordinates (from the origin) that are sums of digits of
// t and of r. The digits of the layout before, taken of these coordinates, say which thread has it and in which
// register. Registers cannot be named by a number known at run time only. So where the register differs from thread to
// thread, each that occurs is fetched, and the right one is selected:
//
//     from 8 = [(4 thread, 2 reg)] to 8 = [(2 reg, 4 thread)]:
//     b[r] = t % 2 == 1 ? shuffle(a[1], 2 * r + t / 2) : shuffle(a[0], 2 * r + t / 2)
//
#include "LowerTiles.h"

#include "tile/Analysis/ConversionPlan.h"
#include "tile/Layout/Conversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace tile;

static constexpr int64_t kWarp = 32;

namespace {
/// A part of a number: what the thread gives, over its number, and what the register gives.
struct Split {
  AffineExpr ofThread;
  int64_t ofRegister = 0;
};
} // namespace

namespace tile {
class ConversionLowering {
public:
  ConversionLowering(KernelLowering &lowering, CopyOp copy);
  void lower();

private:
  Split sourceDigit(const Digit &digit, bool isTop);
  Split pieces(int axis, int64_t low, int64_t high);
  AffineExpr threadPiece(const Digit &digit, int64_t low, int64_t high);
  bool isAligned(int axis, int64_t cut);
  AffineExpr wholeCoordinate(int axis);
  Split sourceRegister();
  AffineExpr sourceLane();
  Value isHeld(int64_t number);
  Value load(int64_t number);
  Value fetch(int64_t number, Value lane);

  KernelLowering &k;
  OpBuilder &builder;
  mlir::Location loc;
  Layout from, to;
  Value source, target;
  Type element;
  bool isByShuffles;
  std::string note;
  AffineExpr thread;
  SmallVector<int64_t> digitValues;      ///< of the present register, by the number of the digit in `to`
  llvm::DenseMap<int64_t, Value> loaded; ///< registers of the source
};
} // namespace tile

ConversionLowering::ConversionLowering(KernelLowering &lowering, CopyOp copy)
    : k(lowering), builder(lowering.builder), loc(plain(copy.getLoc())),
      from(k.storageOf(copy.getSource()).layout->canonical()), to(k.storageOf(copy.getTarget()).layout->canonical()),
      source(k.storageOf(copy.getSource()).buffer), target(k.storageOf(copy.getTarget()).buffer),
      element(copy.getSourceType().getElementType()), isByShuffles(!contains(from, to)),
      note(copy->getAttrOfType<StringAttr>("note").str()), thread(builder.getAffineDimExpr(0)) {
  assert((!isByShuffles || sameWarpAtOwnCopy(from, to)) && "others pass through shared memory");
}

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// The values of the register digits of a layout, by the number of the digit. Register numbers may have holes.
static SmallVector<int64_t> takeApart(const Layout &layout, int64_t reg) {
  SmallVector<size_t> order;
  for (auto [number, digit] : llvm::enumerate(layout.digits()))
    if (digit.owner == Owner::Register)
      order.push_back(number);
  llvm::sort(order, [&](size_t a, size_t b) { return layout.digits()[a].stride > layout.digits()[b].stride; });
  SmallVector<int64_t> values(layout.digits().size(), 0);
  for (size_t number : order) {
    values[number] = reg / layout.digits()[number].stride;
    reg %= layout.digits()[number].stride;
  }
  return values;
}

/// May an axis of `to` be cut here without carrying from one side to the other?
bool ConversionLowering::isAligned(int axis, int64_t cut) {
  std::span<const Digit> digits = to.axisDigits(axis);
  return llvm::all_of(digits, [&](const Digit &digit) {
    int64_t end = digit.weight * digit.radix;
    bool isCut = digit.weight < cut && cut < end;
    return !isCut || (cut % digit.weight == 0 && (end % cut == 0 || digit == digits.back()));
  });
}

/// The part of a thread digit that lies between two cuts, as a multiple of its weight or the lower cut.
AffineExpr ConversionLowering::threadPiece(const Digit &digit, int64_t low, int64_t high) {
  AffineExpr value = threadPosition(to, digit.stride, digit.radix, thread);
  int64_t end = digit.weight * digit.radix;
  if (high < end)
    value = value % (high / digit.weight);
  return low > digit.weight ? value.floorDiv(low / digit.weight) : value;
}

AffineExpr ConversionLowering::wholeCoordinate(int axis) {
  AffineExpr sum = builder.getAffineConstantExpr(0);
  for (auto [number, digit] : llvm::enumerate(to.digits()))
    if (digit.axis == axis)
      sum = sum + (digit.owner == Owner::Thread ? threadPosition(to, digit.stride, digit.radix, thread)
                                                : builder.getAffineConstantExpr(digitValues[number])) *
                      digit.weight;
  return sum;
}

/// The coordinate without what lies below `low` and from `high` on, in units of `low`. \pre both cuts are aligned.
Split ConversionLowering::pieces(int axis, int64_t low, int64_t high) {
  Split sum{builder.getAffineConstantExpr(0)};
  for (auto [number, digit] : llvm::enumerate(to.digits())) {
    int64_t end = digit.weight * digit.radix, first = std::max(low, digit.weight);
    if (digit.axis != axis || end <= low || digit.weight >= high)
      continue;
    if (digit.owner == Owner::Thread)
      sum.ofThread = sum.ofThread + threadPiece(digit, low, high) * (first / low);
    else
      sum.ofRegister += digitValues[number] * digit.weight % std::min(end, high) / low;
  }
  return sum;
}

/// A digit of `from`, of the coordinates that the present register of `to` has.
Split ConversionLowering::sourceDigit(const Digit &digit, bool isTop) {
  int64_t high = isTop ? std::numeric_limits<int64_t>::max() : digit.weight * digit.radix;
  if (isAligned(digit.axis, digit.weight) && isAligned(digit.axis, high))
    return pieces(digit.axis, digit.weight, high);
  AffineExpr value = wholeCoordinate(digit.axis).floorDiv(digit.weight);
  return {isTop ? value : value % digit.radix};
}

Split ConversionLowering::sourceRegister() {
  Split sum{builder.getAffineConstantExpr(0)};
  for (const Digit &digit : from.digits()) {
    if (digit.owner != Owner::Register)
      continue;
    Split value = sourceDigit(digit, digit == from.axisDigits(digit.axis).back());
    sum.ofThread = sum.ofThread + value.ofThread * digit.stride;
    sum.ofRegister += value.ofRegister * digit.stride;
  }
  return sum;
}

/// The lane that has the element, in the copy of this thread. Whole warps do not count.
AffineExpr ConversionLowering::sourceLane() {
  AffineExpr sum = builder.getAffineConstantExpr(0);
  for (const Digit &digit : from.digits()) {
    if (digit.owner != Owner::Thread || digit.stride % kWarp == 0)
      continue;
    Split value = sourceDigit(digit, digit == from.axisDigits(digit.axis).back());
    sum = sum + (value.ofThread + value.ofRegister) * digit.stride;
  }
  for (const Spread &copy : from.copies())
    if (copy.owner == Owner::Thread && copy.stride % kWarp != 0) {
      bool isTop = copy.stride * copy.radix >= from.threads();
      AffineExpr position = thread.floorDiv(copy.stride);
      sum = sum + (isTop ? position : position % copy.radix) * copy.stride;
    }
  // A full warp looks at five bits only.
  return from.threads() % kWarp == 0 ? sum : sum % kWarp;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Does this thread hold an element in the register? Null if every thread does.
Value ConversionLowering::isHeld(int64_t number) {
  Value condition = k.isActive(loc, from);
  SmallVector<AffineExpr> coordinates = threadPositions(from, thread);
  SmallVector<int64_t> values = takeApart(from, number), largest(from.rank(), 0);
  for (auto [digit, value] : llvm::zip_equal(from.digits(), values)) {
    bool isRegister = digit.owner == Owner::Register;
    largest[digit.axis] += (isRegister ? value : digit.radix - 1) * digit.weight;
    if (isRegister)
      coordinates[digit.axis] = coordinates[digit.axis] + value * digit.weight;
  }
  for (int axis = 0; axis < from.rank(); ++axis) {
    // Digits are of places: index plus origin.
    bool isShifted = from.origins()[axis] != 0;
    OpFoldResult first = isShifted ? OpFoldResult(k.origin) : OpFoldResult(builder.getIndexAttr(0));
    int64_t extent = from.extents()[axis];
    if (largest[axis] < extent && !isShifted)
      continue;
    Value index = k.apply(loc, coordinates[axis] - builder.getAffineDimExpr(1), {k.thread, first});
    condition = k.both(loc, condition, k.inRange(loc, index, 0, builder.getIndexAttr(extent), isShifted));
  }
  return condition;
}

/// The register, or zero where it holds nothing: all lanes take part in a shuffle.
Value ConversionLowering::load(int64_t number) {
  auto read = [&] { return simt::LoadOp::create(builder, loc, element, source, k.constant(loc, number)); };
  Value condition = isHeld(number);
  if (!condition)
    return read();
  auto branch = scf::IfOp::create(builder, loc, element, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, read().getResult());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, k.padOf(loc, element, std::nullopt));
  return branch.getResult(0);
}

Value ConversionLowering::fetch(int64_t number, Value lane) {
  Value &value = loaded[number];
  if (!value)
    value = load(number);
  if (!isByShuffles)
    return value;
  auto mode = simt::ShuffleModeAttr::get(builder.getContext(), simt::ShuffleMode::Index);
  return simt::ShuffleOp::create(builder, loc, element, mode, value, lane);
}

void ConversionLowering::lower() {
  simt::NoteOp::create(builder, loc, note + (isByShuffles ? " by shuffles" : " in registers"));
  for (auto [reg, candidates] : llvm::enumerate(registerSources(from, to))) {
    if (candidates.empty())
      continue;
    digitValues = takeApart(to, static_cast<int64_t>(reg));
    Value lane = isByShuffles ? k.apply(loc, sourceLane(), {k.thread}) : Value();
    Value result = fetch(candidates[0], lane);
    if (candidates.size() > 1) {
      Split wanted = sourceRegister();
      Value number = k.apply(loc, wanted.ofThread, {k.thread});
      for (int64_t candidate : llvm::drop_begin(candidates)) {
        Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                                             k.constant(loc, candidate - wanted.ofRegister));
        result = arith::SelectOp::create(builder, loc, isHere, fetch(candidate, lane), result);
      }
    }
    simt::StoreOp::create(builder, loc, result, target, k.constant(loc, static_cast<int64_t>(reg)));
  }
}

void tile::lowerConversion(KernelLowering &lowering, CopyOp copy) {
  ConversionLowering(lowering, copy).lower();
}
