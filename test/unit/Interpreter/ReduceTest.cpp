// ReduceTest.cpp - every reduction on every type it exists for, against plain loops; atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <cmath>

using namespace tile;

static const char *const kinds[] = {"sum",    "mean",   "prod", "max",  "min", "maxnum", "minnum",
                                    "absmax", "abssum", "umax", "umin", "and", "or",     "xor"};

/// Combines a row of whole numbers the obvious way; small enough that no rounding happens.
static double reference(const std::string &kind, ScalarType type, const std::vector<double> &row) {
  auto bits = [&](double v) { return fromDouble(type, v); };
  uint64_t all = kind == "and" || kind == "umin" ? wrap(type, ~uint64_t(0)) : 0;
  double total = kind == "prod" ? 1 : kind == "max" ? -1e30 : kind == "min" ? 1e30 : 0;
  total = kind == "maxnum" ? -1e30 : kind == "minnum" ? 1e30 : total;
  for (double v : row) {
    if (kind == "sum" || kind == "mean")
      total += v;
    else if (kind == "prod")
      total *= v;
    else if (kind == "max" || kind == "maxnum")
      total = std::max(total, v);
    else if (kind == "min" || kind == "minnum")
      total = std::min(total, v);
    else if (kind == "absmax")
      total = std::max(total, std::fabs(v));
    else if (kind == "abssum")
      total += std::fabs(v);
    else if (kind == "umax")
      all = std::max(all, bits(v));
    else if (kind == "umin")
      all = std::min(all, bits(v));
    else if (kind == "and")
      all &= bits(v);
    else if (kind == "or")
      all |= bits(v);
    else
      all ^= bits(v);
  }
  bool isBitwise = kind[0] == 'u' || kind == "and" || kind == "or" || kind == "xor";
  return isBitwise ? toDouble(type, all) : kind == "mean" ? total / row.size() : total;
}

/// What the language refuses.
static bool exists(const std::string &kind, ScalarType type) {
  bool isBitwise = kind[0] == 'u' || kind == "and" || kind == "or" || kind == "xor";
  if (isFloat(type))
    return !isBitwise;
  if (kind == "mean" || kind == "maxnum" || kind == "minnum")
    return false;
  return type != ScalarType::I1 || (kind != "sum" && kind != "prod" && kind != "abssum");
}

static std::string reduceProgram(const std::string &kind, ScalarType type, int64_t m, int64_t n, int dim,
                                 const std::string &clause) {
  return substitute(R"(
tile.kernel @f(%x: memref<$mx$nx$t>, %y: memref<$kx$t>) grid(%b) in (1) threads(96) {
  %s = tile.alloc_fragment : memref<$mx$nx$t, #tile.fragment>
  %r = tile.alloc_fragment : memref<$kx$t, #tile.fragment>
  tile.copy %x to %s : memref<$mx$nx$t> to memref<$mx$nx$t, #tile.fragment>
  tile.copy %y to %r : memref<$kx$t> to memref<$kx$t, #tile.fragment>
  tile.reduce $kind %s into %r dim $dim $clause : memref<$mx$nx$t, #tile.fragment> into memref<$kx$t, #tile.fragment>
  tile.copy %r to %y : memref<$kx$t, #tile.fragment> to memref<$kx$t>
})",
                    {{"kind", kind},
                     {"t", spelled(type)},
                     {"m", std::to_string(m)},
                     {"n", std::to_string(n)},
                     {"k", std::to_string(dim == 0 ? n : m)},
                     {"dim", std::to_string(dim)},
                     {"clause", clause}});
}

