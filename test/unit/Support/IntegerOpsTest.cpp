// IntegerOpsTest.cpp - integer operations against 128-bit arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"
#include "tile/Support/ScalarOps.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

#include <optional>

using namespace tile;
using namespace tile::test;

namespace {
__extension__ using Wide = __int128;

/// Both readings of two operands, and the width.
struct Operands {
  Wide s, t; ///< signed
  Wide u, v; ///< unsigned
  int width;
  Wide lowest() const { return -(Wide(1) << (width - 1)); }
};

using Expected = std::optional<Wide> (*)(const Operands &);

struct Row {
  BinaryOp op;
  Expected expected; ///< the mathematical result, wrapped by the test; nothing is a fault
};

/// The largest q with q * b <= a, by correcting C's quotient with the remainder's sign.
Wide floorOf(Wide a, Wide b) {
  Wide remainder = ((a % b) + b) % b; // has the sign of b
  return (a - remainder) / b;
}
} // namespace

static const Row kRows[] = {
    {BinaryOp::AddI, [](const Operands &x) -> std::optional<Wide> { return x.s + x.t; }},
    {BinaryOp::SubI, [](const Operands &x) -> std::optional<Wide> { return x.s - x.t; }},
    {BinaryOp::MulI, [](const Operands &x) -> std::optional<Wide> { return x.s * x.t; }},
    {BinaryOp::DivSI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.t == 0 || (x.s == x.lowest() && x.t == -1))
         return std::nullopt;
       return x.s / x.t;
     }},
    {BinaryOp::DivUI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.v == 0)
         return std::nullopt;
       return x.u / x.v;
     }},
    {BinaryOp::CeilDivSI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.t == 0 || (x.s == x.lowest() && x.t == -1))
         return std::nullopt;
       return -floorOf(-x.s, x.t);
     }},
    {BinaryOp::CeilDivUI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.v == 0)
         return std::nullopt;
       return (x.u + x.v - 1) / x.v;
     }},
    {BinaryOp::FloorDivSI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.t == 0 || (x.s == x.lowest() && x.t == -1))
         return std::nullopt;
       return floorOf(x.s, x.t);
     }},
    {BinaryOp::RemSI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.t == 0)
         return std::nullopt;
       return x.s % x.t;
     }},
    {BinaryOp::RemUI,
     [](const Operands &x) -> std::optional<Wide> {
       if (x.v == 0)
         return std::nullopt;
       return x.u % x.v;
     }},
    {BinaryOp::AndI, [](const Operands &x) -> std::optional<Wide> { return x.u & x.v; }},
    {BinaryOp::OrI, [](const Operands &x) -> std::optional<Wide> { return x.u | x.v; }},
    {BinaryOp::XorI, [](const Operands &x) -> std::optional<Wide> { return x.u ^ x.v; }},
    {BinaryOp::ShlI,
     [](const Operands &x) -> std::optional<Wide> { return x.v >= x.width ? 0 : x.u * (Wide(1) << int(x.v)); }},
    {BinaryOp::ShrUI,
     [](const Operands &x) -> std::optional<Wide> { return x.v >= x.width ? 0 : x.u / (Wide(1) << int(x.v)); }},
    {BinaryOp::ShrSI,
     [](const Operands &x) -> std::optional<Wide> {
       return x.v >= x.width ? (x.s < 0 ? -1 : 0) : floorOf(x.s, Wide(1) << int(x.v));
     }},
    {BinaryOp::MaxSI, [](const Operands &x) -> std::optional<Wide> { return std::max(x.s, x.t); }},
    {BinaryOp::MaxUI, [](const Operands &x) -> std::optional<Wide> { return std::max(x.u, x.v); }},
    {BinaryOp::MinSI, [](const Operands &x) -> std::optional<Wide> { return std::min(x.s, x.t); }},
    {BinaryOp::MinUI, [](const Operands &x) -> std::optional<Wide> { return std::min(x.u, x.v); }},
};

static Operands read(ScalarType type, uint64_t a, uint64_t b) {
  Wide modulus = Wide(1) << bitWidth(type);
  Wide half = modulus / 2;
  Wide u = a, v = b;
  return {u >= half ? u - modulus : u, v >= half ? v - modulus : v, u, v, bitWidth(type)};
}

static void checkPair(const Row &row, ScalarType type, uint64_t a, uint64_t b) {
  std::optional<Wide> expected = row.expected(read(type, a, b));
  std::optional<uint64_t> got = evaluate(row.op, type, a, b);
  ASSERT_EQ(got.has_value(), expected.has_value()) << int(row.op) << " " << name(type) << " " << a << " " << b;
  if (expected) {
    ASSERT_EQ(*got, wrap(type, static_cast<uint64_t>(*expected)))
        << int(row.op) << " " << name(type) << " " << a << " " << b;
  }
}

/// All pairs of i1 and of i8, every operation.
TEST(IntegerOps, AllNarrowPairs) {
  for (ScalarType type : {ScalarType::I1, ScalarType::I8})
    for (const Row &row : kRows)
      for (uint64_t a : patterns(type, true, 0))
        for (uint64_t b : patterns(type, true, 0))
          ASSERT_NO_FATAL_FAILURE(checkPair(row, type, a, b));
}

