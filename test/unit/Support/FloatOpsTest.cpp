// FloatOpsTest.cpp - float operations against quadruple precision, and the tables of NaN and signed zero.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Numerics.h"
#include "tile/Support/ScalarOps.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

/// Pairs of corners, and random pairs.
template <typename Body> static void forPairs(ScalarType type, int randomCount, Body body) {
  std::vector<uint64_t> corners = patterns(type, false, 4);
  for (size_t i = 0; i < corners.size(); i += 3)
    for (size_t j = 0; j < corners.size(); j += 2)
      body(corners[i], corners[j]);
  std::vector<uint64_t> random = patterns(type, false, randomCount);
  for (size_t i = 0; i + 1 < random.size(); ++i)
    body(random[i], random[(i * 7919 + 13) % random.size()]);
}

/// + - * / equal the quadruple result rounded once (enough bits that two roundings are one).
TEST(FloatOps, ArithmeticRoundsOnce) {
  Rounder reference;
  for (ScalarType type : kArithmetic)
    forPairs(type, 20000, [&](uint64_t a, uint64_t b) {
      Quad x = valueOf(type, a), y = valueOf(type, b);
      const std::pair<BinaryOp, Quad> expected[] = {
          {BinaryOp::AddF, x + y}, {BinaryOp::SubF, x - y}, {BinaryOp::MulF, x * y}, {BinaryOp::DivF, x / y}};
      for (auto [op, value] : expected)
        ASSERT_EQ(*evaluate(op, type, a, b), reference(type, value))
            << int(op) << " " << name(type) << " " << std::hex << a << " " << b;
    });
}

/// A square root is right if the squares of the midpoints to its neighbours enclose the operand.
TEST(FloatOps, SqrtRoundsOnce) {
  for (ScalarType type : kArithmetic)
    for (uint64_t a : patterns(type, true, 20000)) {
      Quad x = valueOf(type, a);
      uint64_t root = evaluate(UnaryOp::Sqrt, type, a);
      if (x != x || (x < 0)) {
        ASSERT_EQ(root, nanBits(type));
        continue;
      }
      if (x == 0 || x - x != 0) {
        ASSERT_EQ(root, a);
        continue;
      }
      Quad low = (Quad(valueOf(type, root - 1)) + valueOf(type, root)) / 2;
      Quad high = (Quad(valueOf(type, root + 1)) + valueOf(type, root)) / 2;
      ASSERT_TRUE(low * low <= x && x <= high * high) << name(type) << " " << std::hex << a;
    }
}

/// fma rounds once: against libm for f32 and f64, against exact quadruple sums for the 16-bit types.
TEST(FloatOps, Fma) {
  Rounder reference;
  std::mt19937_64 random(3);
  for (ScalarType type : kArithmetic) {
    std::vector<uint64_t> list = patterns(type, false, 30000);
    for (size_t i = 0; i < list.size(); ++i) {
      uint64_t a = list[i], b = list[random() % list.size()], c = list[random() % list.size()];
      uint64_t got = evaluate(TernaryOp::Fma, type, a, b, c);
      Real x = valueOf(type, a), y = valueOf(type, b), z = valueOf(type, c);
      uint64_t expected;
      if (type == ScalarType::F32)
        expected = reference(type, static_cast<Real>(std::fma(float(x), float(y), float(z))));
      else if (type == ScalarType::F64)
        expected = reference(type, static_cast<Real>(std::fma(double(x), double(y), double(z))));
      else if (std::isfinite(x) && std::isfinite(y) && std::isfinite(z) && x * y != 0 && z != 0 &&
               std::abs(std::ilogb(x * y) - std::ilogb(z)) > 80)
        continue; // not exact in quadruple: FmaNeighbours covers these
      else
        expected = reference(type, Quad(x) * Quad(y) + Quad(z));
      ASSERT_EQ(got, expected) << name(type) << std::hex << " " << a << " " << b << " " << c;
    }
  }
}

/// A product exactly between two numbers goes where the tiniest addend pulls it; without one, to even.
TEST(FloatOps, FmaNeighbours) {
  struct Case {
    ScalarType type;
    double factor; ///< factor * factor' lies half way above `below`
    double other;
    uint64_t below;
  };
  // (1 + 2^-k)(1 + 2^-m) = 1 + … with the last bit one place below the mantissa.
  const Case cases[] = {{ScalarType::F16, 1 + 0x1p-5, 1 + 0x1p-6, 0x3c00 + (1 << 5) + (1 << 4)},
                        {ScalarType::BF16, 1 + 0x1p-4, 1 + 0x1p-4, 0x3f80 + (1 << 4)},
                        {ScalarType::F32, 1 + 0x1p-12, 1 + 0x1p-12, 0x3f800000 + (1 << 12)}};
  for (const Case &c : cases) {
    uint64_t a = fromDouble(c.type, c.factor), b = fromDouble(c.type, c.other);
    uint64_t sign = uint64_t(1) << (bitWidth(c.type) - 1);
    EXPECT_EQ(evaluate(TernaryOp::Fma, c.type, a, b, 0), c.below + c.below % 2) << name(c.type);
    EXPECT_EQ(evaluate(TernaryOp::Fma, c.type, a, b, 1), c.below + 1) << name(c.type);
    EXPECT_EQ(evaluate(TernaryOp::Fma, c.type, a, b, sign | 1), c.below) << name(c.type);
  }
}