/// Every kind, every type, both dimensions, odd sizes; what does not exist is refused by name.
TEST_F(InterpreterTest, ReduceMatchesPlainLoops) {
  constexpr int64_t m = 3, n = 5;
  for (const char *kind : kinds)
    for (ScalarType type : memoryTypes)
      for (int dim : {0, 1}) {
        // Values -1, 0 … in types that have a sign; products and sums stay exact even in fp8.
        auto value = [&](int64_t i) { return type == ScalarType::I1 ? double(i % 3 != 1) : double(i * 7 % 4) - 1; };
        HostTensor x = HostTensor::contiguous(type, {m, n});
        for (int64_t i = 0; i < m * n; ++i)
          x.store(i, type == ScalarType::I1 ? uint64_t(value(i)) : fromDouble(type, value(i)));
        int64_t rows = dim == 0 ? n : m;
        HostTensor y = tensorOf(type, {rows}, [](int64_t) { return 1; });
        std::string text = reduceProgram(kind, type, m, n, dim, "");
        if (!exists(kind, type)) {
          expectFault(text, 7, "does not exist", {}, {x, y});
          continue;
        }
        // The dialect refuses 8-bit floats and signed i1; the interpreter has a meaning for them all the same.
        bool isRefused = type == ScalarType::I1
                             ? kind == std::string("max") || kind == std::string("min") || kind == std::string("absmax")
                             : isFloat(type) && byteSize(type) == 1;
        std::optional<Fault> fault = run(text, {}, {x, y}, {}, /*isVerified=*/!isRefused);
        ASSERT_FALSE(fault) << toString(*fault);
        for (int64_t i = 0; i < rows; ++i) {
          std::vector<double> row;
          for (int64_t k = 0; k < (dim == 0 ? m : n); ++k)
            row.push_back(value(dim == 0 ? k * n + i : i * n + k));
          double expected = reference(kind, type, row);
          if (std::string(kind) == "mean" && isFloat(type))
            expected =
                toDouble(type, fromDouble(type, type == ScalarType::F64 ? expected : static_cast<float>(expected)));
          EXPECT_EQ(numbersIn(y)[i], expected) << kind << " of " << spelled(type) << " along " << dim;
        }
      }
}

/// `max` and `min` propagate NaN, `maxnum` and `minnum` drop it, in every float type.
TEST_F(InterpreterTest, ReduceFollowsTheNanRules) {
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64})
    for (std::string kind : {"max", "min", "maxnum", "minnum"})
      for (const char *clause : {"", "accumulate"}) {
        HostTensor x = tensorOf(type, {1, 3}, [](int64_t i) { return i == 1 ? NAN : i; });
        HostTensor y = tensorOf(type, {1}, [](int64_t) { return 1; });
        runWell(reduceProgram(kind, type, 1, 3, 1, clause), {}, {x, y});
        double result = numbersIn(y)[0];
        if (kind.size() == 3)
          EXPECT_TRUE(std::isnan(result)) << kind << spelled(type);
        else
          EXPECT_EQ(result, kind == "maxnum" ? 2 : 0) << kind << spelled(type);
      }
}

/// 16-bit sums accumulate in f32 and round once, also with the old value.
TEST_F(InterpreterTest, ReduceRoundsOnce) {
  // In f16, 2048 + 1 rounds back to 2048: only an f32 accumulator counts the ones.
  HostTensor x = tensorOf(ScalarType::F16, {1, 9}, [](int64_t i) { return i == 0 ? 2048 : 1; });
  HostTensor y = tensorOf(ScalarType::F16, {1}, [](int64_t) { return 2048; });
  runWell(reduceProgram("sum", ScalarType::F16, 1, 9, 1, ""), {}, {x, y});
  EXPECT_EQ(numbersIn(y)[0], 2056);
  y.store(0, fromDouble(ScalarType::F16, 0.5));
  x.store(0, fromDouble(ScalarType::F16, 2047));
  x.store(1, fromDouble(ScalarType::F16, 0.75));
  // 2047 + 0.75 + 7 + 0.5 = 2055.25, rounded once to a multiple of 2.
  runWell(reduceProgram("sum", ScalarType::F16, 1, 9, 1, "accumulate"), {}, {x, y});
  EXPECT_EQ(numbersIn(y)[0], 2056);
}

