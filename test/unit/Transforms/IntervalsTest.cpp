// IntervalsTest.cpp - ranges contain every result, and are as small as that allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Intervals.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <optional>

using namespace tile;

static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

using Operation = std::function<std::optional<int64_t>(int64_t, int64_t)>;
using RangeOperation = std::function<Interval(Interval, Interval)>;

/// Compares over all small ranges; `slack` where a range need not be the smallest.
static void sweep(const Operation &operation, const RangeOperation &range, bool isTight, int64_t lowestDivisor) {
  for (int64_t a = -5; a <= 5; ++a)
    for (int64_t b = a; b <= 7; ++b)
      for (int64_t c = lowestDivisor; c <= 5; ++c)
        for (int64_t d = c; d <= 6; ++d) {
          int64_t low = INT64_MAX, high = INT64_MIN;
          for (int64_t x = a; x <= b; ++x)
            for (int64_t y = c; y <= d; ++y)
              if (std::optional<int64_t> value = operation(x, y)) {
                low = std::min(low, *value);
                high = std::max(high, *value);
              }
          if (low > high)
            continue;
          Interval found = range({a, b}, {c, d});
          ASSERT_TRUE(found.low <= low && high <= found.high) << a << " " << b << " " << c << " " << d;
          if (isTight) {
            ASSERT_TRUE(found.low == low && found.high == high) << a << " " << b << " " << c << " " << d;
          }
        }
}

// Sums, differences, products and quotients have exact ranges.
TEST(Intervals, ExactArithmetic) {
  sweep([](int64_t x, int64_t y) { return x + y; }, static_cast<Interval (*)(Interval, Interval)>(tile::add), true, -4);
  sweep([](int64_t x, int64_t y) { return x - y; }, static_cast<Interval (*)(Interval, Interval)>(tile::subtract), true,
        -4);
  sweep([](int64_t x, int64_t y) { return x * y; }, static_cast<Interval (*)(Interval, Interval)>(tile::multiply), true,
        -4);
  auto divisor = [](auto quotient) {
    return [quotient](int64_t x, int64_t y) { return y ? std::optional<int64_t>(quotient(x, y)) : std::nullopt; };
  };
  auto rounded = [](Rounding rounding) {
    return [rounding](Interval a, Interval b) { return divide(a, b, rounding); };
  };
  sweep(divisor([](int64_t x, int64_t y) { return x / y; }), rounded(Rounding::Zero), true, -4);
  sweep(divisor(floorDivide), rounded(Rounding::Down), true, -4);
  sweep(divisor([](int64_t x, int64_t y) { return -floorDivide(-x, y); }), rounded(Rounding::Up), true, -4);
}

// Remainders are enclosed.
TEST(Intervals, Remainders) {
  sweep([](int64_t x, int64_t y) { return y ? std::optional<int64_t>(x % y) : std::nullopt; },
        static_cast<Interval (*)(Interval, Interval)>(tile::remainder), false, -4);
  sweep([](int64_t x, int64_t y) { return x - y * floorDivide(x, y); }, modulo, false, 1);
}

// A result that may leave 64 bits can be anything.
TEST(Intervals, WrapsAtTheEdge) {
  Interval large{0, INT64_MAX};
  EXPECT_EQ(add(large, Interval::exactly(1)), Interval());
  EXPECT_EQ(multiply(Interval{0, int64_t(1) << 62}, Interval{0, 127}), Interval());
  EXPECT_EQ(subtract(Interval::exactly(INT64_MIN), Interval::exactly(1)), Interval());
  EXPECT_EQ(divide(Interval::exactly(INT64_MIN), Interval::exactly(-1), Rounding::Zero), Interval());
}
