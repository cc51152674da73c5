// AtomsTest.cpp - index maps as projections: cuts, push and pull against enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Atoms.h"

#include "RandomLayout.h"
#include "tile/Layout/Conversion.h"

#include <gtest/gtest.h>

using namespace tile;

static Layout parsed(std::string_view text) {
  return *Layout::parse(text);
}

namespace {
/// A map between a loop and a buffer, named for the messages.
struct Case {
  const char *name;
  Extents loop, buffer;
  IndexMap map;
};
} // namespace

/// Maps of every kind in random sizes.
static Case randomCase(Dice &dice) {
  int64_t a = dice.between(1, 7), b = dice.between(1, 7), c = dice.between(1, 5), d = dice.between(2, 5);
  using Terms = std::vector<std::vector<IndexTerm>>;
  switch (dice.between(0, 12)) {
  case 0:
    return {"transposed", {a, b}, {b, a}, {Terms{{{1}}, {{0}}}, {0, 0}}};
  case 1:
    return {"broadcast", {a, b}, {b}, {Terms{{{1}}}, {0}}};
  case 2:
    return {"broadcast inside", {a, b, c}, {a, c}, {Terms{{{0}}, {{2}}}, {0, 0}}};
  case 3:
    return {"floordiv", {a, b * d}, {a, b}, {Terms{{{0}}, {{1, 1, d}}}, {0, 0}}};
  case 4:
    return {"floordiv, not a multiple", {a, b * d + 1}, {a, b + 1}, {Terms{{{0}}, {{1, 1, d}}}, {0, 0}}};
  case 5:
    return {"mod", {a, b * d}, {a, d}, {Terms{{{0}}, {{1, 1, 1, d}}}, {0, 0}}};
  case 6:
    return {"flattened", {a, b, c}, {a * b * c}, {Terms{{{0, b * c}, {1, c}, {2}}}, {0}}};
  case 7:
    return {"split", {a * b * d}, {a, b, d}, {Terms{{{0, 1, b * d}}, {{0, 1, d, b}}, {{0, 1, 1, d}}}, {0, 0, 0}}};
  case 8:
    return {"half", {a, b * d}, {a, 2 * b * d}, {Terms{{{0}}, {{1}}}, {0, 0}}};
  case 9:
    return {"upper half", {a, b * d}, {a, 2 * b * d}, {Terms{{{0}}, {{1}}}, {0, b * d}}};
  case 10:
    return {"strided", {a, b}, {a, b * d}, {Terms{{{0}}, {{1, d}}}, {0, dice.between(0, d - 1)}}};
  case 11:
    return {"prefix", {a, b}, {a + c, b + d}, {Terms{{{0}}, {{1}}}, {0, 0}}};
  default:
    return {"rows of a padded tile", {a, b}, {a * (b + c)}, {Terms{{{0, b + c}, {1}}}, {0}}};
  }
}

/// Under the pushed layout every thread that runs a point holds its element, in a register that only depends on the
/// point's register.
static void checkPushed(const Case &test, const Layout &loop, const Layout &buffer) {
  Holders held = enumerate(buffer);
  forEach(test.buffer, [&](const Coordinate &x) { ASSERT_FALSE(held[x].empty()) << "every element is somewhere"; });
  std::map<int64_t, int64_t> registers;
  for (const auto &[x, holders] : enumerate(loop))
    for (const auto &[who, reg] : holders) {
      Coordinate element = test.map.apply(x);
      ASSERT_TRUE(held.at(element).count(who)) << test.name << "\n" << loop.toString() << "\n" << buffer.toString();
      int64_t source = held.at(element).at(who);
      ASSERT_EQ(registers.emplace(reg, source).first->second, source) << test.name << "\n" << loop.toString();
    }
}

/// Push through every kind of map.
TEST(Atoms, PushAgreesWithEnumeration) {
  Dice dice(31);
  std::map<std::string, int> done;
  int exchanges = 0;
  for (int i = 0; i < 6000; ++i) {
    Case test = randomCase(dice);
    RandomOptions options{.maxThreads = 64, .powersOfTwo = dice.oneIn(3)};
    Layout loop = randomLayout(dice, test.loop, options);
    std::string why;
    std::optional<Layout> buffer = push(loop, test.map, test.buffer, &why);
    ASSERT_EQ(buffer.has_value(), why.empty());
    exchanges += !buffer;
    if (!buffer)
      continue;
    ++done[test.name];
    ASSERT_EQ(buffer->extents(), test.buffer);
    checkPushed(test, loop, *buffer);
  }
  EXPECT_EQ(done.size(), 13u);
  for (const auto &[name, count] : done)
    EXPECT_GT(count, 40) << name;
  EXPECT_LT(exchanges, 4000);
}

