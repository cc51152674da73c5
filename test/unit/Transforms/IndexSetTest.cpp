// IndexSetTest.cpp - the indices of loops, against their enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/IndexSet.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace mlir;

namespace tile {
namespace {

/// offset + the sum of step * (0 … count - 1).
struct Form {
  int64_t offset = 0;
  std::vector<std::pair<int64_t, int64_t>> loops; ///< step, count
};

class IndexSetTest : public testing::Test {
protected:
  AffineExpr number(int64_t value) { return getAffineConstantExpr(value, &context); }

  IndexSet setOf(const Form &form, AffineExpr parameter = {}) {
    AffineExpr expr = parameter ? parameter + form.offset : number(form.offset);
    SmallVector<AffineExpr> counts;
    for (auto [step, count] : form.loops) {
      expr = expr + getAffineSymbolExpr(counts.size(), &context) * step;
      counts.push_back(number(count));
    }
    std::optional<IndexSet> set = IndexSet::get(expr, counts);
    EXPECT_TRUE(set);
    return *set;
  }

  /// By enumeration.
  static std::set<int64_t> indicesOf(const Form &form, std::optional<int64_t> extent = std::nullopt) {
    std::set<int64_t> all = {form.offset};
    for (auto [step, count] : form.loops) {
      std::set<int64_t> next;
      for (int64_t index : all)
        for (int64_t trip = 0; trip < count; ++trip)
          next.insert(index + step * trip);
      all = std::move(next);
    }
    if (extent)
      std::erase_if(all, [&](int64_t index) { return index < 0 || index >= *extent; });
    return all;
  }

  static bool includes(const std::set<int64_t> &outer, const std::set<int64_t> &inner) {
    return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
  }

