// OpTableTest.cpp - the support table, and lanes against single values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/OpTable.h"

#include "tile/Support/Conversion.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

#include <set>

using namespace tile;
using namespace tile::test;

/// The function for a row and an operand type; casts are tested by pairs elsewhere.
static LaneFunction functionOf(const ScalarOpInfo &info, ScalarType type) {
  switch (info.kind) {
  case OpKind::Unary:
    return lookup(static_cast<UnaryOp>(info.code), type);
  case OpKind::Binary:
    return lookup(static_cast<BinaryOp>(info.code), type);
  case OpKind::Ternary:
    return lookup(static_cast<TernaryOp>(info.code), type);
  case OpKind::CompareI:
    return lookup(CompareOp::Slt, type);
  case OpKind::CompareF:
    return lookup(CompareOp::FUlt, type);
  default:
    return nullptr;
  }
}

/// An operation has a function for a type if and only if the table says so.
TEST(OpTable, TableAndFunctionsAgree) {
  for (const ScalarOpInfo &info : scalarOps()) {
    if (info.kind == OpKind::Cast || info.kind == OpKind::Constant)
      continue;
    for (ScalarType type : kAllTypes) {
      EXPECT_EQ(functionOf(info, type) != nullptr, info.types.contains(type)) << info.name << " " << name(type);
      EXPECT_EQ(isSupported(info.name, type, type), info.types.contains(type)) << info.name << " " << name(type);
    }
  }
}

/// Names are unique and found; others are not.
TEST(OpTable, Names) {
  std::set<std::string_view> names;
  for (const ScalarOpInfo &info : scalarOps()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(findScalarOp(info.name), &info);
  }
  EXPECT_EQ(findScalarOp("arith.addui_extended"), nullptr);
}

/// A refusal names the operation, what was found and what would be accepted.
TEST(OpTable, Refusals) {
  EXPECT_EQ(refusal("arith.addf", ScalarType::F8E5M2, ScalarType::F8E5M2),
            "'arith.addf' on f8E5M2 is not supported; it takes bf16, f16, f32, f64");
  EXPECT_EQ(refusal("arith.truncf", ScalarType::F16, ScalarType::F32),
            "'arith.truncf' from f16 to f32 is not supported; from f16 it goes to f8E4M3FN, f8E5M2");
  EXPECT_EQ(refusal("math.sincos", ScalarType::F32, ScalarType::F32),
            "'math.sincos' is not a scalar operation of the language");
  EXPECT_EQ(refusal("arith.addf", ScalarType::F32, ScalarType::F32), "");
}

/// A warp of lanes, odd counts, and in-place results equal lane by lane evaluation, faults included.
TEST(OpTable, LanesEqualSingleValues) {
  for (const ScalarOpInfo &info : scalarOps())
    for (ScalarType type : kAllTypes) {
      LaneFunction function = functionOf(info, type);
      if (!function)
        continue;
      std::vector<uint64_t> list = patterns(type, false, 40);
      for (int n : {1, 7, 32, 33, 64}) {
        uint64_t a[64], b[64], c[64], out[64];
        std::mt19937_64 random(static_cast<uint64_t>(n));
        for (int i = 0; i < n; ++i) {
          a[i] = info.name == "arith.select" ? random() % 2 : list[random() % list.size()];
          b[i] = list[random() % list.size()];
          c[i] = list[random() % list.size()];
        }
        const uint64_t *operands[] = {a, b, c};
        uint64_t faults = function(operands, out, n);
        for (int i = 0; i < n; ++i) {
          const uint64_t *single[] = {a + i, b + i, c + i};
          uint64_t result = 0;
          ASSERT_EQ(function(single, &result, 1), faults >> i & 1) << info.name << " " << name(type);
          ASSERT_EQ(out[i], result) << info.name << " " << name(type) << " lane " << i << " of " << n;
          ASSERT_TRUE(bitWidth(type) == 64 || out[i] >> bitWidth(type) == 0) << info.name;
        }
        ASSERT_TRUE(n == 64 || faults >> n == 0) << info.name;
        function(operands, a, n);
        ASSERT_TRUE(std::equal(a, a + n, out)) << info.name << " " << name(type) << " in place";
      }
    }
}
