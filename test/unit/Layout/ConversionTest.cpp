// ConversionTest.cpp - containment, same warp, sources of registers and the choice among them against enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Conversion.h"
#include "tile/Layout/ConversionChoice.h"

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
    ASSERT_TRUE(mayShareWarps(held, needed) || !isSameWarp);
    ++(isContained ? contained : isSameWarp ? warp : neither);
  }
  EXPECT_GT(contained, 300);
  EXPECT_GT(warp, 300);
  EXPECT_GT(neither, 300);
}

/// The sources of a register are exactly those that some thread needs; their number is counted right without them.
TEST(Conversion, SourcesAgreeWithEnumeration) {
  Dice dice(22);
  int uniform = 0, varying = 0;
  for (int i = 0; i < 6000; ++i) {
    auto [from, to] = randomPair(dice);
    std::map<int64_t, std::set<int64_t>> expected;
    Holders held = enumerate(from);
    for (const auto &[x, holders] : enumerate(to))
      for (const auto &[who, reg] : holders)
        expected[reg].insert(held.at(x).begin()->second);
    std::vector<std::vector<int64_t>> sources = registerSources(from, to);
    ASSERT_EQ(static_cast<int64_t>(sources.size()), to.numRegisters());
    SourceCount count{0, 0};
    for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
      ASSERT_EQ(std::set<int64_t>(sources[reg].begin(), sources[reg].end()), expected[reg])
          << from.toString() << "\n"
          << to.toString() << "\nregister " << reg;
      ASSERT_TRUE(std::is_sorted(sources[reg].begin(), sources[reg].end()));
      ASSERT_EQ(sources[reg].size(), expected[reg].size());
      count.sources += static_cast<int64_t>(sources[reg].size());
      count.empty += sources[reg].empty();
      ++(sources[reg].size() > 1 ? varying : uniform);
    }
    ASSERT_EQ(countRegisterSources(from, to).sources, count.sources) << from.toString() << "\n" << to.toString();
    ASSERT_EQ(countRegisterSources(from, to).empty, count.empty) << from.toString() << "\n" << to.toString();
  }
  EXPECT_GT(uniform, 300);
  EXPECT_GT(varying, 300);
}

/// Where the own copy is said to do, the thread that it names holds the element and is in the warp; where not, some
/// thread would ask another warp.
TEST(Conversion, OwnCopyAgreesWithEnumeration) {
  Dice dice(23);
  int reached = 0, copies = 0;
  for (int i = 0; i < 5000; ++i) {
    auto [held, needed] = randomPair(dice);
    if (held.blocks() > 1 || needed.blocks() > 1)
      continue;
    bool isReached = true;
    Holders heldBy = enumerate(held);
    for (const auto &[x, holders] : enumerate(needed))
      for (const auto &[who, reg] : holders) {
        int64_t lender = held.place(x).thread + ownCopy(held, who.second);
        isReached &= lender / 32 == who.second / 32;
        ASSERT_EQ(heldBy.at(x).count({who.first, lender}), 1u) << held.toString() << "\n" << needed.toString();
      }
    ASSERT_EQ(sameWarpAtOwnCopy(held, needed), isReached) << held.toString() << "\n" << needed.toString();
    reached += isReached;
    copies += isReached && held.copyOffsets().size() > 1;
  }
  EXPECT_GT(reached, 300);
  EXPECT_GT(copies, 100);
}

