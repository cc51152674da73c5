// ControlFlowTest.cpp - loops, branches and divergence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Simulator/Harness.h"

using namespace tile;
using namespace tile::simt;

/// Runs a body that stores an i32 a thread into %out, and returns what it stored.
static std::vector<int32_t> runThreads(int threads, const std::string &body) {
  HostTensor out = tensorOf<int32_t>(ScalarType::I32, std::vector<int32_t>(threads, -1));
  Bench bench;
  bench.parameters = "%out: memref<?xi32>";
  bench.kinds = "tensor 0";
  bench.threads = threads;
  bench.arguments = {out};
  bench.body = "%t = simt.thread_id : index\n%ti = simt.thread_id : i32\n" + body +
               "\nsimt.store %v, %out[%t : index] : i32, memref<?xi32>";
  EXPECT_EQ(bench.fault(), "");
  return valuesOf<int32_t>(out);
}

static const int kThreads[] = {1, 31, 32, 33, 48, 64, 100};

/// Both sides of a divergent branch run, each for its own lanes.
TEST(ControlFlow, IfWithResults) {
  for (int threads : kThreads) {
    std::vector<int32_t> out = runThreads(threads, R"(
      %c3 = arith.constant 3 : i32
      %r = arith.remui %ti, %c3 : i32
      %c0 = arith.constant 0 : i32
      %odd = arith.cmpi eq, %r, %c0 : i32
      %v = scf.if %odd -> i32 {
        %x = arith.muli %ti, %c3 : i32
        scf.yield %x : i32
      } else {
        %y = arith.addi %ti, %c3 : i32
        scf.yield %y : i32
      })");
    for (int t = 0; t < threads; ++t)
      EXPECT_EQ(out[t], t % 3 == 0 ? t * 3 : t + 3);
  }
}

/// Lanes leave a loop one after another and keep what they carried; bounds are below, at and above the start.
TEST(ControlFlow, TripsDifferByLane) {
  for (int threads : kThreads) {
    std::vector<int32_t> out = runThreads(threads, R"(
      %c5 = arith.constant 5 : i32
      %c2 = arith.constant 2 : i32
      %one = arith.constant 1 : i32
      %v = scf.for %i = %c5 to %ti step %c2 iter_args(%sum = %one) -> (i32) : i32 {
        %s = arith.addi %sum, %i : i32
        scf.yield %s : i32
      })");
    for (int t = 0; t < threads; ++t) {
      int sum = 1;
      for (int i = 5; i < t; i += 2)
        sum += i;
      EXPECT_EQ(out[t], sum);
    }
  }
}

/// Carried values may change places: Fibonacci numbers by exchange.
TEST(ControlFlow, CarriedValuesAreExchanged) {
  std::vector<int32_t> out = runThreads(40, R"(
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %v, %w = scf.for %i = %zero to %ti step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
        %s = arith.addi %a, %b : i32
        scf.yield %b, %s : i32, i32
      })");
  int32_t a = 0, b = 1;
  for (int t = 0; t < 40; ++t) {
    EXPECT_EQ(out[t], a);
    int32_t next = a + b;
    a = b;
    b = next;
  }
}

/// Loops and branches nest to any depth.
TEST(ControlFlow, NestedLoopsAndBranches) {
  std::vector<int32_t> out = runThreads(70, R"(
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %five = arith.constant 5 : i32
      %n = arith.remui %ti, %five : i32
      %v = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> (i32) : i32 {
        %r = scf.for %j = %i to %five step %one iter_args(%q = %s) -> (i32) : i32 {
          %sum = arith.addi %i, %j : i32
          %bit = arith.andi %sum, %one : i32
          %even = arith.cmpi eq, %bit, %zero : i32
          %x = scf.if %even -> i32 {
            %big = arith.cmpi sgt, %ti, %five : i32
            %k = arith.select %big, %sum, %one : i32
            scf.yield %k : i32
          } else {
            scf.yield %j : i32
          }
          %y = arith.addi %q, %x : i32
          scf.yield %y : i32
        }
        scf.yield %r : i32
      })");
  for (int t = 0; t < 70; ++t) {
    int sum = 0;
    for (int i = 0; i < t % 5; ++i)
      for (int j = i; j < 5; ++j)
        sum += (i + j) % 2 ? j : t > 5 ? i + j : 1;
    EXPECT_EQ(out[t], sum);
  }
}

