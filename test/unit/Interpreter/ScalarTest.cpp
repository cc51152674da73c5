// ScalarTest.cpp - every scalar operation through a program, against C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Interpreter/Fixture.h"

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace tile;

namespace {
struct FloatCase {
  const char *op;
  std::function<double(double, double, double)> reference;
  int arity;
};
struct IntegerCase {
  const char *op;
  std::function<int32_t(int32_t, int32_t)> reference;
};
} // namespace

/// A program that applies one line of text to the elements of three tensors.
static std::string elementwise(const std::string &line, const std::string &in, const std::string &out, int64_t n) {
  return substitute(R"(
tile.kernel @f(%x: memref<$nx$in>, %y: memref<$nx$in>, %z: memref<$nx$in>, %r: memref<$nx$out>)
    grid(%block) in (1) threads(32) {
  tile.parallel %i in ($n) {
    %a = tile.load %x[%i] : memref<$nx$in>
    %b = tile.load %y[%i] : memref<$nx$in>
    %c = tile.load %z[%i] : memref<$nx$in>
    $line
    tile.store %v, %r[%i] : memref<$nx$out>
  }
})",
                    {{"line", line}, {"in", in}, {"out", out}, {"n", std::to_string(n)}});
}

/// The float operations agree with the host's, computed in double and rounded once to f32.
TEST_F(InterpreterTest, FloatOperationsMatchTheHost) {
  const FloatCase cases[] = {
      {"arith.addf", [](double a, double b, double) { return a + b; }, 2},
      {"arith.subf", [](double a, double b, double) { return a - b; }, 2},
      {"arith.mulf", [](double a, double b, double) { return a * b; }, 2},
      {"arith.divf", [](double a, double b, double) { return a / b; }, 2},
      {"arith.remf", [](double a, double b, double) { return std::fmod(a, b); }, 2},
      {"arith.maximumf", [](double a, double b, double) { return std::max(a, b); }, 2},
      {"arith.minimumf", [](double a, double b, double) { return std::min(a, b); }, 2},
      {"arith.maxnumf", [](double a, double b, double) { return std::fmax(a, b); }, 2},
      {"arith.minnumf", [](double a, double b, double) { return std::fmin(a, b); }, 2},
      {"arith.negf", [](double a, double, double) { return -a; }, 1},
      {"math.absf", [](double a, double, double) { return std::fabs(a); }, 1},
      {"math.ceil", [](double a, double, double) { return std::ceil(a); }, 1},
      {"math.floor", [](double a, double, double) { return std::floor(a); }, 1},
      {"math.round", [](double a, double, double) { return std::round(a); }, 1},
      {"math.roundeven", [](double a, double, double) { return std::nearbyint(a); }, 1},
      {"math.trunc", [](double a, double, double) { return std::trunc(a); }, 1},
      {"math.exp", [](double a, double, double) { return std::exp(a); }, 1},
      {"math.exp2", [](double a, double, double) { return std::exp2(a); }, 1},
      {"math.expm1", [](double a, double, double) { return std::expm1(a); }, 1},
      {"math.sin", [](double a, double, double) { return std::sin(a); }, 1},
      {"math.cos", [](double a, double, double) { return std::cos(a); }, 1},
      {"math.tan", [](double a, double, double) { return std::tan(a); }, 1},
      {"math.atan", [](double a, double, double) { return std::atan(a); }, 1},
      {"math.sinh", [](double a, double, double) { return std::sinh(a); }, 1},
      {"math.cosh", [](double a, double, double) { return std::cosh(a); }, 1},
      {"math.tanh", [](double a, double, double) { return std::tanh(a); }, 1},
      {"math.asinh", [](double a, double, double) { return std::asinh(a); }, 1},
      {"math.erf", [](double a, double, double) { return std::erf(a); }, 1},
      {"math.erfc", [](double a, double, double) { return std::erfc(a); }, 1},
      {"math.cbrt", [](double a, double, double) { return std::cbrt(a); }, 1},
      {"math.copysign", [](double a, double b, double) { return std::copysign(a, b); }, 2},
      {"math.atan2", [](double a, double b, double) { return std::atan2(a, b); }, 2},
      {"math.fma", [](double a, double b, double c) { return std::fma(a, b, c); }, 3},
  };
  constexpr int64_t n = 37;
  auto a = [](int64_t i) { return (i - 18) * 0.375; };
  auto b = [](int64_t i) { return i % 5 - 2.25; };
  auto c = [](int64_t i) { return i * 0.5; };
  HostTensor x = tensorOf(ScalarType::F32, {n}, a), y = tensorOf(ScalarType::F32, {n}, b),
             z = tensorOf(ScalarType::F32, {n}, c);
  for (const FloatCase &test : cases) {
    HostTensor r = HostTensor::contiguous(ScalarType::F32, {n});
    std::string operands = test.arity == 1 ? "%a" : test.arity == 2 ? "%a, %b" : "%a, %b, %c";
    runWell(elementwise("%v = " + std::string(test.op) + " " + operands + " : f32", "f32", "f32", n), {}, {x, y, z, r});
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(r.load(i))),
                static_cast<float>(test.reference(a(i), b(i), c(i))))
          << test.op << " at " << i;
  }
}

