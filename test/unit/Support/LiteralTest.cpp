// LiteralTest.cpp - literals read back bit for bit; text for people round-trips; bad numbers are refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Literal.h"

#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

/// What a C compiler makes of one of our literals: the few forms they take, read by the C library.
static uint64_t readLiteral(ScalarType type, std::string text) {
  for (std::string call : {"__int_as_float(", "__longlong_as_double("})
    if (text.starts_with(call)) {
      text = text.substr(call.size());
      if (text[0] == '(')
        text = text.substr(text.find(')') + 1);
      return std::strtoull(text.c_str(), nullptr, 16);
    }
  if (type == ScalarType::F32) {
    EXPECT_EQ(text.back(), 'f');
    EXPECT_NE(text.find_first_of(".p"), std::string::npos) << text; // 1f is no C
    return bitsAs<uint32_t>(std::strtof(text.c_str(), nullptr));
  }
  if (type == ScalarType::F64) {
    EXPECT_NE(text.find_first_of(".p"), std::string::npos) << text;
    return bitsAs<uint64_t>(std::strtod(text.c_str(), nullptr));
  }
  if (isFloat(type))
    return std::strtoull(text.c_str(), nullptr, 16);
  if (text == "true" || text == "false")
    return text == "true";
  uint64_t minus = 0;
  if (text[0] == '(') {
    EXPECT_TRUE(text.ends_with(" - 1)")) << text;
    text = text.substr(1);
    minus = 1;
  }
  return wrap(type, static_cast<uint64_t>(std::strtoll(text.c_str(), nullptr, 10)) - minus);
}

/// Every pattern up to 16 bits, and corners and random patterns of the wider types, NaN payloads included.
TEST(Literal, ReadBackBitForBit) {
  for (ScalarType type : kAllTypes)
    for (uint64_t bits : patterns(type, true, 20000))
      ASSERT_EQ(readLiteral(type, cLiteral(type, bits)), bits) << name(type) << " " << cLiteral(type, bits);
}

/// The forms, written out.
TEST(Literal, Forms) {
  struct Case {
    ScalarType type;
    uint64_t bits;
    const char *text;
  };
  const Case cases[] = {
      {ScalarType::I1, 1, "true"},
      {ScalarType::I8, 0x80, "-128"},
      {ScalarType::I32, 0x80000000, "(-2147483647 - 1)"},
      {ScalarType::I32, 0xfffffffb, "-5"},
      {ScalarType::I64, 0x8000000000000000, "(-9223372036854775807ll - 1)"},
      {ScalarType::Index, 2147483653, "2147483653ll"},
      {ScalarType::F32, 0x3fc00000, "1.5f"},
      {ScalarType::F32, 0x80000000, "-0.0f"},
      {ScalarType::F32, 0x42c80000, "100.0f"},
      {ScalarType::F32, 0x3dcccccd, "0x1.99999ap-4f"},
      {ScalarType::F32, 0x00000001, "0x0.000002p-126f"},
      {ScalarType::F32, 0x7f800000, "__int_as_float(0x7f800000)"},
      {ScalarType::F32, 0xff800000, "__int_as_float((int)0xff800000u)"},
      {ScalarType::F64, 0x3ff0000000000000, "1.0"},
      {ScalarType::F64, 0xfff0000000000000, "__longlong_as_double((long long)0xfff0000000000000ull)"},
      {ScalarType::F16, 0x3c00, "0x3c00"},
      {ScalarType::BF16, 0x0001, "0x0001"},
      {ScalarType::F8E4M3FN, 0x7, "0x07"},
  };
  for (const Case &c : cases)
    EXPECT_EQ(cLiteral(c.type, c.bits), c.text);
}

/// The text for people reads back to the same bits (NaN to the canonical NaN).
TEST(Literal, TextRoundTrips) {
  for (ScalarType type : kAllTypes)
    for (uint64_t bits : patterns(type, true, 5000)) {
      auto read = parseValue(type, toText(type, bits));
      ASSERT_TRUE(read) << toText(type, bits) << ": " << read.error();
      ASSERT_TRUE(same(type, *read, bits)) << name(type) << " " << toText(type, bits);
    }
  EXPECT_EQ(toText(ScalarType::F16, 0x2e66), "0.1");
  EXPECT_EQ(toText(ScalarType::BF16, 0xff80), "-inf");
  EXPECT_EQ(toText(ScalarType::F32, 0x3dcccccd), "0.1");
  EXPECT_EQ(toText(ScalarType::F8E4M3FN, 0x7e), "448");
}

/// Numbers as users write them.
TEST(Literal, ReadsNumbers) {
  struct Case {
    ScalarType type;
    const char *text;
    uint64_t bits;
  };
  const Case cases[] = {
      {ScalarType::I8, "-128", 0x80},
      {ScalarType::I8, "255", 0xff},
      {ScalarType::I8, "0x7f", 0x7f},
      {ScalarType::I1, "true", 1},
      {ScalarType::I1, "0", 0},
      {ScalarType::I64, "18446744073709551615", ~0ull},
      {ScalarType::I64, "-9223372036854775808", 1ull << 63},
      {ScalarType::I32, "+7", 7},
      {ScalarType::F32, "1e-40", 71362},
      {ScalarType::F32, "1e300", 0x7f800000},
      {ScalarType::F32, "-inf", 0xff800000},
      {ScalarType::F16, "65519.99", 0x7bff},
      {ScalarType::F16, "nan", 0x7e00},
      {ScalarType::F8E4M3FN, "464", 0x7e},
      {ScalarType::F8E4M3FN, "inf", 0x7f},
      {ScalarType::F64, "0x1.8p1", 0x4008000000000000},
      {ScalarType::BF16, "1", 0x3f80},
  };
  for (const Case &c : cases) {
    auto value = parseValue(c.type, c.text);
    ASSERT_TRUE(value) << c.text << ": " << value.error();
    EXPECT_EQ(*value, c.bits) << name(c.type) << " " << c.text;
  }
}

/// What is no number of the type is refused with what was found and the rule.
TEST(Literal, RefusesOthers) {
  for (ScalarType type : kAllTypes)
    for (std::string text : {"", " 1", "1 ", "abc", "--1", "1.5.5", "0x", "1e", "-"})
      EXPECT_FALSE(parseValue(type, text)) << name(type) << " '" << text << "'";
  EXPECT_EQ(parseValue(ScalarType::I8, "256").error(), "found '256'; i8 reaches from -128 to 255");
  EXPECT_EQ(parseValue(ScalarType::I8, "-129").error(), "found '-129'; i8 reaches from -128 to 255");
  EXPECT_EQ(parseValue(ScalarType::I32, "1.5").error(), "found '1.5'; i32 takes a whole number");
  EXPECT_EQ(parseValue(ScalarType::F32, "one").error(), "found 'one'; f32 takes a number");
  EXPECT_EQ(parseValue(ScalarType::I64, "99999999999999999999").error(),
            "found '99999999999999999999'; i64 reaches from -9223372036854775808 to 18446744073709551615");
}
