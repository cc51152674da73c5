// InstructionLayoutsTest.cpp - register tiles of matrix instructions against the published formulas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/InstructionLayouts.h"

#include "tile/Layout/Conversion.h"

#include <gtest/gtest.h>

using namespace tile;

/// Checks that (thread, register) holds `expected(thread, register)` for all of them, and that nothing else exists.
template <typename Expected>
static void expectElements(const Layout &layout, int64_t threads, int64_t registers, Expected expected) {
  EXPECT_EQ(layout.threads(), threads);
  EXPECT_EQ(layout.numRegisters(), registers);
  EXPECT_TRUE(layout.coversExactly());
  for (int64_t thread = 0; thread < threads; ++thread)
    for (int64_t reg = 0; reg < registers; ++reg)
      ASSERT_EQ(layout.at(thread, reg), expected(thread, reg)) << layout.toString() << " " << thread << " " << reg;
}

/// c0 and c1 lie in row l / 4, c2 and c3 eight rows below; columns 2q and 2q + 1.
TEST(InstructionLayouts, MmaAccumulator) {
  expectElements(mmaAccumulatorLayout(), 32, 4,
                 [](int64_t l, int64_t i) { return Coordinate{l / 4 + 8 * (i / 2), 2 * (l % 4) + i % 2}; });
}

/// Register pairs: (r, 2q), (r + 8, 2q), (r, 2q + 8), (r + 8, 2q + 8).
TEST(InstructionLayouts, MmaLeft) {
  expectElements(mmaLeftLayout(), 32, 8, [](int64_t l, int64_t i) {
    int64_t pair = i / 2;
    return Coordinate{l / 4 + 8 * (pair % 2), 2 * (l % 4) + 8 * (pair / 2) + i % 2};
  });
}

/// b0 holds k = 2q and 2q + 1, b1 eight further; column l / 4.
TEST(InstructionLayouts, MmaRight) {
  expectElements(mmaRightLayout(), 32, 4,
                 [](int64_t l, int64_t i) { return Coordinate{2 * (l % 4) + 8 * (i / 2) + i % 2, l / 4}; });
}

/// i = 4j + 2h + e: row 16w + l / 4 + 8h, column 8j + 2 (l % 4) + e, for each N that exists.
TEST(InstructionLayouts, WgmmaAccumulator) {
  for (int64_t columns = 8; columns <= 256; columns += 8)
    expectElements(wgmmaAccumulatorLayout(columns), 128, columns / 2, [](int64_t thread, int64_t i) {
      int64_t w = thread / 32, l = thread % 32, j = i / 4, h = i / 2 % 2, e = i % 2;
      return Coordinate{16 * w + l / 4 + 8 * h, 8 * j + 2 * (l % 4) + e};
    });
}

/// The four 32-bit registers of the left operand, for elements of 1, 2 and 4 bytes.
TEST(InstructionLayouts, WgmmaLeft) {
  for (int64_t elementBytes : {1, 2, 4}) {
    int64_t e = 4 / elementBytes;
    expectElements(wgmmaLeftLayout(elementBytes), 128, 4 * e, [&](int64_t thread, int64_t i) {
      int64_t row = 16 * (thread / 32) + thread % 32 / 4, q = thread % 4, reg = i / e;
      return Coordinate{row + 8 * (reg % 2), q * e + 4 * e * (reg / 2) + i % e};
    });
  }
}

/// ldmatrix gives lane l the elements 2 (l % 4) and + 1 of row l / 4 of each matrix; .trans exchanges rows and columns.
TEST(InstructionLayouts, Ldmatrix) {
  for (int64_t count : {1, 2, 4}) {
    expectElements(ldmatrixLayout(count, false), 32, 2 * count,
                   [](int64_t l, int64_t i) { return Coordinate{i / 2, l / 4, 2 * (l % 4) + i % 2}; });
    expectElements(ldmatrixLayout(count, true), 32, 2 * count,
                   [](int64_t l, int64_t i) { return Coordinate{i / 2, 2 * (l % 4) + i % 2, l / 4}; });
  }
}

/// A 16-bit accumulator is a left operand without any move: 16 of its columns are one k block, register by register.
TEST(InstructionLayouts, AccumulatorIsLeftOperand) {
  EXPECT_TRUE(contains(wgmmaAccumulatorLayout(16), wgmmaLeftLayout(2)));
  EXPECT_EQ(registerSources(wgmmaAccumulatorLayout(16), wgmmaLeftLayout(2)),
            (std::vector<std::vector<int64_t>>{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
}

/// With 8-bit elements the quad must exchange: shuffles, nothing more.
TEST(InstructionLayouts, ByteAccumulatorNeedsShuffles) {
  EXPECT_FALSE(contains(wgmmaAccumulatorLayout(32), wgmmaLeftLayout(1)));
  EXPECT_TRUE(sameWarp(wgmmaAccumulatorLayout(32), wgmmaLeftLayout(1)));
}
