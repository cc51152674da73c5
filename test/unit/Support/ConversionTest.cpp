// ConversionTest.cpp - every cell of the conversion table, and the casts of arith.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Conversion.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

static Real lowestOf(ScalarType type) {
  return -std::ldexp(Real(1), bitWidth(type) - 1);
}

/// Truncates toward zero and clamps; NaN is 0.
static uint64_t clampTo(ScalarType type, Real value, Real low, Real high) {
  if (value != value)
    return 0;
  Real whole = std::trunc(value);
  whole = whole < low ? low : whole > high ? high : whole;
  return wrap(type, whole < 0 ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole));
}

static uint64_t signedClamp(ScalarType type, Real value) {
  return clampTo(type, value, lowestOf(type), -lowestOf(type) - 1);
}

/// The published table in terms of exact values.
static uint64_t expectedConversion(const Rounder &rounder, ScalarType from, ScalarType to, uint64_t bits) {
  Real value = valueOf(from, bits);
  if (from == to)
    return bits;
  if (to == ScalarType::I1)
    return value != 0;
  if (isFloat(to))
    return rounder(to, value);
  if (isFloat(from))
    return signedClamp(to, value);
  return wrap(to, static_cast<uint64_t>(static_cast<int64_t>(value)));
}

/// Every pair of types: all patterns of sources up to 16 bits, corners and random ones of the wider.
TEST(Conversion, EveryPair) {
  Rounder rounder;
  for (ScalarType from : kAllTypes)
    for (uint64_t bits : patterns(from, true, 10000))
      for (ScalarType to : kAllTypes)
        ASSERT_EQ(convert(from, to, bits), expectedConversion(rounder, from, to, bits))
            << name(from) << " to " << name(to) << std::hex << " " << bits;
}

/// f32 to each narrower float around every halfway point of the target: exact ties and both neighbours.
TEST(Conversion, FloatHalfwayPoints) {
  Rounder rounder;
  for (ScalarType to : kNarrow) {
    const std::vector<Real> &values = rounder.narrow(to).all();
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      auto tie = bitsAs<uint32_t>(static_cast<float>((values[i] + values[i + 1]) / 2));
      for (uint32_t bits : {tie - 1, tie, tie + 1, tie | 0x80000000})
        ASSERT_EQ(convert(ScalarType::F32, to, bits), rounder(to, valueOf(ScalarType::F32, bits)))
            << name(to) << std::hex << " " << bits;
    }
  }
}

/// Cells people look up, written out.
TEST(Conversion, KnownCells) {
  struct Case {
    ScalarType from, to;
    uint64_t bits, expected;
  };
  const Case cases[] = {
      {ScalarType::F32, ScalarType::I1, 0x3f000000, 1}, // 0.5 is true
      {ScalarType::F32, ScalarType::I1, 0x80000000, 0}, // -0.0 is false
      {ScalarType::F32, ScalarType::I1, 0x7fc00000, 1}, // NaN is true
      {ScalarType::I8, ScalarType::I1, 2, 1},           // not the low bit
      {ScalarType::I1, ScalarType::I32, 1, 1},          // true is 1, not -1
      {ScalarType::I8, ScalarType::I32, 0xff, 0xffffffff},
      {ScalarType::F32, ScalarType::I8, 0x43963333, 127},  // 300.4 saturates
      {ScalarType::F32, ScalarType::I8, 0xbfffffff, 0xff}, // -1.99… truncates to -1
      {ScalarType::F32, ScalarType::I64, 0x7f800000, 0x7fffffffffffffff},
      {ScalarType::F32, ScalarType::I32, 0xffc00000, 0}, // NaN is 0
      {ScalarType::F32, ScalarType::BF16, 0x7fff8c22, 0x7fc0},
      {ScalarType::F32, ScalarType::F16, 0x477fefff, 0x7bff}, // just below 65520
      {ScalarType::F16, ScalarType::F8E5M2, 0x7bff, 0x7b},    // 65504 saturates at 57344
      {ScalarType::F16, ScalarType::F8E5M2, 0xfc00, 0xfc},
      {ScalarType::BF16, ScalarType::F8E4M3FN, 0x7f80, 0x7f},
      {ScalarType::F8E5M2, ScalarType::F8E4M3FN, 0x7b, 0x7e},
      {ScalarType::I32, ScalarType::F8E4M3FN, 1000, 0x7e},
      {ScalarType::I64, ScalarType::F16, 70000, 0x7c00},
  };
  for (const Case &c : cases)
    EXPECT_EQ(convert(c.from, c.to, c.bits), c.expected) << name(c.from) << " to " << name(c.to) << " " << c.bits;
}

