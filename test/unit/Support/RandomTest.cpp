// RandomTest.cpp - inputs depend on seed and index alone, and look as their names say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Random.h"

#include "tile/Support/Numerics.h"

#include "test/unit/Support/Reference.h"

#include <gtest/gtest.h>

#include <set>

using namespace tile;
using namespace tile::test;

static Generator make(const char *text, ScalarType type) {
  auto generator = parseGenerator(text, type);
  EXPECT_TRUE(generator) << text;
  return *generator;
}

/// A block of memory holds the elements one by one, whatever its length.
TEST(Random, MemoryEqualsElements) {
  for (const char *kind : {"normal", "uniform", "zeros", "ones", "iota", "const:1"})
    for (ScalarType type : kAllTypes) {
      Generator generator = make(kind, type);
      for (int64_t count : {0, 1, 33}) {
        std::vector<uint8_t> memory(static_cast<size_t>(count * byteSize(type)) + 1, 0xee);
        generate(generator, type, 5, count, memory.data());
        for (int64_t i = 0; i < count; ++i)
          ASSERT_EQ(loadBits(type, memory.data() + i * byteSize(type)),
                    generate(generator, type, 5, static_cast<uint64_t>(i)));
        EXPECT_EQ(memory.back(), 0xee);
      }
    }
}

/// The streams are fixed for ever: stored results depend on them.
TEST(Random, StreamIsFixed) {
  EXPECT_EQ(randomBits(0, 0), 0x5124723942c6eedb);
  EXPECT_EQ(randomBits(1, 0), 0x75e7f5802d5dc5d7);
  EXPECT_EQ(randomBits(1, 1), 0x2b6f77f57bcd8c8e);
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 100; ++seed)
    for (uint64_t index = 0; index < 1000; ++index)
      seen.insert(randomBits(seed, index));
  EXPECT_EQ(seen.size(), 100000u);
}

/// Mean, deviation and neighbours of the two random kinds.
TEST(Random, Moments) {
  struct Row {
    const char *kind;
    ScalarType type;
    double deviation;
  };
  for (const Row &row : {Row{"normal", ScalarType::F32, 1}, Row{"uniform", ScalarType::F32, 0.57735},
                         Row{"normal", ScalarType::I32, 10}, Row{"uniform", ScalarType::I32, 58.0}}) {
    Generator generator = make(row.kind, row.type);
    constexpr int count = 100000;
    double sum = 0, squares = 0, products = 0, last = 0;
    for (int i = 0; i < count; ++i) {
      double x = toDouble(row.type, generate(generator, row.type, 3, static_cast<uint64_t>(i))) / row.deviation;
      sum += x;
      squares += x * x;
      products += x * last;
      last = x;
    }
    EXPECT_NEAR(sum / count, 0, 0.02) << row.kind;
    EXPECT_NEAR(squares / count, 1, 0.03) << row.kind;
    EXPECT_NEAR(products / count, 0, 0.02) << row.kind;
  }
}

/// Ranges, coins and counting.
TEST(Random, Values) {
  int trues = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    trues += generate(make("normal", ScalarType::I1), ScalarType::I1, 9, i) != 0;
    double u = toDouble(ScalarType::F64, generate(make("uniform", ScalarType::F64), ScalarType::F64, 9, i));
    ASSERT_TRUE(u >= -1 && u < 1);
    double n = toDouble(ScalarType::I8, generate(make("uniform", ScalarType::I8), ScalarType::I8, 9, i));
    ASSERT_TRUE(n >= -100 && n <= 100);
  }
  EXPECT_NEAR(trues, 5000, 200);
  EXPECT_EQ(generate(make("iota", ScalarType::F16), ScalarType::F16, 0, 2049), fromDouble(ScalarType::F16, 2048));
  EXPECT_EQ(generate(make("iota", ScalarType::I8), ScalarType::I8, 0, 257), 1u);
  EXPECT_EQ(generate(make("ones", ScalarType::BF16), ScalarType::BF16, 0, 0), 0x3f80u);
  EXPECT_EQ(generate(make("const:-3", ScalarType::I16), ScalarType::I16, 0, 0), 0xfffdu);
}

/// Unknown names and values that do not fit are refused.
TEST(Random, Refusals) {
  auto unknown = parseGenerator("gauss", ScalarType::F32);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error(), "found 'gauss'; inputs are called normal, uniform, zeros, ones, iota or const:VALUE");
  EXPECT_FALSE(parseGenerator("const:1.5", ScalarType::I32));
  EXPECT_FALSE(parseGenerator("const:", ScalarType::F32));
}
