// ScanTest.cpp - scans and argreduces of every type, against plain loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <cmath>
#include <limits>

using namespace tile;

static constexpr ScalarType kTypes[] = {ScalarType::I8,  ScalarType::I16,  ScalarType::I32, ScalarType::I64,
                                        ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64};

static std::string scanProgram(const std::string &kind, ScalarType type, int64_t m, int64_t n, int dim,
                               const std::string &clauses) {
  return substitute(R"(
tile.kernel @f(%x: memref<$mx$nx$t>, %y: memref<$mx$nx$t>) grid(%b) in (1) threads(96) {
  %s = tile.alloc_fragment : memref<$mx$nx$t, #tile.fragment>
  %r = tile.alloc_shared : memref<$mx$nx$t, #tile.shared>
  tile.copy %x to %s : memref<$mx$nx$t> to memref<$mx$nx$t, #tile.fragment>
  tile.scan $kind %s into %r dim $dim $clauses : memref<$mx$nx$t, #tile.fragment> into memref<$mx$nx$t, #tile.shared>
  tile.copy %r to %y : memref<$mx$nx$t, #tile.shared> to memref<$mx$nx$t>
})",
                    {{"kind", kind},
                     {"t", spelled(type)},
                     {"m", std::to_string(m)},
                     {"n", std::to_string(n)},
                     {"dim", std::to_string(dim)},
                     {"clauses", clauses}});
}

/// What a scan begins with.
static double identityOf(const std::string &kind, ScalarType type) {
  if (kind == "sum" || kind == "prod")
    return kind == "prod";
  if (isFloat(type))
    return kind == "max" ? -INFINITY : INFINITY;
  double half = std::ldexp(1.0, bitWidth(type) - 1);
  return kind == "max" ? -half : half - 1;
}

static double combined(const std::string &kind, double a, double b) {
  return kind == "sum" ? a + b : kind == "prod" ? a * b : kind == "max" ? std::max(a, b) : std::min(a, b);
}

/// Every kind, type and clause, both dimensions: each element and all before it.
TEST_F(InterpreterTest, ScanMatchesPlainLoops) {
  constexpr int64_t m = 3, n = 7;
  for (const char *kind : {"sum", "prod", "max", "min"})
    for (ScalarType type : kTypes)
      for (const char *clauses : {"", "reverse", "exclusive", "reverse exclusive"})
        for (int dim : {0, 1}) {
          auto value = [](int64_t i) { return double(i * 5 % 4) - 2 + double(i % 4 == 2); };
          HostTensor x = tensorOf(type, {m, n}, value), y = HostTensor::contiguous(type, {m, n});
          runWell(scanProgram(kind, type, m, n, dim, clauses), {}, {x, y});
          bool isReverse = std::string(clauses).starts_with("reverse");
          bool isExclusive = std::string(clauses).ends_with("exclusive");
          for (int64_t i = 0; i < m * n; ++i) {
            double expected = identityOf(kind, type);
            for (int64_t k = 0; k < m * n; ++k) {
              bool isOneRow = dim == 0 ? k % n == i % n : k / n == i / n;
              bool isBefore = isReverse ? k > i : k < i;
              if (isOneRow && (isBefore || (k == i && !isExclusive)))
                expected = combined(kind, expected, value(k));
            }
            EXPECT_EQ(numbersIn(y)[i], expected)
                << kind << " of " << spelled(type) << " along " << dim << ' ' << clauses << " at " << i;
          }
        }
}

/// 16-bit prefixes run on in f32: only the results are rounded.
TEST_F(InterpreterTest, ScanRoundsResultsOnly) {
  // In f16, 2048 + 1 rounds back to 2048, and 2049 to 2048; the running value must count on.
  HostTensor x = tensorOf(ScalarType::F16, {1, 5}, [](int64_t i) { return i == 0 ? 2048 : 1; });
  HostTensor y = HostTensor::contiguous(ScalarType::F16, {1, 5});
  runWell(scanProgram("sum", ScalarType::F16, 1, 5, 1, ""), {}, {x, y});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{2048, 2048, 2050, 2052, 2052}));
}

/// Narrow integers wrap, and go on from there.
TEST_F(InterpreterTest, ScanWrapsNarrowIntegers) {
  HostTensor x = tensorOf(ScalarType::I8, {1, 4}, [](int64_t) { return 100; });
  HostTensor y = HostTensor::contiguous(ScalarType::I8, {1, 4});
  runWell(scanProgram("sum", ScalarType::I8, 1, 4, 1, ""), {}, {x, y});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{100, 200 - 256, 300 - 256, 400 - 512}));
}