/// Corners of the wider types, each with each: powers of two, their neighbours, lowest, highest, -1, 0.
TEST(IntegerOps, WideCorners) {
  for (ScalarType type : {ScalarType::I16, ScalarType::I32, ScalarType::I64, ScalarType::Index}) {
    std::vector<uint64_t> list;
    for (int bit : {0, 1, 2, 5, 7, 8, 14, 15, 16, 30, 31, 32, 33, 62, 63})
      for (uint64_t value : {uint64_t(1) << bit, (uint64_t(1) << bit) - 1, (uint64_t(1) << bit) + 1,
                             ~(uint64_t(1) << bit) + 1, ~(uint64_t(1) << bit)})
        list.push_back(wrap(type, value));
    for (const Row &row : kRows)
      for (uint64_t a : list)
        for (uint64_t b : list)
          ASSERT_NO_FATAL_FAILURE(checkPair(row, type, a, b));
  }
}

/// The reference knows every integer operation of the table, so that none goes untested.
TEST(IntegerOps, ReferenceIsComplete) {
  for (const ScalarOpInfo &info : scalarOps())
    if (info.kind == OpKind::Binary && info.types.contains(ScalarType::I32)) {
      EXPECT_TRUE(std::ranges::any_of(kRows, [&](const Row &row) { return uint8_t(row.op) == info.code; }))
          << info.name;
    }
}

/// a = (a / b) * b + a rem b wherever the quotient exists.
TEST(IntegerOps, QuotientAndRemainder) {
  for (ScalarType type : kIntegers)
    for (uint64_t a : patterns(type, false, 20))
      for (uint64_t b : {uint64_t(1), uint64_t(3), uint64_t(7), lowestInteger(type), highestInteger(type),
                         wrap(type, ~0ull), wrap(type, ~0ull - 2)})
        for (auto [divide, rest] : {std::pair(BinaryOp::DivSI, BinaryOp::RemSI), {BinaryOp::DivUI, BinaryOp::RemUI}}) {
          uint64_t divisor = wrap(type, b);
          auto quotient = evaluate(divide, type, a, divisor);
          if (!quotient)
            continue;
          uint64_t product = *evaluate(BinaryOp::MulI, type, *quotient, divisor);
          ASSERT_EQ(*evaluate(BinaryOp::AddI, type, product, *evaluate(rest, type, a, divisor)), a) << name(type);
        }
}

/// Faults say which rule was broken; other pairs say nothing.
TEST(IntegerOps, FaultText) {
  for (ScalarType type : kIntegers) {
    EXPECT_EQ(faultText(BinaryOp::DivUI, type, 1, 0), "division by zero") << name(type);
    EXPECT_EQ(faultText(BinaryOp::RemSI, type, 1, 0), "division by zero") << name(type);
    EXPECT_EQ(faultText(BinaryOp::FloorDivSI, type, lowestInteger(type), wrap(type, ~uint64_t(0))),
              "lowest integer divided by -1");
    EXPECT_EQ(faultText(BinaryOp::DivUI, type, 1, 1), "");
  }
}

/// abs wraps at the lowest integer; bit counts are those of the type's own width.
TEST(IntegerOps, Unary) {
  for (ScalarType type : kIntegers)
    for (uint64_t a : patterns(type, true, 500)) {
      Operands x = read(type, a, 0);
      int leading = 0, trailing = 0, ones = 0, width = bitWidth(type);
      while (leading < width && (a >> (width - 1 - leading) & 1) == 0)
        ++leading;
      while (trailing < width && (a >> trailing & 1) == 0)
        ++trailing;
      for (int bit = 0; bit < width; ++bit)
        ones += a >> bit & 1;
      ASSERT_EQ(evaluate(UnaryOp::AbsI, type, a), wrap(type, static_cast<uint64_t>(x.s < 0 ? -x.s : x.s)))
          << name(type);
      ASSERT_EQ(evaluate(UnaryOp::Ctlz, type, a), wrap(type, leading)) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::Cttz, type, a), wrap(type, trailing)) << name(type) << " " << a;
      ASSERT_EQ(evaluate(UnaryOp::CtPop, type, a), wrap(type, ones)) << name(type) << " " << a;
    }
}

/// All ten predicates on corners of every type; true of i1 is -1 when signed.
TEST(IntegerOps, Compare) {
  for (ScalarType type : kIntegers)
    for (uint64_t a : patterns(type, false, 10))
      for (uint64_t b : {a, uint64_t(0), uint64_t(1), lowestInteger(type), highestInteger(type), wrap(type, a + 1)}) {
        Operands x = read(type, a, b);
        bool expected[] = {
            x.u == x.v, x.u != x.v, x.s<x.t, x.s <= x.t, x.s> x.t, x.s >= x.t, x.u<x.v, x.u <= x.v, x.u> x.v,
            x.u >= x.v};
        for (int predicate = 0; predicate < 10; ++predicate)
          ASSERT_EQ(evaluate(static_cast<CompareOp>(predicate), type, a, b), expected[predicate])
              << name(type) << " " << predicate << " " << a << " " << b;
      }
}