/// Pull through every kind of map: each point of the loop runs somewhere, and finds its element there.
TEST(Atoms, PullAgreesWithEnumeration) {
  Dice dice(32);
  std::map<std::string, int> done;
  for (int i = 0; i < 6000; ++i) {
    Case test = randomCase(dice);
    RandomOptions options{.maxThreads = 64, .powersOfTwo = dice.oneIn(3)};
    Layout buffer = randomLayout(dice, test.buffer, options);
    std::string why;
    std::optional<Layout> loop = pull(buffer, test.map, test.loop, &why);
    ASSERT_EQ(loop.has_value(), why.empty());
    if (!loop)
      continue;
    ++done[test.name];
    ASSERT_EQ(loop->extents(), test.loop);
    Holders held = enumerate(buffer), run = enumerate(*loop);
    forEach(test.loop, [&](const Coordinate &x) {
      ASSERT_FALSE(run[x].empty()) << test.name;
      for (const auto &[who, reg] : run[x])
        ASSERT_TRUE(held.at(test.map.apply(x)).count(who)) << test.name << "\n"
                                                           << loop->toString() << "\n"
                                                           << buffer.toString();
    });
  }
  EXPECT_EQ(done.size(), 13u);
  for (const auto &[name, count] : done)
    EXPECT_GT(count, 40) << name;
}

/// Dividing threads by an index: the threads of one group become copies.
TEST(Atoms, FloordivMakesCopies) {
  Layout loop = parsed("128 = [(128 thread)] threads 128");
  IndexMap map{{{{0, 1, 4}}}, {0}};
  std::optional<Layout> buffer = push(loop, map, {32});
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->toString(), "32 = [(32 thread * 4)] threads 128 copies (4 thread)");
  EXPECT_EQ(pull(*buffer, map, {128})->toString(), loop.toString());
}

/// A transposed access of a flat buffer keeps threads and registers apart.
TEST(Atoms, FlattenedAndTransposed) {
  Layout loop = parsed("8x16 = [(8 thread * 4), (4 thread, 4 reg)] threads 32");
  std::optional<Layout> buffer = push(loop, IndexMap{{{{0, 1}, {1, 8}}}, {0}}, {128});
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->toString(), "128 = [(4 thread, 4 reg, 8 thread * 4)] threads 32");
}

/// What does not nest is an exchange, and the reason says why.
TEST(Atoms, ExchangesAreExplained) {
  Layout loop = parsed("6x6 = [(6 thread), (6 reg)] threads 6");
  auto reason = [&](const IndexMap &map, const Extents &buffer) {
    std::string why;
    EXPECT_FALSE(push(loop, map, buffer, &why));
    return why;
  };
  EXPECT_EQ(reason({{{{0}}}, {1}}, {7}), "index 0 adds 1 to a term that carries into it");
  EXPECT_EQ(reason({{{{0}}, {{0}}}, {0, 0}}, {6, 6}), "a diagonal: loop axis 0 is used twice");
  EXPECT_EQ(reason({{{{0, 1, 2}}, {{0, 1, 3}}}, {0, 0}}, {3, 2}),
            "an axis of 6 is cut at 2 and at 3, which do not nest");
  EXPECT_EQ(reason({{{{0}, {1}}}, {0}}, {11}),
            "terms overlap: one takes the values 0 to 5, the next one moves in steps of 1");
  EXPECT_EQ(reason({{{{0, -1}}}, {5}}, {6}),
            "index 0 has the coefficient -1, the divisor 1 and the modulus 0; none may be negative");
  EXPECT_EQ(reason({{{{7}}}, {0}}, {6}), "index 0 uses loop axis 7 of 2");
  EXPECT_EQ(reason({{{{0}}}, {0}}, {6, 6}), "the access has 1 indices for 2 axes");
  EXPECT_EQ(reason({{{{0}}}, {6}}, {6}), "index 0 starts at 6, outside the extent 6");
  EXPECT_EQ(reason({{{{0}}}, {0}}, {0}), "an extent of 0; extents are positive and multiply to 67108864 at most");
  std::string why;
  EXPECT_FALSE(
      push(parsed("12 = [(3 thread, 4 reg)] threads 3"), {{{{0, 1, 6}}, {{0, 1, 1, 6}}}, {0, 0}}, {2, 6}, &why));
  EXPECT_EQ(why, "digit '3 thread' of axis 0 covers 4 to 12 and does not meet the cut at 6");
}

/// A constant that selects other threads than those from 0 is an exchange for pull.
TEST(Atoms, ConstantsSelectRegisters) {
  IndexMap upper{{{{0}}}, {8}};
  EXPECT_TRUE(pull(parsed("16 = [(2 reg, 8 thread)] threads 8"), upper, {8}));
  std::string why;
  EXPECT_FALSE(pull(parsed("16 = [(16 thread)] threads 16"), upper, {8}, &why));
  EXPECT_EQ(why, "the constant 1 of axis 0 selects other threads than those from 0");
}

