// ConversionTest.cpp - containment, same warp and register moves against enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Conversion.h"

#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

static Layout parsed(std::string_view text) {
  return *Layout::parse(text);
}

static bool containsByEnumeration(const Holders &held, const Holders &needed) {
  for (const auto &[x, holders] : needed)
    for (const auto &[who, reg] : holders)
      if (held.at(x).count(who) == 0)
        return false;
  return true;
}

static bool sameWarpByEnumeration(const Holders &held, const Holders &needed) {
  for (const auto &[x, holders] : needed)
    for (const auto &[who, reg] : holders) {
      bool isHere = false;
      for (const auto &[other, otherReg] : held.at(x))
        isHere |= other.first == who.first && other.second / 32 == who.second / 32;
      if (!isHere)
        return false;
    }
  return true;
}

/// Two layouts of one shape: unrelated, rewritten or changed in steps.
static std::pair<Layout, Layout> randomPair(Dice &dice) {
  RandomOptions options{.maxThreads = dice.oneIn(2) ? 24 : 130, .powersOfTwo = dice.oneIn(3)};
  Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 3)), 100);
  Layout first = randomLayout(dice, extents, options);
  if (dice.oneIn(4))
    return {first, randomLayout(dice, extents, options)};
  Layout second = mutateRandomly(dice, rewriteRandomly(dice, first));
  return dice.oneIn(2) ? std::pair{first, second} : std::pair{second, first};
}

/// contains and sameWarp are exact for any radices, paddings, copies and blocks.
TEST(Conversion, PredicatesAgreeWithEnumeration) {
  Dice dice(21);
  int contained = 0, warp = 0, neither = 0;
  for (int i = 0; i < 5000; ++i) {
    auto [held, needed] = randomPair(dice);
    Holders heldBy = enumerate(held), neededBy = enumerate(needed);
    bool isContained = containsByEnumeration(heldBy, neededBy), isSameWarp = sameWarpByEnumeration(heldBy, neededBy);
    ASSERT_EQ(contains(held, needed), isContained) << held.toString() << "\n" << needed.toString();
    ASSERT_EQ(sameWarp(held, needed), isSameWarp) << held.toString() << "\n" << needed.toString();
    ConversionKind expected = held == needed ? ConversionKind::Same
                              : isContained  ? ConversionKind::Registers
                              : isSameWarp   ? ConversionKind::Shuffle
                                             : ConversionKind::Shared;
    ASSERT_EQ(classify(held, needed), expected);
    ++(isContained ? contained : isSameWarp ? warp : neither);
  }
  EXPECT_GT(contained, 300);
  EXPECT_GT(warp, 300);
  EXPECT_GT(neither, 300);
}

/// Each uniform move takes the same element; a register is reported as varying only if threads disagree.
TEST(Conversion, RegisterMovesAgreeWithEnumeration) {
  Dice dice(22);
  int uniform = 0, varying = 0;
  for (int i = 0; i < 6000; ++i) {
    auto [from, to] = randomPair(dice);
    std::optional<RegisterMoves> moves = registerMoves(from, to);
    ASSERT_EQ(moves.has_value(), contains(from, to));
    if (!moves)
      continue;
    std::map<int64_t, std::set<int64_t>> sources;
    Holders held = enumerate(from);
    for (const auto &[x, holders] : enumerate(to))
      for (const auto &[who, reg] : holders)
        sources[reg].insert(held.at(x).at(who));
    ASSERT_EQ(static_cast<int64_t>(moves->source.size()), to.numRegisters());
    bool allUniform = true;
    for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
      int64_t expected = sources.count(reg) == 0    ? RegisterMoves::kUnused
                         : sources[reg].size() == 1 ? *sources[reg].begin()
                                                    : RegisterMoves::kVaries;
      ASSERT_EQ(moves->source[reg], expected) << from.toString() << "\n" << to.toString() << "\nregister " << reg;
      allUniform &= expected != RegisterMoves::kVaries;
    }
    ASSERT_EQ(moves->isUniform(), allUniform);
    ++(allUniform ? uniform : varying);
  }
  EXPECT_GT(uniform, 300);
  EXPECT_GT(varying, 100);
}

/// The kinds in small: what each conversion looks like.
TEST(Conversion, Kinds) {
  Layout striped = parsed("256 = [(2 reg, 128 thread)] threads 128");
  Layout blocked = parsed("256 = [(128 thread, 2 reg)] threads 128");
  Layout swapped = parsed("256 = [(2 reg * 3, 128 thread)] threads 128");
  Layout inWarp = parsed("256 = [(2 reg, 4 thread * 32, 4 thread, 8 thread * 4)] threads 128");
  Layout everywhere = parsed("256 = [(256 reg)] threads 128 copies (128 thread)");
  EXPECT_EQ(classify(striped, striped), ConversionKind::Same);
  EXPECT_EQ(classify(striped, swapped), ConversionKind::Registers);
  EXPECT_EQ(registerMoves(striped, swapped)->source, (std::vector<int64_t>{0, -1, -1, 1}));
  EXPECT_EQ(classify(striped, inWarp), ConversionKind::Shuffle);
  EXPECT_EQ(classify(striped, blocked), ConversionKind::Shared);
  EXPECT_EQ(classify(everywhere, blocked), ConversionKind::Registers);
  EXPECT_FALSE(registerMoves(everywhere, blocked)->isUniform());
  EXPECT_EQ(classify(blocked, everywhere), ConversionKind::Shared);
}

/// Layouts of different shapes or origins never fit.
TEST(Conversion, ShapesMustAgree) {
  Layout a = parsed("8 = [(8 reg)] threads 1"), b = parsed("9 = [(9 reg)] threads 1");
  Layout c = parsed("8 = [(9 reg)] threads 1 origins (1)");
  for (const Layout &other : {b, c}) {
    EXPECT_FALSE(contains(a, other));
    EXPECT_FALSE(sameWarp(a, other));
    EXPECT_FALSE(a == other);
    EXPECT_EQ(classify(a, other), ConversionKind::Shared);
  }
}