/// Narrow integers wrap; the absolute value of the lowest integer is itself.
TEST_F(InterpreterTest, ReduceWrapsNarrowIntegers) {
  HostTensor x = tensorOf(ScalarType::I8, {1, 3}, [](int64_t) { return 100; });
  HostTensor y = HostTensor::contiguous(ScalarType::I8, {1});
  runWell(reduceProgram("sum", ScalarType::I8, 1, 3, 1, ""), {}, {x, y});
  EXPECT_EQ(numbersIn(y)[0], 300 - 256);
  x = tensorOf(ScalarType::I8, {1, 3}, [](int64_t) { return -128; });
  runWell(reduceProgram("absmax", ScalarType::I8, 1, 3, 1, ""), {}, {x, y});
  EXPECT_EQ(numbersIn(y)[0], -128);
}

/// Every atomic, with the old values, in the order of the points.
TEST_F(InterpreterTest, AtomicsCombineInPlace) {
  struct Case {
    const char *kind;
    ScalarType type;
    double expected, lastOld;
  };
  // Values 3, -2, 5, -7 onto 4.
  const Case cases[] = {
      {"add", ScalarType::I32, 3, 10},      {"add", ScalarType::F32, 3, 10},
      {"add", ScalarType::F16, 3, 10},      {"max", ScalarType::I32, 5, 5},
      {"min", ScalarType::I64, -7, -2},     {"umax", ScalarType::I32, -2, -2},
      {"umin", ScalarType::I32, 3, 3},      {"and", ScalarType::I32, 0, 0},
      {"or", ScalarType::I32, -1, -1},      {"xor", ScalarType::I32, 4 ^ 3 ^ -2 ^ 5 ^ -7, 4 ^ 3 ^ -2 ^ 5},
      {"exchange", ScalarType::I32, -7, 5}, {"exchange", ScalarType::F32, -7, 5}};
  const double values[] = {3, -2, 5, -7};
  for (const Case &test : cases) {
    HostTensor x = tensorOf(test.type, {4}, [&](int64_t i) { return values[i]; });
    HostTensor y = tensorOf(test.type, {1}, [](int64_t) { return 4; }), z = HostTensor::contiguous(test.type, {4});
    runWell(substitute(R"(
tile.kernel @f(%x: memref<4x$t>, %y: memref<1x$t>, %z: memref<4x$t>) grid(%b) in (1) threads(32) {
  tile.parallel %i in (4) {
    %v = tile.load %x[%i] : memref<4x$t>
    %old = tile.atomic $kind %v, %y[0] : memref<1x$t>
    tile.store %old, %z[%i] : memref<4x$t>
  }
})",
                       {{"t", spelled(test.type)}, {"kind", test.kind}}),
            {}, {x, y, z});
    EXPECT_EQ(numbersIn(y)[0], test.expected) << test.kind;
    EXPECT_EQ(numbersIn(z)[3], test.lastOld) << test.kind;
    EXPECT_EQ(numbersIn(z)[0], 4) << test.kind;
  }
}

/// A histogram in shared memory by all threads; an atomic out of range changes nothing and returns 0.
TEST_F(InterpreterTest, AtomicsOfThreadsAndOutOfRange) {
  HostTensor y = HostTensor::contiguous(ScalarType::I32, {7}), z = HostTensor::contiguous(ScalarType::I32, {100});
  runWell(R"(
tile.kernel @f(%y: memref<7xi32>, %z: memref<100xi32>) grid(%b) in (1) threads(100) {
  %h = tile.alloc_shared : memref<7xi32, #tile.shared>
  tile.fill %h with 0 : memref<7xi32, #tile.shared>
  %t = tile.thread_id
  %one = arith.constant 1 : i32
  tile.atomic add %one, %h[%t mod 7] : memref<7xi32, #tile.shared>
  tile.sync
  tile.copy %h to %y : memref<7xi32, #tile.shared> to memref<7xi32>
  tile.sync
  %old = tile.atomic add %one, %y[%t - 120] : memref<7xi32>
  tile.store %old, %z[%t] : memref<100xi32>
})",
          {}, {y, z});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{15, 15, 14, 14, 14, 14, 14}));
  EXPECT_EQ(bitsIn(z), std::vector<uint64_t>(100, 0));
}
