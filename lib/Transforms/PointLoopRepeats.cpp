// PointLoopRepeats.cpp - which loads bring the same at several points, and where they stand to run once for those.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PointLoop.h"

#include "tile/Analysis/Aliases.h"

using namespace mlir;
using namespace tile;

static constexpr unsigned kLane = 0;

//===----------------------------------------------------------------------===//
// Repeats
//===----------------------------------------------------------------------===//

/// Is the access at one place while a number of the frame, below `radix`, runs through `count` neighbours, the first a
/// multiple of that? Whether the point exists may change, if the first of them exists when any does, or if it does no
/// harm to read for points that do not exist: what the tensor has, and nobody writes.
bool PointLoop::staysFor(const TileAccess &access, unsigned place, int64_t radix, int64_t count) {
  MLIRContext *context = op->getContext();
  k.facts.setDivisor(cast<Value>(frame[kLane]), 1); // any lane, not only those where a vector begins
  ElementPlace location = locate(access);
  unsigned number = location.operands.size();
  location.operands.append({someRun, somePlace});
  AffineExpr value = getAffineDimExpr(number + 1, context);
  if (count < radix)
    value = value + getAffineDimExpr(number, context) * count;
  auto growth = [&](AffineExpr expr) {
    expr = expr.replace(getAffineDimExpr(place, context), value);
    return k.facts.stride(expr, location.operands, number + 1, count);
  };
  auto stands = [&](AffineExpr expr) { return growth(expr) == 0; };
  auto holds = [&](const IndexLimit &limit) { return stands(limit.coordinate); };
  ArrayRef<IndexLimit> ofTensor = ArrayRef(location.limits).take_front(location.storage->limits.size());
  if (!llvm::all_of(location.coordinates, stands) || !llvm::all_of(location.view, stands) ||
      !llvm::all_of(ofTensor, holds) || !llvm::all_of(location.windows, holds))
    return false;
  bool isHarmless = location.storage->space == Space::Global && isOnlyRead(k.source, rootOf(access.buffer));
  return llvm::all_of(axes, [&](const Axis &axis) {
    std::optional<int64_t> step = axis.limit ? growth(axis.position) : 0;
    return step == 0 || (step && *step > 0 && (beginsWithPoint(axis) || isHarmless));
  });
}

/// Places before the first point are none. \pre asked before the digits have values
bool PointLoop::beginsWithPoint(const Axis &axis) const {
  return k.facts.range(axis.position, frame).isAtLeast(0);
}

/// How many neighbouring values of a number of the frame one access serves: the most, of the divisors of `radix`.
int64_t PointLoop::repeatsOf(const TileAccess &access, unsigned place, int64_t radix) {
  for (int64_t count = radix; count > 1; --count)
    if (radix % count == 0 && staysFor(access, place, radix, count))
      return count;
  return 1;
}

bool PointLoop::isRepeated(const TileAccess &access) {
  return repeatsOf(access, kLane, lanes) > 1 ||
         llvm::any_of(digits, [&](const PointDigit &digit) { return repeatsOf(access, digit.place, digit.radix) > 1; });
}

/// May the body write what the access touches?
bool PointLoop::meetsStore(const TileAccess &access) const {
  return llvm::any_of(accesses,
                      [&](const TileAccess &other) { return other.isStore && mayAlias(access.buffer, other.buffer); });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Digits that are walked outside of the groups; they come first.
size_t PointLoop::numOutside() const {
  return llvm::find_if(digits, [](const PointDigit &digit) { return digit.isGrouped; }) - digits.begin();
}

/// Digits that loads do not depend on run inside those that they do, so that one set of registers serves.
void PointLoop::placeMoves() {
  SmallVector<std::pair<int, PointDigit>> outside;
  for (const PointDigit &digit : ArrayRef(digits).take_front(numOutside())) {
    int spared = llvm::count_if(loads, [&](const auto &entry) {
      const Staged &load = entry.second;
      return load.isRepeated && !load.isChanged && !load.isAsync &&
             repeatsOf(load.access, digit.place, digit.radix) == digit.radix;
    });
    outside.push_back({spared, digit});
  }
  llvm::stable_sort(outside, [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto [number, digit] : llvm::enumerate(outside))
    digits[number] = digit.second;
  for (auto *map : {&loads, &stores})
    for (auto &[op, staged] : *map)
      place(staged);
}

/// Registers have constant numbers: what depends on a digit whose loop stays a loop is loaded inside of that.
void PointLoop::place(Staged &staged) {
  staged.level = numOutside();
  staged.repeats.assign(digits.size(), 1);
  if (!staged.isRepeated || staged.isAsync)
    return;
  staged.laneRepeat = repeatsOf(staged.access, kLane, lanes);
  for (auto [number, digit] : llvm::enumerate(digits))
    staged.repeats[number] = repeatsOf(staged.access, digit.place, digit.radix);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    bool changes = staged.laneRepeat > 1 && laneAxis == static_cast<int>(number);
    for (auto [digit, repeat] : llvm::zip_equal(digits, staged.repeats))
      changes |= repeat > 1 && digit.axis == static_cast<int>(number);
    if (axis.limit && changes && !beginsWithPoint(axis))
      staged.unasked.insert(static_cast<int>(number));
  }
  for (size_t number = staged.level; number-- > 0;) {
    bool mayWalk = !staged.isChanged && (unrolls || staged.repeats[number] == digits[number].radix);
    if (!mayWalk)
      break;
    if (staged.repeats[number] > 1)
      staged.level = number;
  }
}
