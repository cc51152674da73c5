// DefaultLayoutTest.cpp - the default layout of every tile: coverage, registers, policy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/DefaultLayout.h"

#include "RandomLayout.h"

#include <gtest/gtest.h>

using namespace tile;

static Layout made(const Extents &extents, int64_t elementBytes, int contiguousAxis, int64_t threads, int64_t vector) {
  std::string why;
  std::optional<Layout> layout = defaultLayout(extents, elementBytes, contiguousAxis, threads, vector, &why);
  EXPECT_TRUE(layout) << why;
  return *layout;
}

static std::string text(const Extents &extents, int64_t elementBytes, int64_t threads) {
  return made(extents, elementBytes, static_cast<int>(extents.size()) - 1, threads, 16 / elementBytes).toString();
}

/// Each coordinate is in exactly one (thread, register), no copies, and no more than twice the registers needed.
static void checkCoverage(const Layout &layout, const Extents &extents, int64_t threads) {
  int64_t elements = 1;
  for (int64_t extent : extents)
    elements *= extent;
  ASSERT_EQ(layout.extents(), extents);
  ASSERT_EQ(layout.threads(), threads);
  ASSERT_TRUE(layout.copies().empty());
  int64_t registers = layout.numRegisters();
  ASSERT_LE(registers, 2 * ((elements + threads - 1) / threads)) << layout.toString();
  // Tables, since tiles are large: distinct places of all elements, each inverted by `at`.
  std::vector<bool> taken(threads * registers, false);
  int64_t seen = 0;
  forEach(extents, [&](const Coordinate &x) {
    Place place = layout.place(x);
    ASSERT_LT(place.thread, threads);
    size_t index = place.thread * registers + place.reg;
    ASSERT_FALSE(taken[index]) << layout.toString();
    taken[index] = true;
    if (++seen % 61 == 0) {
      ASSERT_EQ(layout.at(place.thread, place.reg), x);
    }
  });
  int64_t held = 0;
  if (threads * registers <= 4096) {
    for (int64_t thread = 0; thread < threads; ++thread)
      for (int64_t reg = 0; reg < registers; ++reg)
        held += layout.at(thread, reg).has_value();
    ASSERT_EQ(held, elements) << layout.toString();
  }
}

/// Every odd extent, element size and thread count: a layout exists and covers the tile once.
TEST(DefaultLayout, CoversEveryTileOnce) {
  const int64_t threadCounts[] = {1, 31, 32, 48, 96, 128, 160, 256, 1024};
  const Extents tiles[] = {{},         {1},        {3},       {33},       {96},       {100},     {127},
                           {1152},     {4097},     {1, 1},    {1, 96},    {4, 100},   {3, 33},   {33, 3},
                           {96, 1},    {127, 127}, {32, 100}, {8, 4097},  {16, 1152}, {3, 5, 7}, {64, 64},
                           {128, 128}, {2, 3, 96}, {1, 7168}, {5, 1, 100}};
  for (const Extents &extents : tiles)
    for (int64_t threads : threadCounts)
      for (int64_t elementBytes : {1, 2, 4, 8})
        for (int axis = std::min<int>(0, static_cast<int>(extents.size()) - 1); axis < static_cast<int>(extents.size());
             ++axis) {
          if (axis >= 0 && axis + 1 < static_cast<int>(extents.size()) && elementBytes != 4)
            continue; // outer contiguous axes at one size
          Layout layout = made(extents, elementBytes, axis, threads, 16 / elementBytes);
          ASSERT_NO_FATAL_FAILURE(checkCoverage(layout, extents, threads));
        }
}

/// The same for random tiles of up to four axes and any thread count.
TEST(DefaultLayout, CoversRandomTilesOnce) {
  Dice dice(71);
  for (int i = 0; i < 3000; ++i) {
    Extents extents = randomExtents(dice, static_cast<int>(dice.between(1, 4)), 3000);
    int64_t threads = dice.oneIn(2) ? 32 * dice.between(1, 32) : dice.between(1, 1024);
    int axis = static_cast<int>(dice.between(0, static_cast<int64_t>(extents.size()) - 1));
    Layout layout = made(extents, int64_t(1) << dice.between(0, 3), axis, threads, dice.between(1, 16));
    ASSERT_NO_FATAL_FAILURE(checkCoverage(layout, extents, threads));
  }
}

