// ExprTest.cpp - expressions against arithmetic in 128 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Runtime/Expr.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tile::runtime;

namespace {
using Wide = __int128;

/// A random expression together with its value in 128 bits, or nothing where a step leaves 64 bits.
struct Sample {
  Expr expr;
  std::optional<Wide> value;
};
} // namespace

static std::optional<Wide> fit(Wide value) {
  bool fits = value >= std::numeric_limits<int64_t>::min() && value <= std::numeric_limits<int64_t>::max();
  return fits ? std::optional<Wide>(value) : std::nullopt;
}

/// Floor by its definition: the largest q with q * d <= n.
static Wide floorDivide(Wide n, Wide d) {
  Wide q = n / d;
  while (q * d > n)
    --q;
  while ((q + 1) * d <= n)
    ++q;
  return q;
}

static Sample sample(std::mt19937_64 &random, const std::vector<int64_t> &values, int depth) {
  static constexpr int64_t kNumbers[] = {-7,
                                         -1,
                                         0,
                                         1,
                                         2,
                                         3,
                                         16,
                                         127,
                                         int64_t(1) << 31,
                                         int64_t(1) << 62,
                                         std::numeric_limits<int64_t>::max(),
                                         std::numeric_limits<int64_t>::min()};
  if (depth == 0 || random() % 4 == 0) {
    if (random() % 2) {
      int64_t number = kNumbers[random() % std::size(kNumbers)];
      return {Expr::constant(number), number};
    }
    int64_t index = static_cast<int64_t>(random() % values.size());
    return {Expr::value(index), values[index]};
  }
  Sample lhs = sample(random, values, depth - 1), rhs = sample(random, values, depth - 1);
  bool known = lhs.value && rhs.value;
  Wide a = lhs.value.value_or(0), b = rhs.value.value_or(0);
  bool divides = known && b > 0;
  switch (random() % 5) {
  case 0:
    return {lhs.expr + rhs.expr, known ? fit(a + b) : std::nullopt};
  case 1:
    return {lhs.expr * rhs.expr, known ? fit(a * b) : std::nullopt};
  case 2:
    return {Expr::floorDiv(lhs.expr, rhs.expr), divides ? fit(floorDivide(a, b)) : std::nullopt};
  case 3:
    return {Expr::ceilDiv(lhs.expr, rhs.expr), divides ? fit(-floorDivide(-a, b)) : std::nullopt};
  default:
    return {Expr::mod(lhs.expr, rhs.expr), divides ? fit(a - b * floorDivide(a, b)) : std::nullopt};
  }
}

/// Every expression has the value of exact arithmetic, or none where a step overflows or divides by what is not
/// positive.
TEST(Expr, EqualsExactArithmetic) {
  std::mt19937_64 random(1);
  int defined = 0, undefined = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<int64_t> values = {static_cast<int64_t>(random() % 5000) - 1000, static_cast<int64_t>(random())};
    Sample s = sample(random, values, i % 8);
    std::optional<int64_t> got = s.expr.evaluate(values);
    ASSERT_EQ(got.has_value(), s.value.has_value()) << s.expr.serialize();
    ASSERT_TRUE(!got || *got == *s.value) << s.expr.serialize();
    ++(got ? defined : undefined);
  }
  EXPECT_GT(defined, 4000);
  EXPECT_GT(undefined, 1000);
}

/// A small sweep by hand: division rounds as its name says for both signs.
TEST(Expr, DivisionRoundsByName) {
  auto all = [](int64_t n, int64_t d) {
    Expr a = Expr::constant(n), b = Expr::constant(d);
    return std::tuple(Expr::floorDiv(a, b).evaluate({}), Expr::ceilDiv(a, b).evaluate({}),
                      Expr::mod(a, b).evaluate({}));
  };
  EXPECT_EQ(all(7, 2), std::tuple(3, 4, 1));
  EXPECT_EQ(all(-7, 2), std::tuple(-4, -3, 1));
  EXPECT_EQ(all(8, 2), std::tuple(4, 4, 0));
  EXPECT_EQ(all(0, 5), std::tuple(0, 0, 0));
  EXPECT_EQ(all(5, 0), std::tuple(std::nullopt, std::nullopt, std::nullopt));
  EXPECT_EQ(all(5, -2), std::tuple(std::nullopt, std::nullopt, std::nullopt));
}

/// What `serialize` writes, `deserialize` reads.
TEST(Expr, RoundTrip) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    Expr expr = sample(random, {1, 2, 3}, i % 7).expr;
    EXPECT_EQ(Expr::deserialize(expr.serialize()), expr) << expr.serialize();
  }
  EXPECT_EQ(Expr::ceilDiv(Expr::value(0), Expr::constant(128)).serialize(), "[v0 c128 ceildiv]");
}

/// Text that is no postfix form gives nothing.
TEST(Expr, GarbageIsRefused) {
  for (const char *text : {"", "[", "[]", "]", "[+]", "[c1 +]", "[c1 c2]", "[c1 c2 + +]", "[c]", "[v-1]", "[c1x]",
                           "[ c1]", "[c1  c2 +]", "[c99999999999999999999]", "c1", "[x1]", "[c1 c2 div]"})
    EXPECT_EQ(Expr::deserialize(text), std::nullopt) << text;
}

/// Text for people has names and no more brackets than needed.
TEST(Expr, TextForPeople) {
  std::vector<std::string> names = {"M", "N"};
  Expr m = Expr::value(0), n = Expr::value(1);
  EXPECT_EQ(Expr::ceilDiv(m, Expr::constant(128)).text(names), "M ceildiv 128");
  EXPECT_EQ(Expr::ceilDiv(m + Expr::constant(3), Expr::constant(4)).text(names), "(M + 3) ceildiv 4");
  EXPECT_EQ((m + n).text(names), "M + N");
  EXPECT_EQ((m * (n * m)).text(names), "M * (N * M)");
  EXPECT_EQ(Expr::value(7).text(names), "v7");
}

/// A launch value that was not given has no value; single values and constants are recognised.
TEST(Expr, LeavesAndMissingValues) {
  std::vector<int64_t> values = {5};
  EXPECT_EQ(Expr::value(1).evaluate(values), std::nullopt);
  EXPECT_EQ(Expr::value(0).asValue(), 0);
  EXPECT_EQ(Expr::constant(3).asConstant(), 3);
  EXPECT_EQ((Expr::value(0) + Expr::constant(0)).asValue(), std::nullopt);
  EXPECT_EQ((Expr::value(4) + Expr::value(2)).maxValueIndex(), 4);
  EXPECT_EQ(Expr::constant(3).maxValueIndex(), -1);
}

/// Long expressions need no recursion and no fixed stack.
TEST(Expr, LongAndDeep) {
  Expr left = Expr::constant(0), right = Expr::constant(0);
  for (int i = 0; i < 200; ++i) {
    left = left + Expr::constant(1);
    right = Expr::constant(1) + right;
  }
  EXPECT_EQ(left.evaluate({}), 200);
  EXPECT_EQ(right.evaluate({}), 200);
}
