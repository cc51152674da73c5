// NumericsTest.cpp - formats, rounding from double, memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Numerics.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

/// Every pattern of the narrow formats has its textbook value, and rounds back to itself.
TEST(Numerics, NarrowPatternsRoundTrip) {
  for (ScalarType type : kNarrow)
    for (uint64_t bits : patterns(type, true, 0)) {
      double value = toDouble(type, bits);
      Real expected = narrowValue(type, bits);
      if (expected != expected) {
        EXPECT_TRUE(std::isnan(value)) << name(type) << " " << bits;
        EXPECT_EQ(fromDouble(type, value), nanBits(type)) << name(type);
        continue;
      }
      ASSERT_EQ(static_cast<Real>(value), expected) << name(type) << " " << bits;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << name(type) << " " << bits;
      ASSERT_EQ(fromDouble(type, value), bits) << name(type) << " " << value;
    }
}

/// Between each two neighbours: the middle goes to the even one, a hair to either side to the nearer one.
TEST(Numerics, HalfwayPoints) {
  Rounder reference;
  for (ScalarType type : kNarrow) {
    const std::vector<Real> &values = reference.narrow(type).all();
    uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
    for (uint64_t low = 0; low + 2 < values.size(); ++low) {
      auto middle = static_cast<double>((values[low] + values[low + 1]) / 2);
      uint64_t even = low + low % 2;
      ASSERT_EQ(fromDouble(type, middle), even) << name(type) << " " << middle;
      ASSERT_EQ(fromDouble(type, -middle), sign | even) << name(type) << " " << middle;
      ASSERT_EQ(fromDouble(type, std::nextafter(middle, 0.0)), low) << name(type) << " " << middle;
      ASSERT_EQ(fromDouble(type, std::nextafter(middle, 1e300)), low + 1) << name(type) << " " << middle;
    }
  }
}

/// Random and extreme doubles round as the search says, also to f32.
TEST(Numerics, RoundsLikeTheSearch) {
  Rounder reference;
  for (ScalarType type : {ScalarType::F16, ScalarType::BF16, ScalarType::F8E4M3FN, ScalarType::F8E5M2, ScalarType::F32})
    for (uint64_t bits : patterns(ScalarType::F64, false, 50000)) {
      auto value = bitsAs<double>(bits);
      ASSERT_EQ(fromDouble(type, value), reference(type, static_cast<Real>(value))) << name(type) << " " << value;
    }
}

/// Known corners of overflow, infinity, NaN and the smallest numbers, written out.
TEST(Numerics, Corners) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  struct Case {
    ScalarType type;
    double value;
    uint64_t bits;
  };
  const Case cases[] = {
      {ScalarType::F16, 65504, 0x7bff},
      {ScalarType::F16, 65519.99, 0x7bff},
      {ScalarType::F16, 65520, 0x7c00},
      {ScalarType::F16, 1e300, 0x7c00},
      {ScalarType::F16, -inf, 0xfc00},
      {ScalarType::F16, 0x1p-24, 0x0001},
      {ScalarType::F16, 0x1p-25, 0x0000},
      {ScalarType::F16, 0x1.000001p-25, 0x0001},
      {ScalarType::F16, -0.0, 0x8000},
      {ScalarType::BF16, 3.4028235e38, 0x7f80},
      {ScalarType::BF16, 0x1.fep127, 0x7f7f},
      {ScalarType::BF16, 0x1p-133, 0x0001},
      {ScalarType::F32, 3.4028235e38, 0x7f7fffff},
      {ScalarType::F32, 1e-45, 0x00000001},
      {ScalarType::F32, 0x1p-150, 0x00000000},
      {ScalarType::F32, 1e300, 0x7f800000},
      {ScalarType::F8E4M3FN, 448, 0x7e},
      {ScalarType::F8E4M3FN, 464, 0x7e},
      {ScalarType::F8E4M3FN, 1e300, 0x7e},
      {ScalarType::F8E4M3FN, -480, 0xfe},
      {ScalarType::F8E4M3FN, inf, 0x7f},
      {ScalarType::F8E4M3FN, -inf, 0x7f},
      {ScalarType::F8E4M3FN, 0x1p-9, 0x01},
      {ScalarType::F8E4M3FN, 0x1p-10, 0x00},
      {ScalarType::F8E5M2, 57344, 0x7b},
      {ScalarType::F8E5M2, 1e300, 0x7b},
      {ScalarType::F8E5M2, inf, 0x7c},
      {ScalarType::F8E5M2, -inf, 0xfc},
      {ScalarType::F8E5M2, 0x1p-16, 0x01},
      {ScalarType::I8, -1.9, 0xff},
      {ScalarType::I8, 300, 44},
      {ScalarType::I64, -0x1p63, 0x8000000000000000},
  };
  for (const Case &c : cases)
    EXPECT_EQ(fromDouble(c.type, c.value), c.bits) << name(c.type) << " " << c.value;
}