/// The remainder has the sign of the dividend, is smaller than the divisor, and equals that of extended precision.
TEST(FloatOps, Remainder) {
  for (ScalarType type : kArithmetic)
    forPairs(type, 2000, [&](uint64_t a, uint64_t b) {
      Real x = valueOf(type, a), y = valueOf(type, b);
      uint64_t got = *evaluate(BinaryOp::RemF, type, a, b);
      if (!std::isfinite(x) || std::isnan(y) || y == 0) {
        ASSERT_EQ(got, nanBits(type));
        return;
      }
      Real rest = valueOf(type, got);
      ASSERT_EQ(std::signbit(rest), std::signbit(x)) << name(type);
      ASSERT_TRUE(std::fabs(rest) < std::fabs(y) || (std::isinf(y) && rest == x)) << name(type);
      ASSERT_EQ(rest, std::fmod(x, y)) << name(type) << std::hex << " " << a << " " << b; // exact at any precision
    });
}

/// maximumf, minimumf, maxnumf, minnumf on every pairing of NaN, infinities, zeros of both signs and ones.
TEST(FloatOps, ExtremesOfSpecialValues) {
  for (ScalarType type : kArithmetic) {
    uint64_t sign = uint64_t(1) << (bitWidth(type) - 1), nan = nanBits(type), inf = fromDouble(type, INFINITY);
    uint64_t one = fromDouble(type, 1);
    const uint64_t ordered[] = {sign | inf, sign | one, sign, 0, one, inf}; // ascending: -0 below +0
    for (size_t i = 0; i < 6; ++i)
      for (size_t j = 0; j < 6; ++j)
        for (auto [larger, smaller] :
             {std::pair(BinaryOp::MaximumF, BinaryOp::MinimumF), {BinaryOp::MaxNumF, BinaryOp::MinNumF}}) {
          EXPECT_EQ(*evaluate(larger, type, ordered[i], ordered[j]), ordered[std::max(i, j)]) << name(type);
          EXPECT_EQ(*evaluate(smaller, type, ordered[i], ordered[j]), ordered[std::min(i, j)]) << name(type);
        }
    for (uint64_t anyNan : {nan, sign | nan, nan + 1})
      for (uint64_t number : ordered) {
        for (BinaryOp op : {BinaryOp::MaximumF, BinaryOp::MinimumF}) {
          EXPECT_EQ(*evaluate(op, type, anyNan, number), nan) << name(type);
          EXPECT_EQ(*evaluate(op, type, number, anyNan), nan) << name(type);
        }
        for (BinaryOp op : {BinaryOp::MaxNumF, BinaryOp::MinNumF}) {
          EXPECT_EQ(*evaluate(op, type, anyNan, number), number) << name(type);
          EXPECT_EQ(*evaluate(op, type, number, anyNan), number) << name(type);
          EXPECT_EQ(*evaluate(op, type, anyNan, anyNan), nan) << name(type);
        }
      }
  }
}

/// x*0, x-x, x/x, x+0, 0-x, x*1 on NaN, infinity, both zeros: no algebra, plain IEEE.
TEST(FloatOps, NoAlgebra) {
  for (ScalarType type : kArithmetic) {
    uint64_t sign = uint64_t(1) << (bitWidth(type) - 1), nan = nanBits(type), inf = fromDouble(type, INFINITY);
    uint64_t one = fromDouble(type, 1);
    EXPECT_EQ(*evaluate(BinaryOp::MulF, type, inf, 0), nan);
    EXPECT_EQ(*evaluate(BinaryOp::MulF, type, sign | one, 0), sign);
    EXPECT_EQ(*evaluate(BinaryOp::SubF, type, inf, inf), nan);
    EXPECT_EQ(*evaluate(BinaryOp::SubF, type, one, one), 0u);
    EXPECT_EQ(*evaluate(BinaryOp::DivF, type, 0, 0), nan);
    EXPECT_EQ(*evaluate(BinaryOp::DivF, type, inf, inf), nan);
    EXPECT_EQ(*evaluate(BinaryOp::DivF, type, one, sign), sign | inf);
    EXPECT_EQ(*evaluate(BinaryOp::AddF, type, sign, 0), 0u);
    EXPECT_EQ(*evaluate(BinaryOp::AddF, type, sign, sign), sign);
    EXPECT_EQ(*evaluate(BinaryOp::SubF, type, 0, 0), 0u);
    EXPECT_EQ(*evaluate(BinaryOp::MulF, type, sign | nan, one), nan);
    EXPECT_EQ(evaluate(UnaryOp::NegF, type, 0), sign);
    EXPECT_EQ(evaluate(UnaryOp::NegF, type, nan + 1), (sign | nan) + 1);
    EXPECT_EQ(evaluate(UnaryOp::AbsF, type, (sign | nan) + 1), nan + 1);
    EXPECT_EQ(*evaluate(BinaryOp::CopySign, type, nan + 1, sign), (sign | nan) + 1);
  }
}

