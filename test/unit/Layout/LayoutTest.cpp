// LayoutTest.cpp - places, round trips and the canonical form of distributed layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

static Layout parsed(std::string_view text) {
  std::string why;
  std::optional<Layout> layout = Layout::parse(text, &why);
  EXPECT_TRUE(layout) << text << ": " << why;
  return *layout;
}

/// The table at the head of Layout.h.
TEST(Layout, SmallestExample) {
  Layout layout = parsed("8 = [(4 thread, 2 reg)] threads 4");
  for (int64_t x = 0; x < 8; ++x)
    EXPECT_EQ(layout.place(Coordinate{x}), (Place{x / 2, x % 2, 0}));
  EXPECT_TRUE(layout.coversExactly());
  EXPECT_EQ(layout.numRegisters(), 2);
}

/// Masked, idle, hole and copy are told apart.
TEST(Layout, FiveWords) {
  Layout masked = parsed("100 = [(2 reg * 8, 8 thread, 8 reg)] threads 8");
  EXPECT_TRUE(masked.hasMasks());
  EXPECT_EQ(masked.at(4, 11), (Coordinate{99}));
  EXPECT_EQ(masked.at(4, 12), std::nullopt);
  EXPECT_FALSE(masked.isIdle(5));

  Layout idle = parsed("24 = [(3 thread * 16, 8 thread * 2)] threads 64");
  EXPECT_FALSE(idle.hasMasks());
  EXPECT_EQ(idle.numActiveThreads(), 24);
  EXPECT_EQ(idle.threadSpan(), 47);
  EXPECT_TRUE(idle.isIdle(1)) << "in a gap";
  EXPECT_TRUE(idle.isIdle(48)) << "above the top";
  EXPECT_FALSE(idle.isIdle(18));
  EXPECT_FALSE(idle.coversExactly());

  Layout hole = parsed("4 = [(2 reg * 4, 2 reg)] threads 1");
  EXPECT_EQ(hole.numRegisters(), 6);
  EXPECT_EQ(hole.at(0, 2), std::nullopt);
  EXPECT_FALSE(hole.coversExactly());

  Layout copies = parsed("8 = [(8 reg)] threads 4 copies (4 thread)");
  EXPECT_TRUE(copies.coversExactly());
  EXPECT_EQ(copies.at(3, 5), (Coordinate{5}));
  EXPECT_EQ(copies.place(Coordinate{5}), (Place{0, 5, 0}));
  EXPECT_EQ(copies.copyOffsets().size(), 4u);
}

/// A tile of rank 0 is one element in register 0 of thread 0.
TEST(Layout, Scalar) {
  Layout layout = parsed("scalar = [] threads 32");
  EXPECT_EQ(layout.place(Coordinate{}), Place());
  EXPECT_EQ(layout.at(0, 0), Coordinate{});
  EXPECT_EQ(layout.at(1, 0), std::nullopt);
  EXPECT_EQ(layout.toString(), "scalar = [] threads 32");
}

/// With an origin, the frame of whole vectors is shifted and both ends are masked.
TEST(Layout, Origins) {
  Layout layout = parsed("10 = [(3 thread, 4 reg)] threads 3 origins (2)");
  EXPECT_EQ(layout.place(Coordinate{0}, Coordinate{2}), (Place{0, 2, 0}));
  EXPECT_EQ(layout.place(Coordinate{9}, Coordinate{2}), (Place{2, 3, 0}));
  EXPECT_EQ(layout.at(0, 1, 0, Coordinate{2}), std::nullopt);
  EXPECT_EQ(layout.at(0, 2, 0, Coordinate{2}), Coordinate{0});
  EXPECT_TRUE(layout.hasMasks());
  std::string why;
  EXPECT_FALSE(Layout::parse("10 = [(3 thread, 4 reg)] threads 3 origins (3)", &why));
  EXPECT_EQ(why, "the digits of axis 0 multiply to 12; they must reach its extent plus its origin, 13");
}

/// place is the rule of the header, and at inverts it for every copy and nothing else.
TEST(Layout, PlaceAndAtRoundTrip) {
  Dice dice(1);
  for (int i = 0; i < 3000; ++i) {
    RandomOptions options{.origins = dice.oneIn(4)};
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(0, 3)), 200);
    Layout layout = randomLayout(dice, extents, options);
    Coordinate origin;
    for (int64_t largest : layout.origins())
      origin.push_back(dice.between(0, largest));
    std::set<std::tuple<int64_t, int64_t, int64_t>> taken;
    forEach(extents, [&](const Coordinate &x) {
      Place expected, place = layout.place(x, origin);
      for (const Digit &digit : layout.digits()) {
        int64_t value = (x[digit.axis] + origin[digit.axis]) / digit.weight % digit.radix;
        (digit.owner == Owner::Thread  ? expected.thread
         : digit.owner == Owner::Block ? expected.block
                                       : expected.reg) += value * digit.stride;
      }
      ASSERT_EQ(place, expected) << layout.toString();
      for (const Place &copy : layout.copyOffsets()) {
        ASSERT_EQ(layout.at(place.thread + copy.thread, place.reg, place.block + copy.block, origin), x)
            << layout.toString();
        ASSERT_FALSE(layout.isIdle(place.thread + copy.thread));
        taken.insert({place.block + copy.block, place.thread + copy.thread, place.reg});
      }
    });
    for (int64_t block = -1; block <= layout.blocks(); ++block)
      for (int64_t thread = -1; thread <= layout.threads(); ++thread)
        for (int64_t reg = -1; reg <= layout.numRegisters(); ++reg)
          ASSERT_EQ(layout.at(thread, reg, block, origin).has_value(), taken.count({block, thread, reg}) == 1)
              << layout.toString() << ": " << block << " " << thread << " " << reg;
  }
}

