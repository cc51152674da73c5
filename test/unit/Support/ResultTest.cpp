// ResultTest.cpp - a result holds its value or its error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Result.h"

#include <gtest/gtest.h>

#include <memory>

using namespace tile;

static Result<std::unique_ptr<int>> half(int value) {
  if (value % 2 != 0)
    return Error{std::to_string(value) + " is odd"};
  return std::make_unique<int>(value / 2);
}

/// A move-only value comes out as it went in; a failure says why.
TEST(Result, HoldsValueOrError) {
  auto good = half(6);
  ASSERT_TRUE(good);
  EXPECT_EQ(**good, 3);
  std::unique_ptr<int> taken = *std::move(good);
  EXPECT_EQ(*taken, 3);

  auto bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error(), "7 is odd");
  EXPECT_TRUE(okStatus());
}
