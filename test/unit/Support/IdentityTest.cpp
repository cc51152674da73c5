// IdentityTest.cpp - reductions: identities, combination, mean, refusals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Identity.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/Numerics.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

using namespace tile;
using namespace tile::test;

static constexpr int kReductionCount = 14;

static uint64_t reduceAll(Reduction reduction, ScalarType type, const std::vector<uint64_t> &values) {
  ReductionRule rule = *reductionRule(reduction, type);
  uint64_t accumulator = rule.identity;
  for (uint64_t value : values)
    accumulator = accumulate(rule, type, accumulator, value);
  return finish(reduction, rule, type, accumulator, static_cast<int64_t>(values.size()));
}

/// The identity changes no value, from either side (NaN may become the canonical one, and a sum makes +0 of -0).
TEST(Identity, IdentityLaw) {
  for (int kind = 0; kind < kReductionCount; ++kind)
    for (ScalarType type : kAllTypes) {
      auto reduction = static_cast<Reduction>(kind);
      auto rule = reductionRule(reduction, type);
      if (!rule)
        continue;
      for (uint64_t bits : patterns(type, true, 2000)) {
        uint64_t value = convert(type, rule->accumulator, bits);
        if (rule->map)
          value = evaluate(*rule->map, rule->accumulator, value);
        uint64_t sign = uint64_t(1) << (bitWidth(rule->accumulator) - 1);
        bool isSum = rule->combine == BinaryOp::AddF;
        uint64_t expected = isSum && value == sign ? 0 : value;
        ASSERT_TRUE(same(rule->accumulator, accumulate(*rule, type, rule->identity, bits), expected))
            << name(reduction) << " " << name(type) << " " << bits;
        ASSERT_TRUE(
            same(rule->accumulator, *evaluate(rule->combine, rule->accumulator, value, rule->identity), expected))
            << name(reduction) << " " << name(type) << " " << bits;
      }
    }
}

/// The table of accepted pairs, and the accumulators.
TEST(Identity, AcceptedPairs) {
  struct Row {
    Reduction reduction;
    bool onFloat, onInteger, onBool;
  };
  const Row rows[] = {{Reduction::Sum, true, true, false},     {Reduction::Mean, true, false, false},
                      {Reduction::Prod, true, true, false},    {Reduction::Max, true, true, true},
                      {Reduction::Min, true, true, true},      {Reduction::MaxNum, true, false, false},
                      {Reduction::MinNum, true, false, false}, {Reduction::AbsMax, true, true, true},
                      {Reduction::AbsSum, true, true, false},  {Reduction::UMax, false, true, true},
                      {Reduction::UMin, false, true, true},    {Reduction::And, false, true, true},
                      {Reduction::Or, false, true, true},      {Reduction::Xor, false, true, true}};
  for (const Row &row : rows)
    for (ScalarType type : kAllTypes) {
      auto rule = reductionRule(row.reduction, type);
      bool expected = isFloat(type) ? row.onFloat : type == ScalarType::I1 ? row.onBool : row.onInteger;
      ASSERT_EQ(rule.has_value(), expected) << name(row.reduction) << " " << name(type);
      if (!rule)
        continue;
      bool isNarrowFloat = isFloat(type) && byteSize(type) < 4;
      EXPECT_EQ(rule->accumulator, isNarrowFloat ? ScalarType::F32 : type) << name(type);
    }
}

/// Small tiles with known results: NaN rules, signs, wrapping, the mean's one division, 16-bit sums in f32.
TEST(Identity, KnownReductions) {
  uint64_t nan = 0x7fc00000, one = 0x3f800000, two = 0x40000000, minusTwo = 0xc0000000;
  EXPECT_EQ(reduceAll(Reduction::Max, ScalarType::F32, {one, nan, two}), nan);
  EXPECT_EQ(reduceAll(Reduction::MaxNum, ScalarType::F32, {one, nan, two}), two);
  EXPECT_EQ(reduceAll(Reduction::MaxNum, ScalarType::F32, {nan, nan}), nan);
  EXPECT_EQ(reduceAll(Reduction::MinNum, ScalarType::F32, {nan, minusTwo, one}), minusTwo);
  EXPECT_EQ(reduceAll(Reduction::AbsMax, ScalarType::F32, {one, minusTwo}), two);
  EXPECT_EQ(reduceAll(Reduction::AbsMax, ScalarType::F32, {one, nan}), nan);
  EXPECT_EQ(reduceAll(Reduction::Mean, ScalarType::F32, {one, two}), fromDouble(ScalarType::F32, 1.5));
  EXPECT_EQ(reduceAll(Reduction::AbsMax, ScalarType::I8, {0x80}), 0x80u);
  EXPECT_EQ(reduceAll(Reduction::AbsMax, ScalarType::I8, {0x80, 0x05}), 0x05u);
  EXPECT_EQ(reduceAll(Reduction::Sum, ScalarType::I8, {0x7f, 0x01}), 0x80u);
  EXPECT_EQ(reduceAll(Reduction::UMax, ScalarType::I8, {0x7f, 0x80}), 0x80u);
  EXPECT_EQ(reduceAll(Reduction::Max, ScalarType::I8, {0x7f, 0x80}), 0x7fu);
  EXPECT_EQ(reduceAll(Reduction::Max, ScalarType::I1, {0, 1}), 1u);
  EXPECT_EQ(reduceAll(Reduction::Min, ScalarType::I1, {0, 1}), 0u);
  std::vector<uint64_t> halves(4096, 0x3c00); // 4096 ones: a sum in f16 would stop at 2048
  EXPECT_EQ(reduceAll(Reduction::Sum, ScalarType::F16, halves), 0x6c00u);
  EXPECT_EQ(reduceAll(Reduction::Mean, ScalarType::F16, halves), 0x3c00u);
}

/// Every kind is found by the name it prints.
TEST(Identity, Names) {
  for (int kind = 0; kind < kReductionCount; ++kind)
    EXPECT_EQ(parseReduction(name(static_cast<Reduction>(kind))), static_cast<Reduction>(kind));
  EXPECT_EQ(name(Reduction::Xor), "xor");
  EXPECT_EQ(parseReduction("median"), std::nullopt);
}