/// Idle threads, spans and exact covers agree with enumeration.
TEST(Layout, CountsAgreeWithEnumeration) {
  Dice dice(2);
  int exact = 0;
  for (int i = 0; i < 2000; ++i) {
    RandomOptions options{.maxBlocks = dice.between(1, 3), .maxCopies = dice.between(1, 4), .gaps = dice.oneIn(2)};
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 3)), 100);
    Layout layout = randomLayout(dice, extents, options).canonical();
    std::set<int64_t> threads, registers;
    int64_t places = 0;
    for (const auto &[x, holders] : enumerate(layout))
      for (const auto &[who, reg] : holders) {
        threads.insert(who.second);
        registers.insert(reg);
        ++places;
      }
    // A thread that is not idle may still be masked everywhere.
    for (int64_t thread = 0; thread < layout.threads(); ++thread)
      EXPECT_TRUE(layout.hasMasks() || layout.isIdle(thread) == (threads.count(thread) == 0)) << layout.toString();
    EXPECT_GE(layout.threadSpan(), *threads.rbegin() + 1) << layout.toString();
    EXPECT_GE(layout.numRegisters(), *registers.rbegin() + 1) << layout.toString();
    EXPECT_GE(layout.numActiveThreads(), static_cast<int64_t>(threads.size())) << layout.toString();
    if (!layout.hasMasks()) {
      EXPECT_EQ(layout.threadSpan(), *threads.rbegin() + 1) << layout.toString();
      EXPECT_EQ(layout.numRegisters(), *registers.rbegin() + 1) << layout.toString();
      EXPECT_EQ(layout.numActiveThreads(), static_cast<int64_t>(threads.size())) << layout.toString();
    }
    bool isFull = places == layout.blocks() * layout.threads() * layout.numRegisters();
    EXPECT_EQ(layout.coversExactly(), isFull) << layout.toString();
    exact += isFull;
  }
  EXPECT_GT(exact, 20) << "the sweep must meet both";
}

/// Equality is equality of the functions, for rewritten and for changed layouts.
TEST(Layout, CanonicalEqualityIsEqualityOfFunctions) {
  Dice dice(3);
  int equal = 0, different = 0;
  for (int i = 0; i < 6000; ++i) {
    RandomOptions options{.maxThreads = 64, .powersOfTwo = dice.oneIn(3)};
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 2)), 80);
    Layout layout = randomLayout(dice, extents, options);
    Layout other = dice.oneIn(2) ? rewriteRandomly(dice, layout) : mutateRandomly(dice, layout);
    bool same = layout.threads() == other.threads() && layout.blocks() == other.blocks() &&
                enumerate(layout) == enumerate(other);
    forEach(extents, [&](const Coordinate &x) { same &= layout.place(x) == other.place(x); });
    ASSERT_EQ(layout == other, same) << layout.toString() << "\n" << other.toString();
    ++(same ? equal : different);
  }
  EXPECT_GT(equal, 500);
  EXPECT_GT(different, 500);
}

/// The canonical form is the same function, never longer, and its own canonical form.
TEST(Layout, CanonicalFormIsShortest) {
  Dice dice(4);
  for (int i = 0; i < 3000; ++i) {
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 3)), 300);
    Layout layout = randomLayout(dice, extents, {});
    Layout shortest = layout.canonical(), again = rewriteRandomly(dice, layout).canonical();
    ASSERT_EQ(shortest.toString(), again.toString()) << layout.toString();
    ASSERT_EQ(shortest.toString(), shortest.canonical().toString());
    ASSERT_LE(shortest.digits().size(), layout.digits().size());
    ASSERT_TRUE(Layout::get(shortest.description())) << shortest.toString();
    forEach(extents, [&](const Coordinate &x) { ASSERT_EQ(layout.place(x), shortest.place(x)); });
  }
}

/// The tables of the axes add up to the owner's number.
TEST(Layout, AxisTablesAddUp) {
  Dice dice(5);
  for (int i = 0; i < 500; ++i) {
    Extents extents = randomExtents(dice, 3, 300);
    Layout layout = randomLayout(dice, extents, {});
    std::vector<std::vector<int64_t>> tables;
    for (int a = 0; a < 3; ++a)
      tables.push_back(layout.axisTable(a, Owner::Thread));
    forEach(extents, [&](const Coordinate &x) {
      EXPECT_EQ(layout.place(x).thread, tables[0][x[0]] + tables[1][x[1]] + tables[2][x[2]]);
    });
  }
}