/// A while loop whose length depends on data: steps of the Collatz sequence.
TEST(ControlFlow, WhileByData) {
  std::vector<int32_t> out = runThreads(100, R"(
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %start = arith.addi %ti, %one : i32
      %v, %last = scf.while (%n = %start, %steps = %zero) : (i32, i32) -> (i32, i32) {
        %more = arith.cmpi ne, %n, %one : i32
        scf.condition(%more) %steps, %n : i32, i32
      } do {
      ^bb0(%steps: i32, %n: i32):
        %bit = arith.andi %n, %one : i32
        %odd = arith.cmpi eq, %bit, %one : i32
        %next = scf.if %odd -> i32 {
          %p = arith.muli %n, %three : i32
          %q = arith.addi %p, %one : i32
          scf.yield %q : i32
        } else {
          %h = arith.divui %n, %two : i32
          scf.yield %h : i32
        }
        %count = arith.addi %steps, %one : i32
        scf.yield %next, %count : i32, i32
      })");
  for (int t = 0; t < 100; ++t) {
    int steps = 0;
    for (int64_t n = t + 1; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
      ++steps;
    EXPECT_EQ(out[t], steps);
  }
}

/// Trips of every combination of bounds and steps, in each type a loop may count in, signed and unsigned.
TEST(ControlFlow, TripCounts) {
  for (std::string type : {"i32", "i64", "index"})
    for (int lower : {-3, 0, 2})
      for (int upper : {-4, 0, 1, 7})
        for (int step : {1, 2, 3}) {
          std::vector<int32_t> out =
              runThreads(2, "%lo = arith.constant " + std::to_string(lower) + " : " + type + "\n%hi = arith.constant " +
                                std::to_string(upper) + " : " + type + "\n%st = arith.constant " +
                                std::to_string(step) + " : " + type + R"(
            %zero = arith.constant 0 : i32
            %one = arith.constant 1 : i32
            %v = scf.for %i = %lo to %hi step %st iter_args(%n = %zero) -> (i32) )" +
                                (type == "index" ? "" : ": " + type) + R"( {
              %m = arith.addi %n, %one : i32
              scf.yield %m : i32
            })");
          int trips = 0;
          for (int i = lower; i < upper; i += step)
            ++trips;
          EXPECT_EQ(out[0], trips) << type << ' ' << lower << ' ' << upper << ' ' << step;
        }
}

/// An unsigned loop compares without sign: from 2^31 - 1 to 2^31 + 2 it runs three times.
TEST(ControlFlow, UnsignedLoop) {
  std::vector<int32_t> out = runThreads(1, R"(
      %lo = arith.constant 2147483647 : i32
      %hi = arith.constant -2147483646 : i32
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %v = scf.for unsigned %i = %lo to %hi step %one iter_args(%n = %zero) -> (i32) : i32 {
        %m = arith.addi %n, %one : i32
        scf.yield %m : i32
      })");
  EXPECT_EQ(out[0], 3);
}

/// Every kind of index expression, on negative values too.
TEST(ControlFlow, AffineExpressions) {
  std::vector<int32_t> out = runThreads(64, R"(
      %k = affine.apply affine_map<(d0)[s0] -> ((d0 * 3 - 50) floordiv 7 + (s0 - 20) mod 6 * 1000 + (d0 - 33) ceildiv 4 * 100000)>(%t)[%t]
      %v = arith.index_cast %k : index to i32)");
  for (int t = 0; t < 64; ++t) {
    auto floorDiv = [](int a, int b) { return a / b - (a % b < 0); };
    int mod = (t - 20) - 6 * floorDiv(t - 20, 6), ceil = -floorDiv(33 - t, 4);
    EXPECT_EQ(out[t], floorDiv(t * 3 - 50, 7) + mod * 1000 + ceil * 100000);
  }
}

/// Quotients and remainders by constants that are powers of two and that are not, of numbers on both sides of zero.
TEST(ControlFlow, AffineDivisors) {
  for (int d : {1, 2, 3, 7, 8, 32, 100}) {
    std::string by = std::to_string(d);
    std::vector<int32_t> out = runThreads(100, "%k = affine.apply affine_map<(d0) -> ((d0 - 50) floordiv " + by +
                                                   " + (d0 - 50) mod " + by + " * 1000 + (d0 - 50) ceildiv " + by +
                                                   " * 1000000)>(%t)\n%v = arith.index_cast %k : index to i32");
    for (int t = 0; t < 100; ++t) {
      int a = t - 50, floor = a / d - (a % d < 0), ceil = a / d + (a % d > 0);
      EXPECT_EQ(out[t], floor + (a - floor * d) * 1000 + ceil * 1000000) << a << ' ' << d;
    }
  }
}

/// An index expression that is one of its operands, or a constant.
TEST(ControlFlow, TrivialAffineExpressions) {
  std::vector<int32_t> out = runThreads(5, R"(
      %a = affine.apply affine_map<(d0) -> (d0)>(%t)
      %b = affine.apply affine_map<() -> (7)>()
      %c = arith.addi %a, %b : index
      %v = arith.index_cast %c : index to i32)");
  EXPECT_EQ(out, (std::vector<int32_t>{7, 8, 9, 10, 11}));
}

/// Narrow index arithmetic wraps at its own width: an overflow shows as a wrong value, as on the device.
TEST(ControlFlow, NarrowArithmeticWraps) {
  std::vector<int32_t> out = runThreads(3, R"(
      %big = arith.constant 2147483647 : i32
      %v = arith.addi %big, %ti : i32)");
  EXPECT_EQ(out, (std::vector<int32_t>{2147483647, INT32_MIN, INT32_MIN + 1}));
}