  MLIRContext context;
};

/// A row in chunks forwards, backwards, in chunks of another length and in one piece, of odd lengths.
TEST_F(IndexSetTest, ChunksOfARow) {
  AffineExpr row = getAffineDimExpr(0, &context) * 7;
  for (int64_t chunk : {1, 3, 125, 2047})
    for (int64_t count : {1, 3, 7, 15}) {
      int64_t length = chunk * count;
      Form forwards{0, {{chunk, count}, {1, chunk}}}, backwards{length - chunk, {{-chunk, count}, {1, chunk}}};
      Form whole{0, {{1, length}}}, reversed{length - 1, {{-1, length}}}, other{0, {{count, chunk}, {1, count}}};
      for (const Form &a : {forwards, backwards, whole, reversed, other})
        for (const Form &b : {forwards, backwards, whole, reversed, other}) {
          EXPECT_TRUE(isWithin(setOf(a), setOf(b))) << chunk << ' ' << count;
          EXPECT_TRUE(isWithin(setOf(a, row), setOf(b, row))) << chunk << ' ' << count;
        }
      Form longer{0, {{1, length + 1}}}, later{1, {{1, length}}};
      EXPECT_TRUE(isWithin(setOf(forwards), setOf(longer)));
      EXPECT_FALSE(isWithin(setOf(longer), setOf(forwards)));
      EXPECT_FALSE(isWithin(setOf(later), setOf(backwards)));
      EXPECT_FALSE(isWithin(setOf(forwards, row), setOf(forwards)));
    }
}

/// Chunks that do not divide the row end beyond it, or begin before it; nothing is there.
TEST_F(IndexSetTest, OnlyWhatExistsCounts) {
  for (int64_t length : {5, 127, 4097, 5120})
    for (int64_t chunk : {3, 128, 2048}) {
      int64_t count = (length + chunk - 1) / chunk;
      IndexSet forwards = setOf({0, {{chunk, count}, {1, chunk}}}), whole = setOf({0, {{1, length}}});
      IndexSet backwards = setOf({length - chunk, {{-chunk, count}, {1, chunk}}});
      for (IndexSet *set : {&forwards, &whole, &backwards})
        set->clip(length);
      for (const IndexSet *a : {&forwards, &whole, &backwards})
        for (const IndexSet *b : {&forwards, &whole, &backwards})
          EXPECT_TRUE(isWithin(*a, *b)) << length << ' ' << chunk;
    }
}

/// Numbers of trips that are known at run time only: the same loops cover the same.
TEST_F(IndexSetTest, CountsOfParameters) {
  AffineExpr n = getAffineDimExpr(0, &context), k = getAffineSymbolExpr(0, &context),
             j = getAffineSymbolExpr(1, &context);
  AffineExpr chunks = n.ceilDiv(128), whole = n.floorDiv(128);
  auto get = [&](AffineExpr expr, ArrayRef<AffineExpr> counts) { return *IndexSet::get(expr, counts); };
  IndexSet forwards = get(k * 128 + j, {chunks, number(128)});
  IndexSet backwards = get(chunks * 128 - 128 - k * 128 + j, {chunks, number(128)});
  IndexSet finer = get(k * 32 + j, {chunks * 4, number(32)}), fewer = get(k * 128 + j, {whole, number(128)});
  for (const IndexSet *set : {&backwards, &finer}) {
    EXPECT_TRUE(isWithin(forwards, *set));
    EXPECT_TRUE(isWithin(*set, forwards));
  }
  EXPECT_FALSE(isWithin(fewer, forwards));
  EXPECT_FALSE(isWithin(forwards, fewer));
  // As many trips as another loop has elements leave gaps, or not.
  EXPECT_FALSE(isWithin(get(k * 128 + j, {number(4), n}), get(j, {number(1), number(512)})));
}

/// Neither products of loops nor remainders of them are sets of walks; loops without a trip touch nothing.
TEST_F(IndexSetTest, WhatIsNoWalk) {
  AffineExpr k = getAffineSymbolExpr(0, &context), j = getAffineSymbolExpr(1, &context);
  EXPECT_FALSE(IndexSet::get(k * j, {number(3), number(5)}));
  EXPECT_FALSE(IndexSet::get((k * 5 + j) % 4, {number(3), number(5)}));
  EXPECT_FALSE(IndexSet::get(k.floorDiv(2), {number(3)}));
  EXPECT_FALSE(IndexSet::get(k, {number(0)}));
  // Numbers so large that their sums might have no 64 bits.
  for (int64_t large : {INT64_MAX, INT64_MIN, int64_t(1) << 40}) {
    EXPECT_FALSE(IndexSet::get(k * large, {number(3)}));
    EXPECT_FALSE(IndexSet::get(k * 3, {number(std::abs(large / 2))}));
    std::optional<IndexSet> far = IndexSet::get(k + large, {number(3)});
    ASSERT_TRUE(far);
    far->clip(100);
    EXPECT_FALSE(isWithin(*far, *IndexSet::get(k, {number(3)})));
  }
  EXPECT_TRUE(IndexSet::get(k * 5 + getAffineDimExpr(0, &context) % 4, {number(3)}));
}

/// Whatever the loops: what is said to be within is within, before and after both are cut to an extent.
TEST_F(IndexSetTest, AgreesWithEnumeration) {
  std::mt19937 random(1);
  auto draw = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  auto form = [&] {
    Form result{draw(-9, 40), {}};
    for (int64_t loop = draw(0, 3); loop > 0; --loop)
      result.loops.push_back({draw(-12, 12), draw(1, 7)});
    return result;
  };
  int found = 0, missed = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    Form a = form(), b = trial % 2 ? form() : a;
    if (trial % 2 == 0) { // the same loops, the other way round, and perhaps one longer
      std::reverse(b.loops.begin(), b.loops.end());
      for (auto &[step, count] : b.loops) {
        b.offset += step * (count - 1);
        step = -step;
      }
      if (!b.loops.empty())
        b.loops[0].second += draw(0, 1);
    }
    int64_t extent = draw(1, 50);
    IndexSet inner = setOf(a), outer = setOf(b);
    bool isInside = includes(indicesOf(b), indicesOf(a)), isSaid = isWithin(inner, outer);
    EXPECT_TRUE(isInside || !isSaid) << trial;
    found += isSaid;
    missed += isInside && !isSaid;
    inner.clip(extent);
    outer.clip(extent);
    EXPECT_TRUE(includes(indicesOf(b, extent), indicesOf(a, extent)) || !isWithin(inner, outer)) << trial;
  }
  // Half of the trials are made to be found.
  EXPECT_GT(found, 18000);
  EXPECT_LT(missed, found / 6);
}

} // namespace
} // namespace tile