/// The sixteen predicates, by the four outcomes less, equal, greater, unordered.
TEST(FloatOps, Compare) {
  struct Row {
    CompareOp op;
    bool less, equal, greater, unordered;
  };
  const Row rows[] = {{CompareOp::FFalse, false, false, false, false}, {CompareOp::FOeq, false, true, false, false},
                      {CompareOp::FOgt, false, false, true, false},    {CompareOp::FOge, false, true, true, false},
                      {CompareOp::FOlt, true, false, false, false},    {CompareOp::FOle, true, true, false, false},
                      {CompareOp::FOne, true, false, true, false},     {CompareOp::FOrd, true, true, true, false},
                      {CompareOp::FUeq, false, true, false, true},     {CompareOp::FUgt, false, false, true, true},
                      {CompareOp::FUge, false, true, true, true},      {CompareOp::FUlt, true, false, false, true},
                      {CompareOp::FUle, true, true, false, true},      {CompareOp::FUne, true, false, true, true},
                      {CompareOp::FUno, false, false, false, true},    {CompareOp::FTrue, true, true, true, true}};
  for (ScalarType type : kArithmetic) {
    uint64_t one = fromDouble(type, 1), two = fromDouble(type, 2), nan = nanBits(type);
    uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
    for (const Row &row : rows) {
      EXPECT_EQ(evaluate(row.op, type, one, two), row.less) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, sign | two, sign | one), row.less) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, one, one), row.equal) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, sign, 0), row.equal) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, two, one), row.greater) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, nan, one), row.unordered) << name(type) << int(row.op);
      EXPECT_EQ(evaluate(row.op, type, nan, nan), row.unordered) << name(type) << int(row.op);
    }
  }
}

/// Classification by the C library on the exact value, with the limits of the type's own normal range.
TEST(FloatOps, Classification) {
  for (ScalarType type : kArithmetic)
    for (uint64_t a : patterns(type, true, 3000)) {
      Real x = valueOf(type, a);
      int least = type == ScalarType::F16 ? -14 : type == ScalarType::F64 ? -1022 : -126;
      bool isFinite = std::isfinite(x);
      ASSERT_EQ(evaluate(UnaryOp::IsNaN, type, a), uint64_t(std::isnan(x))) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::IsInf, type, a), uint64_t(std::isinf(x))) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::IsFinite, type, a), uint64_t(isFinite)) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::IsNormal, type, a), uint64_t(isFinite && std::fabs(x) >= std::ldexp(Real(1), least)))
          << name(type) << " " << a;
    }
  EXPECT_EQ(resultType(UnaryOp::IsNaN, ScalarType::F32), ScalarType::I1);
  EXPECT_EQ(resultType(UnaryOp::Sqrt, ScalarType::F32), ScalarType::F32);
}

/// Rounding to whole numbers, each rule by its definition: distance, direction, ties.
TEST(FloatOps, WholeNumbers) {
  for (ScalarType type : kArithmetic)
    for (uint64_t a : patterns(type, true, 3000)) {
      Real x = valueOf(type, a);
      if (!std::isfinite(x) || std::fabs(x) > 0x1p62L)
        continue;
      auto down = static_cast<Real>(static_cast<int64_t>(x)) - (static_cast<Real>(static_cast<int64_t>(x)) > x);
      Real up = down == x ? x : down + 1, middle = down + Real(0.5);
      bool isEven = static_cast<int64_t>(down) % 2 == 0;
      Real even = x < middle ? down : x > middle ? up : isEven ? down : up;
      Real away = x < middle ? down : x > middle ? up : x < 0 ? down : up;
      ASSERT_EQ(valueOf(type, evaluate(UnaryOp::Floor, type, a)), down) << name(type) << " " << a;
      ASSERT_EQ(valueOf(type, evaluate(UnaryOp::Ceil, type, a)), up) << name(type) << " " << a;
      ASSERT_EQ(valueOf(type, evaluate(UnaryOp::Trunc, type, a)), x < 0 ? up : down) << name(type) << " " << a;
      ASSERT_EQ(valueOf(type, evaluate(UnaryOp::RoundEven, type, a)), even) << name(type) << " " << a;
      ASSERT_EQ(valueOf(type, evaluate(UnaryOp::Round, type, a)), away) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::Ceil, type, a) >> (bitWidth(type) - 1), a >> (bitWidth(type) - 1)) << "sign of zero";
    }
}