/// Cuts travel through a chain of maps until every space has the same atoms; a map that does not fit changes nothing.
TEST(Atoms, CutsReachAFixedPoint) {
  AtomGroup group;
  int flat = group.addSpace({48}), rows = group.addSpace({6, 8}), loop = group.addSpace({48}),
      odd = group.addSpace({5});
  ASSERT_TRUE(group.addMap(flat, loop, IndexMap::identity(1)));
  EXPECT_EQ(group.atoms(loop).size(), 1u);
  ASSERT_TRUE(group.addMap(loop, rows, {{{{0, 1, 8}}, {{0, 1, 1, 8}}}, {0, 0}}));
  EXPECT_EQ(group.atoms(flat), (std::vector<Atom>{{0, 1, 8}, {0, 8, 6}}));
  std::string why;
  EXPECT_FALSE(group.addMap(loop, odd, {{{{0, 1, 12}}}, {0}}, &why));
  EXPECT_EQ(why, "an axis of 48 is cut at 8 and at 12, which do not nest");
  EXPECT_EQ(group.atoms(loop), (std::vector<Atom>{{0, 1, 8}, {0, 8, 6}}));
  ASSERT_TRUE(group.addMap(loop, odd, {{{{0, 1, 16}}}, {0}}));
  EXPECT_EQ(group.atoms(rows), (std::vector<Atom>{{0, 1, 2}, {0, 2, 3}, {1, 1, 8}}));
  for (int64_t x = 0; x < 48; ++x)
    EXPECT_EQ(group.fromAtoms(loop, group.toAtoms(loop, Coordinate{x})), Coordinate{x});
}

/// A piece padded to a vector is expressible over atoms, though not over the flat axis.
TEST(Atoms, PaddedPiecesLiveOnAtoms) {
  AtomGroup group;
  int loop = group.addSpace({4, 100}), flat = group.addSpace({400});
  std::optional<int> map = group.addMap(loop, flat, {{{{0, 100}, {1}}}, {0}});
  ASSERT_TRUE(map);
  Layout rows = parsed("4x100 = [(4 reg * 8), (13 thread, 8 reg)] threads 13");
  std::optional<Layout> atoms = group.cut(loop, rows);
  ASSERT_TRUE(atoms);
  std::optional<Layout> pushed = group.push(*map, *atoms);
  ASSERT_TRUE(pushed);
  forEach({4, 100}, [&](const Coordinate &x) {
    EXPECT_EQ(pushed->place(group.toAtoms(flat, Coordinate{x[0] * 100 + x[1]})), rows.place(x));
  });
  std::string why;
  EXPECT_FALSE(group.join(flat, *pushed, &why));
  EXPECT_EQ(why, "a piece of 100 elements of axis 0 is held as 104, with another piece above it");
}

/// Cutting and joining keep every place.
TEST(Atoms, CutAndJoinKeepPlaces) {
  Dice dice(33);
  int cuts = 0;
  for (int i = 0; i < 2000; ++i) {
    Case test = randomCase(dice);
    AtomGroup group;
    int loop = group.addSpace(test.loop), buffer = group.addSpace(test.buffer);
    ASSERT_TRUE(group.addMap(loop, buffer, test.map)) << test.name;
    Layout layout = randomLayout(dice, test.loop, {.powersOfTwo = dice.oneIn(2)});
    std::optional<Layout> atoms = group.cut(loop, layout);
    if (!atoms)
      continue;
    ++cuts;
    forEach(test.loop, [&](const Coordinate &x) {
      ASSERT_EQ(atoms->place(group.toAtoms(loop, x)), layout.place(x)) << test.name << layout.toString();
    });
    if (std::optional<Layout> joined = group.join(loop, *atoms))
      forEach(test.loop, [&](const Coordinate &x) { ASSERT_EQ(joined->place(x), layout.place(x)); });
  }
  EXPECT_GT(cuts, 500);
}

/// Any map is answered, also with absurd numbers.
TEST(Atoms, AnyMapIsAnswered) {
  Dice dice(34);
  const int64_t strange[] = {0, -1, INT64_MIN, INT64_MAX, int64_t(1) << 53, 1 << 26, 7, 100};
  auto number = [&] { return dice.oneIn(4) ? strange[dice.between(0, 7)] : dice.between(0, 6); };
  int pushed = 0;
  for (int i = 0; i < 20000; ++i) {
    Layout loop = randomLayout(dice, {dice.between(1, 8), dice.between(1, 8)}, {.maxThreads = 32});
    IndexMap map;
    Extents buffer;
    for (int64_t n = dice.between(1, 2); n > 0; --n) {
      std::vector<IndexTerm> terms;
      for (int64_t t = dice.between(0, 2); t > 0; --t)
        terms.push_back({static_cast<int>(dice.between(-1, 5) % 3), number(), number(), number()});
      map.terms.push_back(terms);
      map.constants.push_back(dice.oneIn(3) ? number() : 0);
      buffer.push_back(dice.oneIn(8) ? number() : dice.between(1, 50));
    }
    std::string why;
    bool isPushed = push(loop, map, buffer, &why).has_value();
    EXPECT_EQ(isPushed, why.empty());
    pushed += isPushed;
  }
  EXPECT_GT(pushed, 300);
}
