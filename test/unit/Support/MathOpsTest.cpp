// MathOpsTest.cpp - transcendental functions against extended precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"
#include "tile/Support/ScalarOps.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

namespace {
struct Row {
  UnaryOp op;
  Real (*function)(Real);
};
} // namespace

static const Row kRows[] = {
    {UnaryOp::Rsqrt, [](Real x) { return 1 / std::sqrt(x); }},
    {UnaryOp::Cbrt, std::cbrt},
    {UnaryOp::Exp, std::exp},
    {UnaryOp::Exp2, std::exp2},
    {UnaryOp::ExpM1, std::expm1},
    {UnaryOp::Log, std::log},
    {UnaryOp::Log2, std::log2},
    {UnaryOp::Log10, std::log10},
    {UnaryOp::Log1p, std::log1p},
    {UnaryOp::Sin, std::sin},
    {UnaryOp::Cos, std::cos},
    {UnaryOp::Tan, std::tan},
    {UnaryOp::Asin, std::asin},
    {UnaryOp::Acos, std::acos},
    {UnaryOp::Atan, std::atan},
    {UnaryOp::Sinh, std::sinh},
    {UnaryOp::Cosh, std::cosh},
    {UnaryOp::Tanh, std::tanh},
    {UnaryOp::Asinh, std::asinh},
    {UnaryOp::Acosh, std::acosh},
    {UnaryOp::Atanh, std::atanh},
    {UnaryOp::Erf, std::erf},
    {UnaryOp::Erfc, std::erfc},
};

/// Distance in units of the last place: patterns of one sign are ordered as their values are.
static uint64_t ulps(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/// All f16 and bf16 inputs give the correctly rounded result.
TEST(MathOps, NarrowInputsAreCorrectlyRounded) {
  Rounder reference;
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16})
    for (const Row &row : kRows)
      for (uint64_t bits = 0; bits < 65536; ++bits) {
        uint64_t expected = reference(type, row.function(valueOf(type, bits)));
        ASSERT_EQ(evaluate(row.op, type, bits), expected)
            << int(row.op) << " " << name(type) << std::hex << " " << bits;
      }
}

/// f32 differs from the correctly rounded result by at most one unit, f64 by at most four.
TEST(MathOps, WideInputsAreClose) {
  Rounder reference;
  for (auto [type, limit] : {std::pair(ScalarType::F32, uint64_t(1)), {ScalarType::F64, uint64_t(4)}})
    for (const Row &row : kRows)
      for (uint64_t bits : patterns(type, false, 4000)) {
        uint64_t expected = reference(type, row.function(valueOf(type, bits)));
        uint64_t got = evaluate(row.op, type, bits);
        ASSERT_LE(ulps(got, expected), limit) << int(row.op) << " " << name(type) << std::hex << " " << bits;
      }
}

/// atan2, powf and fpowi, including the corners of C's annex F.
TEST(MathOps, Binary) {
  Rounder reference;
  for (ScalarType type : kArithmetic) {
    std::vector<uint64_t> list = patterns(type, false, 3000);
    std::mt19937_64 random(5);
    for (uint64_t a : list) {
      uint64_t b = list[random() % list.size()];
      Real x = valueOf(type, a), y = valueOf(type, b);
      ASSERT_LE(ulps(*evaluate(BinaryOp::Atan2, type, a, b), reference(type, std::atan2(x, y))), 4u) << name(type);
      ASSERT_LE(ulps(*evaluate(BinaryOp::PowF, type, a, b), reference(type, std::pow(x, y))), 4u) << name(type);
      auto power = static_cast<int32_t>(random() % 41) - 20;
      ASSERT_LE(ulps(*evaluate(BinaryOp::FPowI, type, a, static_cast<uint32_t>(power)),
                     reference(type, std::pow(x, static_cast<Real>(power)))),
                4u)
          << name(type) << " " << power;
    }
    uint64_t one = fromDouble(type, 1), minusTwo = fromDouble(type, -2), nan = nanBits(type);
    EXPECT_EQ(*evaluate(BinaryOp::PowF, type, nan, 0), one);
    EXPECT_EQ(*evaluate(BinaryOp::PowF, type, one, nan), one);
    EXPECT_EQ(*evaluate(BinaryOp::FPowI, type, minusTwo, 3), fromDouble(type, -8));
    EXPECT_EQ(*evaluate(BinaryOp::FPowI, type, minusTwo, 0xfffffffe), fromDouble(type, 0.25));
  }
}

/// Every float function of one operand is in this file's table or in FloatOpsTest's.
TEST(MathOps, ReferenceIsComplete) {
  int elsewhere = 0;
  for (const ScalarOpInfo &info : scalarOps()) {
    if (info.kind != OpKind::Unary || !info.types.contains(ScalarType::F32))
      continue;
    if (!std::ranges::any_of(kRows, [&](const Row &row) { return uint8_t(row.op) == info.code; }))
      ++elsewhere;
  }
  EXPECT_EQ(elsewhere, 12); // negf absf isnan isinf isfinite isnormal ceil floor round roundeven trunc sqrt
}
