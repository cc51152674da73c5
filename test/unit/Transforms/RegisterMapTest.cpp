// RegisterMapTest.cpp - which registers of fragments loops name, against every point of every thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Layout/RandomLayout.h"
#include "tile/Analysis/TileAccess.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace tile {
namespace {

class RegisterMapTest : public testing::Test {
protected:
  AffineExpr dim(int64_t axis) { return getAffineDimExpr(axis, &context); }

  /// One index of a fragment: a constant, a point, a shifted or scaled one, a row-major number, or a part of one.
  AffineExpr randomIndex(const Extents &loop) {
    AffineExpr some = dim(dice.between(0, loop.size() - 1)), other = dim(dice.between(0, loop.size() - 1));
    switch (dice.between(0, 7)) {
    case 0:
      return getAffineConstantExpr(dice.between(0, 1), &context);
    case 1:
      return some * dice.between(1, 3) + dice.between(0, 2);
    case 2:
      return some * loop.back() + other;
    case 3:
      return some.floorDiv(dice.between(1, 4));
    case 4:
      return some % dice.between(1, 8);
    default:
      return some;
    }
  }

  /// The points themselves, permuted or with another index between, or fewer or more.
  AffineMap randomMap(const Extents &loop) {
    SmallVector<AffineExpr> results;
    std::vector<int64_t> axes;
    for (size_t axis = 0; axis < loop.size(); ++axis)
      axes.push_back(axis);
    if (dice.oneIn(2))
      dice.shuffle(axes);
    for (int64_t axis : axes)
      if (!dice.oneIn(6))
        results.push_back(dice.oneIn(5) ? randomIndex(loop) : dim(axis));
    if (results.empty() || dice.oneIn(6))
      results.push_back(randomIndex(loop));
    return AffineMap::get(loop.size(), 0, results, &context);
  }

  /// Large enough for every index that the map gives, mostly.
  static Extents fragmentExtents(const Extents &loop, AffineMap map, Dice &dice) {
    Extents extents(map.getNumResults(), 1);
    forEach(loop, [&](const Coordinate &point) {
      for (auto [axis, expr] : llvm::enumerate(map.getResults()))
        extents[axis] = std::max(extents[axis], *evaluateAffine(expr, point) + 1);
    });
    for (int64_t &extent : extents)
      extent = dice.oneIn(20) ? std::max<int64_t>(1, extent - 1) : extent + (dice.oneIn(8) ? 1 : 0);
    return extents;
  }

  MLIRContext context;
  Dice dice{17};
};

/// What each register of the loop names, by asking every thread for its points and the fragment for its elements; -1
/// where no thread has a point, nothing where threads disagree or do not hold their element.
std::optional<std::vector<int64_t>> namedRegisters(const Layout &loop, AffineMap map, const Layout &fragment,
                                                   bool isStore) {
  std::vector<int64_t> named(loop.numRegisters(), -1);
  std::map<Coordinate, std::set<int64_t>> writers;
  std::map<Coordinate, int64_t> writes;
  for (int64_t thread = 0; thread < loop.threads(); ++thread)
    for (int64_t reg = 0; reg < loop.numRegisters(); ++reg) {
      std::optional<Coordinate> point = loop.at(thread, reg);
      if (!point)
        continue;
      Coordinate element;
      for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
        element.push_back(*evaluateAffine(expr, *point));
        if (element.back() < 0 || element.back() >= fragment.extents()[axis])
          return std::nullopt;
      }
      Place first = fragment.place(element);
      bool isHeld = false;
      for (const Place &copy : fragment.copyOffsets())
        isHeld |= first.thread + copy.thread == thread;
      if (!isHeld || (named[reg] >= 0 && named[reg] != first.reg))
        return std::nullopt;
      named[reg] = first.reg;
      ++writes[element];
    }
  if (isStore)
    for (const auto &[element, count] : writes)
      if (count < static_cast<int64_t>(fragment.copyOffsets().size()))
        return std::nullopt;
  return named;
}

/// Holds if `map` predicts what is named, and a register of the fragment for what is masked.
bool predicts(const RegisterMap &map, const Layout &loop, const Layout &fragment, const std::vector<int64_t> &named) {
  Extents radices;
  SmallVector<int64_t> strides;
  for (const Digit &digit : loop.digits())
    if (digit.owner == Owner::Register) {
      radices.push_back(digit.radix);
      strides.push_back(digit.stride);
    }
  bool isRight = map.coefficients.size() == radices.size();
  forEach(radices, [&](const Coordinate &values) {
    int64_t reg = 0, predicted = map.constant;
    for (size_t digit = 0; isRight && digit < values.size(); ++digit) {
      reg += values[digit] * strides[digit];
      predicted += values[digit] * map.coefficients[digit];
    }
    isRight =
        isRight && (named[reg] >= 0 ? predicted == named[reg] : predicted >= 0 && predicted < fragment.numRegisters());
  });
  return isRight;
}

/// The map that one look at each digit gives: what its unit names, less what 0 names.
RegisterMap fromUnits(const Layout &loop, const std::vector<int64_t> &named) {
  RegisterMap map;
  map.constant = std::max<int64_t>(named[0], 0);
  for (const Digit &digit : loop.digits())
    if (digit.owner == Owner::Register)
      map.coefficients.push_back(digit.radix > 1 && named[digit.stride] >= 0 ? named[digit.stride] - map.constant : 0);
  return map;
}

/// Random loops, maps and fragments: the answer is that of the enumeration, with the same numbers.
TEST_F(RegisterMapTest, AgreesWithEveryPoint) {
  int numLocal = 0, numForeign = 0, numCopied = 0;
  for (int trial = 0; trial < 8000; ++trial) {
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 3)), 160);
    RandomOptions options;
    options.maxThreads = dice.oneIn(2) ? 16 : 48;
    options.maxBlocks = 1;
    Layout loop = randomLayout(dice, extents, options);
    AffineMap map = randomMap(extents);
    Extents shape = fragmentExtents(extents, map, dice);
    std::optional<IndexMap> indices = indexMapOf(map, extents.size());
    std::optional<Layout> pushed = indices ? push(loop, *indices, shape) : std::nullopt;
    Layout fragment = pushed && !dice.oneIn(8) ? *pushed : randomLayout(dice, shape, options);
    if (dice.oneIn(10))
      fragment = mutateRandomly(dice, fragment);
    bool isStore = dice.oneIn(2);

    std::optional<std::vector<int64_t>> named = namedRegisters(loop, map, fragment, isStore);
    std::optional<RegisterMap> expected = named ? std::optional(fromUnits(loop, *named)) : std::nullopt;
    if (expected && !predicts(*expected, loop, fragment, *named))
      expected = std::nullopt;
    std::optional<RegisterMap> found = registerMap(loop, map, fragment, isStore);
    std::string text;
    llvm::raw_string_ostream(text) << loop.toString() << "\n" << map << "\n" << fragment.toString();
    ASSERT_EQ(found.has_value(), expected.has_value()) << text;
    numForeign += !found;
    if (!found)
      continue;
    ++numLocal;
    numCopied += fragment.copyOffsets().size() > 1 && isStore;
    EXPECT_EQ(found->constant, expected->constant) << text;
    EXPECT_EQ(found->coefficients, expected->coefficients) << text;
  }
  // All kinds occur.
  EXPECT_GT(numLocal, 2000);
  EXPECT_GT(numForeign, 1200);
  EXPECT_GT(numCopied, 100);
}

} // namespace
} // namespace tile