/// The kinds in small: what each conversion looks like, and what a thread executes.
TEST(Conversion, Choice) {
  auto choose = [](std::string_view from, std::string_view to, int64_t bytes = 4, bool mayShuffle = true) {
    return chooseConversion(parsed(from), parsed(to), bytes, mayShuffle);
  };
  std::string_view striped = "256 = [(2 reg, 128 thread)] threads 128";
  std::string_view swapped = "256 = [(2 reg * 3, 128 thread)] threads 128";
  std::string_view blocked = "256 = [(128 thread, 2 reg)] threads 128";
  std::string_view inWarp = "256 = [(2 reg, 4 thread * 32, 4 thread, 8 thread * 4)] threads 128";
  EXPECT_EQ(choose(striped, striped).kind, ConversionKind::Same);
  EXPECT_EQ(choose(striped, swapped).kind, ConversionKind::Registers);
  EXPECT_EQ(choose(striped, swapped).counts, (ConversionCounts{.moves = 2}));
  EXPECT_EQ(choose(striped, inWarp).kind, ConversionKind::Shuffles);
  EXPECT_EQ(choose(striped, inWarp).counts, (ConversionCounts{.shuffles = 2}));
  EXPECT_EQ(choose(striped, inWarp, 8).counts, (ConversionCounts{.shuffles = 4}));
  EXPECT_EQ(choose(striped, inWarp, 4, /*mayShuffle=*/false).kind, ConversionKind::Shared);
  EXPECT_EQ(choose(striped, blocked).kind, ConversionKind::Shared);
  EXPECT_EQ(choose(striped, blocked).counts, (ConversionCounts{.stores = 2, .loads = 1, .barriers = 1}));

  // From copies each thread takes its part; to give copies to the warp takes shuffles.
  std::string_view copied = "16 = [(4 thread, 4 reg)] threads 32 copies (8 thread * 4)";
  std::string_view parted = "16 = [(4 thread, 4 thread * 4)] threads 32 copies (2 thread * 16)";
  EXPECT_EQ(choose(copied, parted).kind, ConversionKind::Registers);
  EXPECT_EQ(choose(copied, parted).counts, (ConversionCounts{.moves = 1, .selections = 3}));
  EXPECT_EQ(choose(parted, copied).kind, ConversionKind::Shuffles);
  EXPECT_EQ(choose(parted, copied).counts, (ConversionCounts{.shuffles = 4}));

  // A transposition inside a warp takes each register from each: shared memory is cheaper, from some size on.
  EXPECT_EQ(choose("8 = [(4 thread, 2 reg)] threads 32", "8 = [(2 reg, 4 thread)] threads 32").counts,
            (ConversionCounts{.selections = 2, .shuffles = 4}));
  EXPECT_EQ(choose("512 = [(32 thread, 16 reg)] threads 32", "512 = [(16 reg, 32 thread)] threads 32").kind,
            ConversionKind::Shared);
}

/// The choice costs no more than any way it passed over, and takes only ways that are possible.
TEST(Conversion, ChoiceIsPossible) {
  Dice dice(24);
  std::map<ConversionKind, int> kinds;
  for (int i = 0; i < 3000; ++i) {
    auto [from, to] = randomPair(dice);
    ConversionChoice choice = chooseConversion(from, to, dice.oneIn(2) ? 4 : 2);
    ++kinds[choice.kind];
    ASSERT_EQ(choice.kind == ConversionKind::Same, from == to);
    ASSERT_TRUE(choice.kind != ConversionKind::Registers || contains(from, to));
    ASSERT_TRUE(choice.kind != ConversionKind::Shuffles || sameWarpAtOwnCopy(from, to));
    ASSERT_EQ(choice.pools.barriers > 0, choice.kind == ConversionKind::Shared);
    ASSERT_LE(choice.pools.latency, convertThroughShared(from, to, 4).pools.latency);
  }
  for (ConversionKind kind :
       {ConversionKind::Same, ConversionKind::Registers, ConversionKind::Shuffles, ConversionKind::Shared})
    EXPECT_GT(kinds[kind], 50) << name(kind);
}

/// What the report says of counts.
TEST(Conversion, CountsAsText) {
  EXPECT_EQ(describe(ConversionCounts{}), "nothing");
  EXPECT_EQ(describe(ConversionCounts{.moves = 1, .selections = 3}), "1 move, 3 selections");
  EXPECT_EQ(describe(ConversionCounts{.selections = 1, .shuffles = 2}), "2 shuffles, 1 selection");
  EXPECT_EQ(describe(ConversionCounts{.stores = 4, .loads = 1, .barriers = 1}), "4 stores, 1 barrier, 1 load");
}

/// Layouts of different shapes or origins never fit.
TEST(Conversion, ShapesMustAgree) {
  Layout a = parsed("8 = [(8 reg)] threads 1"), b = parsed("9 = [(9 reg)] threads 1");
  Layout c = parsed("8 = [(9 reg)] threads 1 origins (1)");
  for (const Layout &other : {b, c}) {
    EXPECT_FALSE(contains(a, other));
    EXPECT_FALSE(sameWarp(a, other));
    EXPECT_FALSE(a == other);
    EXPECT_EQ(chooseConversion(a, other, 4).kind, ConversionKind::Shared);
  }
}