/// Functions of positive numbers, and those that answer yes or no.
TEST_F(InterpreterTest, FloatFunctionsOfPositiveNumbersMatchTheHost) {
  constexpr int64_t n = 9;
  auto value = [](int64_t i) { return 1.0 + i * 0.125; };
  HostTensor x = tensorOf(ScalarType::F64, {n}, value);
  const std::pair<const char *, double (*)(double)> cases[] = {
      {"math.sqrt", [](double a) { return std::sqrt(a); }},     {"math.log", [](double a) { return std::log(a); }},
      {"math.log2", [](double a) { return std::log2(a); }},     {"math.log10", [](double a) { return std::log10(a); }},
      {"math.log1p", [](double a) { return std::log1p(a); }},   {"math.acosh", [](double a) { return std::acosh(a); }},
      {"math.rsqrt", [](double a) { return 1 / std::sqrt(a); }}};
  for (auto [op, reference] : cases) {
    HostTensor r = HostTensor::contiguous(ScalarType::F64, {n});
    runWell(elementwise("%v = " + std::string(op) + " %a : f64", "f64", "f64", n), {}, {x, x, x, r});
    for (int64_t i = 0; i < n; ++i)
      EXPECT_DOUBLE_EQ(numbersIn(r)[i], reference(value(i))) << op;
  }
  double inf = std::numeric_limits<double>::infinity();
  const double special[] = {0.0, 1.5, inf, -inf, NAN, 1e-310, -2.0, 4.0, 5.0};
  HostTensor s = tensorOf(ScalarType::F64, {n}, [&](int64_t i) { return special[i]; });
  const std::pair<const char *, bool (*)(double)> claims[] = {
      {"math.isnan", [](double a) { return std::isnan(a); }},
      {"math.isinf", [](double a) { return std::isinf(a); }},
      {"math.isfinite", [](double a) { return std::isfinite(a); }},
      {"math.isnormal", [](double a) { return std::isnormal(a); }}};
  for (auto [op, reference] : claims) {
    HostTensor r = HostTensor::contiguous(ScalarType::I1, {n});
    runWell(elementwise("%v = " + std::string(op) + " %a : f64", "f64", "i1", n), {}, {s, s, s, r});
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(r.load(i), reference(special[i])) << op << " of " << special[i];
  }
}