/// A NaN with a payload stays a NaN, the canonical one, in every float type; no rounding turns it into -0 or infinity.
TEST(Numerics, NanStaysNan) {
  for (uint64_t payload : {uint64_t(1), uint64_t(0x7fff8c22), uint64_t(0xfffffffffffff), uint64_t(1) << 51})
    for (uint64_t sign : {uint64_t(0), uint64_t(1) << 63}) {
      auto value = bitsAs<double>(sign | 0x7ff0000000000000 | payload);
      for (ScalarType type : {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64, ScalarType::F8E4M3FN,
                              ScalarType::F8E5M2})
        EXPECT_EQ(fromDouble(type, value), nanBits(type)) << name(type);
    }
}

/// 64-bit integers round once: a detour through double would round some of them twice.
TEST(Numerics, IntegersRoundOnce) {
  Rounder reference;
  std::vector<uint64_t> inputs = patterns(ScalarType::I64, false, 20000);
  for (int bit = 25; bit < 64; ++bit) // just off the halfway points of f32, f16, bf16 and fp8
    for (int digits : {24, 11, 8, 4, 3})
      for (uint64_t delta : {uint64_t(0), uint64_t(1), ~uint64_t(0)})
        if (bit - digits >= 0)
          inputs.push_back((uint64_t(1) << bit) + (uint64_t(1) << (bit - digits)) + delta);
  for (ScalarType type :
       {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2})
    for (uint64_t bits : inputs) {
      auto value = static_cast<int64_t>(bits);
      ASSERT_EQ(fromSigned(type, value), reference(type, static_cast<Real>(value))) << name(type) << " " << value;
      ASSERT_EQ(fromUnsigned(type, bits), reference(type, static_cast<Real>(bits))) << name(type) << " " << bits;
    }
  EXPECT_EQ(fromSigned(ScalarType::F32, 0x20000020000001), uint64_t(0x5a000001)); // 2^53 + 2^29 + 1
}

/// Memory holds `byteSize` little-endian bytes; only they are touched; a non-zero byte of i1 is true.
TEST(Numerics, Memory) {
  for (ScalarType type : kAllTypes) {
    uint8_t memory[10];
    std::memset(memory, 0xaa, sizeof memory);
    uint64_t bits = wrap(type, 0x0123456789abcdef);
    storeBits(type, memory + 1, bits);
    EXPECT_EQ(loadBits(type, memory + 1), bits) << name(type);
    EXPECT_EQ(memory[1], bits & 0xff);
    EXPECT_EQ(memory[0], 0xaa);
    EXPECT_EQ(memory[1 + byteSize(type)], 0xaa) << name(type);
  }
  for (uint8_t byte : {0, 1, 2, 255})
    EXPECT_EQ(loadBits(ScalarType::I1, &byte), uint64_t(byte != 0));
}