/// A NaN stays in all prefixes that hold it, also those of max and min.
TEST_F(InterpreterTest, ScanKeepsNan) {
  for (const char *kind : {"sum", "prod", "max", "min"}) {
    HostTensor x = tensorOf(ScalarType::BF16, {1, 4}, [](int64_t i) { return i == 2 ? NAN : 1; });
    HostTensor y = HostTensor::contiguous(ScalarType::BF16, {1, 4});
    runWell(scanProgram(kind, ScalarType::BF16, 1, 4, 1, ""), {}, {x, y});
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_EQ(std::isnan(numbersIn(y)[i]), i >= 2) << kind << " at " << i;
  }
}

/// A source and a target that overlap: all of the source is read first.
TEST_F(InterpreterTest, ScanReadsBeforeItWrites) {
  HostTensor x = tensorOf(ScalarType::I32, {6}, [](int64_t i) { return i + 1; });
  runWell(R"(
tile.kernel @f(%x: memref<6xi32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<6xi32, #tile.shared>
  tile.copy %x to %s : memref<6xi32> to memref<6xi32, #tile.shared>
  %low = tile.slice %s[0] : memref<6xi32, #tile.shared> to memref<5xi32, #tile.shared>
  %high = tile.slice %s[1] : memref<6xi32, #tile.shared> to memref<5xi32, #tile.shared>
  tile.scan sum %low into %high dim 0 : memref<5xi32, #tile.shared> into memref<5xi32, #tile.shared>
  tile.copy %s to %x : memref<6xi32, #tile.shared> to memref<6xi32>
})",
          {}, {x});
  EXPECT_EQ(numbersIn(x), (std::vector<double>{1, 1, 3, 6, 10, 15}));
}

static std::string searchProgram(const std::string &kind, ScalarType type, int64_t n) {
  return substitute(R"(
tile.kernel @f(%x: memref<$nx2x$t>, %v: memref<2x$t>, %i: memref<2xi32>) grid(%b) in (1) threads(96) {
  %s = tile.alloc_fragment : memref<$nx2x$t, #tile.fragment>
  %r = tile.alloc_fragment : memref<2x$t, #tile.fragment>
  %j = tile.alloc_shared : memref<2xi32, #tile.shared>
  tile.copy %x to %s : memref<$nx2x$t> to memref<$nx2x$t, #tile.fragment>
  tile.argreduce $kind %s into %r, %j dim 0 : memref<$nx2x$t, #tile.fragment> into memref<2x$t, #tile.fragment>, memref<2xi32, #tile.shared>
  tile.copy %r to %v : memref<2x$t, #tile.fragment> to memref<2x$t>
  tile.copy %j to %i : memref<2xi32, #tile.shared> to memref<2xi32>
})",
                    {{"kind", kind}, {"t", spelled(type)}, {"n", std::to_string(n)}});
}

/// The extreme element of each column and the lowest index that has it.
TEST_F(InterpreterTest, ArgReduceFindsTheFirstExtreme) {
  const double columns[2][6] = {{3, 7, -2, 7, -2, 0}, {5, 5, 5, 5, 5, 5}};
  for (ScalarType type : kTypes)
    for (bool isMax : {true, false}) {
      HostTensor x = tensorOf(type, {6, 2}, [&](int64_t i) { return columns[i % 2][i / 2]; });
      HostTensor v = HostTensor::contiguous(type, {2}), i = HostTensor::contiguous(ScalarType::I32, {2});
      runWell(searchProgram(isMax ? "max" : "min", type, 6), {}, {x, v, i});
      EXPECT_EQ(numbersIn(v), (std::vector<double>{isMax ? 7.0 : -2.0, 5})) << spelled(type);
      EXPECT_EQ(numbersIn(i), (std::vector<double>{isMax ? 1.0 : 2.0, 0})) << spelled(type);
    }
}

/// The first NaN wins over every number; zeros of both signs are equal.
TEST_F(InterpreterTest, ArgReduceFollowsTheNanRules) {
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64})
    for (const char *kind : {"max", "min"}) {
      const double columns[2][4] = {{1, NAN, INFINITY, NAN}, {-0.0, 0.0, -0.0, 0.0}};
      HostTensor x = tensorOf(type, {4, 2}, [&](int64_t i) { return columns[i % 2][i / 2]; });
      HostTensor v = HostTensor::contiguous(type, {2}), i = HostTensor::contiguous(ScalarType::I32, {2});
      runWell(searchProgram(kind, type, 4), {}, {x, v, i});
      EXPECT_EQ(numbersIn(i), (std::vector<double>{1, 0})) << kind << spelled(type);
      EXPECT_TRUE(std::isnan(numbersIn(v)[0])) << kind << spelled(type);
      EXPECT_TRUE(std::signbit(numbersIn(v)[1])) << kind << spelled(type);
    }
}