/// Integer operations wrap and divide as the host's.
TEST_F(InterpreterTest, IntegerOperationsMatchTheHost) {
  using u32 = uint32_t;
  auto floorDiv = [](int32_t a, int32_t b) { return static_cast<int32_t>(std::floor(double(a) / b)); };
  auto ceilDiv = [](int32_t a, int32_t b) { return static_cast<int32_t>(std::ceil(double(a) / b)); };
  const IntegerCase cases[] = {
      {"arith.addi", [](int32_t a, int32_t b) { return int32_t(u32(a) + u32(b)); }},
      {"arith.subi", [](int32_t a, int32_t b) { return int32_t(u32(a) - u32(b)); }},
      {"arith.muli", [](int32_t a, int32_t b) { return int32_t(u32(a) * u32(b)); }},
      {"arith.divsi", [](int32_t a, int32_t b) { return a / b; }},
      {"arith.remsi", [](int32_t a, int32_t b) { return a % b; }},
      {"arith.divui", [](int32_t a, int32_t b) { return int32_t(u32(a) / u32(b)); }},
      {"arith.remui", [](int32_t a, int32_t b) { return int32_t(u32(a) % u32(b)); }},
      {"arith.floordivsi", floorDiv},
      {"arith.ceildivsi", ceilDiv},
      {"arith.ceildivui", [](int32_t a, int32_t b) { return int32_t(u32(a) / u32(b) + (u32(a) % u32(b) != 0)); }},
      {"arith.andi", [](int32_t a, int32_t b) { return a & b; }},
      {"arith.ori", [](int32_t a, int32_t b) { return a | b; }},
      {"arith.xori", [](int32_t a, int32_t b) { return a ^ b; }},
      {"arith.maxsi", [](int32_t a, int32_t b) { return std::max(a, b); }},
      {"arith.minsi", [](int32_t a, int32_t b) { return std::min(a, b); }},
      {"arith.maxui", [](int32_t a, int32_t b) { return int32_t(std::max(u32(a), u32(b))); }},
      {"arith.minui", [](int32_t a, int32_t b) { return int32_t(std::min(u32(a), u32(b))); }},
      {"arith.shli", [](int32_t a, int32_t b) { return u32(b) > 31 ? 0 : int32_t(u32(a) << b); }},
      {"arith.shrui", [](int32_t a, int32_t b) { return u32(b) > 31 ? 0 : int32_t(u32(a) >> b); }},
      {"arith.shrsi", [](int32_t a, int32_t b) { return a >> (u32(b) > 31 ? 31 : b); }},
  };
  constexpr int64_t n = 20;
  auto a = [](int64_t i) { return static_cast<int32_t>(i * 715827882 - 7); };
  auto b = [](int64_t i) { return static_cast<int32_t>(i % 2 ? i + 1 : -i - 3); };
  HostTensor x = tensorOf(ScalarType::I32, {n}, a), y = tensorOf(ScalarType::I32, {n}, b);
  for (const IntegerCase &test : cases) {
    HostTensor r = HostTensor::contiguous(ScalarType::I32, {n});
    runWell(elementwise("%v = " + std::string(test.op) + " %a, %b : i32", "i32", "i32", n), {}, {x, y, x, r});
    for (int64_t i = 0; i < n; ++i)
      EXPECT_EQ(static_cast<int32_t>(r.load(i)), test.reference(a(i), b(i)))
          << test.op << " of " << a(i) << ", " << b(i);
  }
}