/// Registers 0 to v - 1 are neighbours on the contiguous axis, and the vector starts at a multiple of v.
TEST(DefaultLayout, VectorsAreContiguous) {
  for (int axis : {0, 1}) {
    Layout layout = made({64, 96}, 2, axis, 128, 8);
    forEach({64, 96}, [&](const Coordinate &x) {
      Coordinate first = x;
      first[axis] -= x[axis] % 8;
      Place place = layout.place(x), start = layout.place(first);
      ASSERT_EQ(place.thread, start.thread);
      ASSERT_EQ(place.reg, start.reg + x[axis] % 8);
    });
  }
}

/// If some split over all threads with vectors of full width has neither masks nor idle threads, the choice has none.
TEST(DefaultLayout, ExactCoverIsPreferred) {
  Dice dice(72);
  int exact = 0;
  for (int i = 0; i < 4000; ++i) {
    int64_t threads = 32 * dice.between(1, 8), lanes = dice.between(1, threads), vector = 4;
    while (threads % lanes || lanes * vector * 4 < 64)
      lanes = dice.between(1, threads);
    // Built to have an exact cover with full vectors.
    Extents extents = {threads / lanes * dice.between(1, 5), lanes * vector * dice.between(1, 5)};
    Layout layout = made(extents, 4, 1, threads, vector);
    EXPECT_TRUE(layout.coversExactly()) << layout.toString();
    exact += layout.coversExactly();
  }
  EXPECT_EQ(exact, 4000);
}

/// The policy in examples: which layouts move when it changes.
TEST(DefaultLayout, Policy) {
  // Whole tile, whole vectors, all threads.
  EXPECT_EQ(text({128, 32}, 2, 128), "128x32 = [(4 reg * 8, 32 thread * 4), (4 thread, 8 reg)] threads 128");
  EXPECT_EQ(text({1, 1024}, 4, 128), "1x1024 = [(), (2 reg * 4, 128 thread, 4 reg)] threads 128");
  // Fewer elements than full vectors for all threads: narrower vectors.
  EXPECT_EQ(text({128}, 4, 128), "128 = [(128 thread)] threads 128");
  EXPECT_EQ(text({160}, 4, 128), "160 = [(80 thread, 2 reg)] threads 128");
  // No exact cover: fewest accesses, then no masks.
  EXPECT_EQ(text({4, 96}, 4, 128), "4x96 = [(4 thread * 24), (24 thread, 4 reg)] threads 128");
  EXPECT_EQ(text({1, 1152}, 4, 128), "1x1152 = [(), (3 reg * 4, 96 thread, 4 reg)] threads 128");
  // Half the width for an exact cover, no less.
  EXPECT_EQ(text({100}, 4, 50), "100 = [(50 thread, 2 reg)] threads 50");
  EXPECT_EQ(text({4097}, 2, 128), "4097 = [(5 reg * 8, 128 thread, 8 reg)] threads 128");
  EXPECT_EQ(text({127, 127}, 2, 128), "127x127 = [(16 reg * 8, 8 thread * 16), (16 thread, 8 reg)] threads 128");
  EXPECT_EQ(text({96}, 4, 128), "96 = [(96 thread)] threads 128");
  EXPECT_EQ(text({}, 4, 128), "scalar = [] threads 128");
  EXPECT_EQ(text({1}, 4, 128), "1 = [()] threads 128");
  EXPECT_EQ(text({3}, 8, 32), "3 = [(3 thread)] threads 32");
}

/// Only numbers outside the limits are refused, each with its sentence.
TEST(DefaultLayout, RefusalsAreExplained) {
  auto reason = [](const Extents &extents, int64_t elementBytes, int axis, int64_t threads, int64_t vector) {
    std::string why;
    EXPECT_FALSE(defaultLayout(extents, elementBytes, axis, threads, vector, &why));
    return why;
  };
  EXPECT_EQ(reason({8}, 4, 0, 0, 4), "a layout over 0 threads; there must be between 1 and 1024");
  EXPECT_EQ(reason({8}, 4, 0, 2048, 4), "a layout over 2048 threads; there must be between 1 and 1024");
  EXPECT_EQ(reason({8}, 4, 1, 32, 4), "axis 1 is contiguous, of 1");
  EXPECT_EQ(reason({8}, 4, 0, 32, 0),
            "vectors of 0 elements of 4 bytes; there must be at least one element, of 1 to 16 bytes");
  EXPECT_EQ(reason({0}, 4, 0, 32, 4), "an extent of 0; extents are positive and multiply to 67108864 at most");
  EXPECT_EQ(reason({8192, 16384}, 4, 0, 32, 4),
            "an extent of 16384; extents are positive and multiply to 67108864 at most");
  EXPECT_EQ(reason({INT64_MAX, INT64_MAX}, 4, 0, 32, 4),
            "an extent of 9223372036854775807; extents are positive and multiply to 67108864 at most");
}