static uint64_t expectedCast(const Rounder &rounder, CastOp op, ScalarType from, ScalarType to, uint64_t bits) {
  uint64_t modulus = bitWidth(from) == 64 ? 0 : uint64_t(1) << bitWidth(from);
  bool isTop = bits >> (bitWidth(from) - 1) & 1;
  uint64_t asSigned = isTop ? bits - modulus : bits; // sign-extended to 64 bits
  switch (op) {
  case CastOp::ExtSI:
  case CastOp::IndexCast:
    return wrap(to, asSigned);
  case CastOp::ExtUI:
  case CastOp::TruncI:
  case CastOp::IndexCastUI:
    return wrap(to, bits);
  case CastOp::SIToFP:
    return rounder(to, static_cast<Real>(static_cast<int64_t>(asSigned)));
  case CastOp::UIToFP:
    return rounder(to, static_cast<Real>(bits));
  case CastOp::FPToSI:
    return signedClamp(to, valueOf(from, bits));
  case CastOp::FPToUI:
    return clampTo(to, valueOf(from, bits), 0, -2 * lowestOf(to) - 1);
  case CastOp::ExtF:
  case CastOp::TruncF:
    return rounder(to, valueOf(from, bits));
  case CastOp::Bitcast:
    return bits;
  }
  return 0;
}

/// Every arith cast on every supported pair; unsupported pairs have no function.
TEST(Conversion, ArithCasts) {
  Rounder rounder;
  for (const ScalarOpInfo &info : scalarOps()) {
    if (info.kind != OpKind::Cast)
      continue;
    auto op = static_cast<CastOp>(info.code);
    for (ScalarType from : kAllTypes)
      for (ScalarType to : kAllTypes) {
        ASSERT_EQ(lookup(op, from, to) != nullptr, isSupported(op, from, to)) << info.name;
        if (!isSupported(op, from, to))
          continue;
        for (uint64_t bits : patterns(from, true, 500))
          ASSERT_EQ(evaluate(op, from, to, bits), expectedCast(rounder, op, from, to, bits))
              << info.name << " " << name(from) << " to " << name(to) << std::hex << " " << bits;
      }
  }
}

/// 200 of i8 stays 200 when extended or converted as unsigned; true as signed is -1.
TEST(Conversion, SignComesFromTheOperation) {
  EXPECT_EQ(evaluate(CastOp::ExtUI, ScalarType::I8, ScalarType::I32, 200), 200u);
  EXPECT_EQ(evaluate(CastOp::ExtSI, ScalarType::I8, ScalarType::I32, 200), 0xffffffc8u);
  EXPECT_EQ(evaluate(CastOp::UIToFP, ScalarType::I8, ScalarType::F16, 200), fromDouble(ScalarType::F16, 200));
  EXPECT_EQ(evaluate(CastOp::SIToFP, ScalarType::I1, ScalarType::F32, 1), fromDouble(ScalarType::F32, -1));
  EXPECT_EQ(evaluate(CastOp::FPToUI, ScalarType::F32, ScalarType::I8, fromDouble(ScalarType::F32, -3)), 0u);
}