/// Counting bits, absolute value, comparisons, select.
TEST_F(InterpreterTest, BitsComparisonsAndSelect) {
  constexpr int64_t n = 5;
  const int32_t a[] = {0, 1, -8, 1 << 20, std::numeric_limits<int32_t>::min()};
  HostTensor x = tensorOf(ScalarType::I32, {n}, [&](int64_t i) { return a[i]; });
  HostTensor y = tensorOf(ScalarType::I32, {n}, [&](int64_t i) { return 1 - i; });
  auto results = [&](const std::string &line, ScalarType out) {
    HostTensor r = HostTensor::contiguous(out, {n});
    runWell(elementwise(line, "i32", spelled(out), n), {}, {x, y, x, r});
    return numbersIn(r);
  };
  using numbers = std::vector<double>;
  EXPECT_EQ(results("%v = math.ctlz %a : i32", ScalarType::I32), (numbers{32, 31, 0, 11, 0}));
  EXPECT_EQ(results("%v = math.cttz %a : i32", ScalarType::I32), (numbers{32, 0, 3, 20, 31}));
  EXPECT_EQ(results("%v = math.ctpop %a : i32", ScalarType::I32), (numbers{0, 1, 29, 1, 1}));
  EXPECT_EQ(results("%v = math.absi %a : i32", ScalarType::I32), (numbers{0, 1, 8, 1 << 20, -2147483648.0}));
  EXPECT_EQ(results("%v = arith.cmpi slt, %a, %b : i32", ScalarType::I1), (numbers{1, 0, 1, 0, 1}));
  EXPECT_EQ(results("%v = arith.cmpi ult, %a, %b : i32", ScalarType::I1), (numbers{1, 0, 1, 1, 1}));
  EXPECT_EQ(results("%c0 = arith.cmpi eq, %a, %b : i32\n%v = arith.select %c0, %a, %b : i32", ScalarType::I32),
            (numbers{1, 0, -1, -2, -3}));
}

/// Casts between types, and constants of several types.
TEST_F(InterpreterTest, CastsAndConstants) {
  HostTensor x = tensorOf(ScalarType::I8, {3}, [](int64_t i) { return i == 0 ? -56 : i == 1 ? 100 : -1; });
  auto results = [&](const std::string &line, ScalarType out) {
    HostTensor r = HostTensor::contiguous(out, {3});
    runWell(elementwise(line, "i8", spelled(out), 3), {}, {x, x, x, r});
    return numbersIn(r);
  };
  using numbers = std::vector<double>;
  EXPECT_EQ(results("%v = arith.extsi %a : i8 to i32", ScalarType::I32), (numbers{-56, 100, -1}));
  EXPECT_EQ(results("%v = arith.extui %a : i8 to i32", ScalarType::I32), (numbers{200, 100, 255}));
  EXPECT_EQ(results("%v = arith.uitofp %a : i8 to f16", ScalarType::F16), (numbers{200, 100, 255}));
  EXPECT_EQ(results("%v = arith.sitofp %a : i8 to bf16", ScalarType::BF16), (numbers{-56, 100, -1}));
  EXPECT_EQ(results("%v = arith.trunci %a : i8 to i1", ScalarType::I1), (numbers{0, 0, 1}));
  EXPECT_EQ(results("%w = arith.sitofp %a : i8 to f32\n%v = arith.fptosi %w : f32 to i16", ScalarType::I16),
            (numbers{-56, 100, -1}));
  EXPECT_EQ(results("%w = arith.sitofp %a : i8 to f32\n%u = arith.truncf %w : f32 to f16\n"
                    "%v = arith.extf %u : f16 to f64",
                    ScalarType::F64),
            (numbers{-56, 100, -1}));
  EXPECT_EQ(results("%w = arith.constant 1.0 : f32\n%v = arith.bitcast %w : f32 to i32", ScalarType::I32),
            numbers(3, 0x3f800000));
  EXPECT_EQ(results("%w = arith.index_cast %i : index to i64\n%v = arith.addi %w, %w : i64", ScalarType::I64),
            (numbers{0, 2, 4}));
  EXPECT_EQ(results("%v = arith.constant -7 : i8", ScalarType::I8), numbers(3, -7));
  EXPECT_EQ(results("%v = arith.constant true", ScalarType::I1), numbers(3, 1));
  EXPECT_EQ(results("%v = arith.constant 0x7C00 : f16", ScalarType::F16),
            numbers(3, std::numeric_limits<double>::infinity()));
}

/// fastmath flags permit, and change nothing.
TEST_F(InterpreterTest, FastMathChangesNothing) {
  HostTensor x = tensorOf(ScalarType::F32, {3}, [](int64_t i) { return i == 0 ? NAN : i == 1 ? 1e30 : 3; });
  HostTensor plain = HostTensor::contiguous(ScalarType::F32, {3}), fast = HostTensor::contiguous(ScalarType::F32, {3});
  std::string line = "%w = arith.divf %a, %b$f : f32\n%u = arith.mulf %w, %a$f : f32\n%v = arith.addf %u, %c$f : f32";
  runWell(elementwise(substitute(line, {{"f", ""}}), "f32", "f32", 3), {}, {x, x, x, plain});
  runWell(elementwise(substitute(line, {{"f", " fastmath<fast>"}}), "f32", "f32", 3), {}, {x, x, x, fast});
  EXPECT_EQ(bitsIn(plain), bitsIn(fast));
}

/// Brackets and affine.apply floor toward minus infinity; mod is never negative.
TEST_F(InterpreterTest, AffineExpressions) {
  HostTensor y = HostTensor::contiguous(ScalarType::I64, {21, 4});
  runWell(R"(
tile.kernel @f(%y: memref<21x4xi64>) grid(%b) in (1) threads(1) {
  tile.parallel %i in (21) {
    %0 = affine.apply affine_map<(d0) -> ((d0 - 10) floordiv 3)>(%i)
    %1 = affine.apply affine_map<(d0) -> ((d0 - 10) ceildiv 3)>(%i)
    %2 = affine.apply affine_map<(d0) -> ((d0 - 10) mod 3)>(%i)
    %3 = affine.apply affine_map<(d0)[s0] -> (s0 * 2 - (d0 * 5 + s0 floordiv 2) mod 7)>(%i)[%i]
    %4 = arith.index_cast %0 : index to i64
    %5 = arith.index_cast %1 : index to i64
    %6 = arith.index_cast %2 : index to i64
    %7 = arith.index_cast %3 : index to i64
    tile.store %4, %y[%i, 0] : memref<21x4xi64>
    tile.store %5, %y[20 - (20 - %i), 1] : memref<21x4xi64>
    tile.store %6, %y[%i, 4 floordiv 2] : memref<21x4xi64>
    tile.store %7, %y[%i, 7 mod 4] : memref<21x4xi64>
  }
})",
          {}, {y});
  for (int64_t i = 0; i < 21; ++i) {
    EXPECT_EQ(static_cast<int64_t>(y.load(4 * i)), std::floor((i - 10) / 3.0));
    EXPECT_EQ(static_cast<int64_t>(y.load(4 * i + 1)), std::ceil((i - 10) / 3.0));
    EXPECT_EQ(static_cast<int64_t>(y.load(4 * i + 2)), ((i - 10) % 3 + 3) % 3);
    EXPECT_EQ(static_cast<int64_t>(y.load(4 * i + 3)), 2 * i - (5 * i + i / 2) % 7);
  }
}

/// memref.dim gives the extents of the launch, and of a slice.
TEST_F(InterpreterTest, DimGivesRunTimeExtents) {
  HostTensor x = HostTensor::contiguous(ScalarType::F32, {5, 9}), y = HostTensor::contiguous(ScalarType::I64, {2});
  runWell(R"(
tile.kernel @f[%M, %N](%x[%M, %N]: memref<?x?xf32>, %y: memref<2xi64>) grid(%b) in (1) threads(1) {
  tile.parallel %i in (2) {
    %d = memref.dim %x, %i : memref<?x?xf32>
    %e = arith.index_cast %d : index to i64
    tile.store %e, %y[%i] : memref<2xi64>
  }
})",
          {5, 9}, {x, y});
  EXPECT_EQ(numbersIn(y), (std::vector<double>{5, 9}));
}
