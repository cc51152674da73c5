// ScalarTypeTest.cpp - names and sizes of the element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/ScalarType.h"

#include <gtest/gtest.h>

using namespace tile;

/// Every type is found again by the name it prints.
TEST(ScalarType, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(ScalarType::Index); ++i) {
    auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(parseScalarType(name(type)), type) << name(type);
  }
  EXPECT_EQ(parseScalarType("i128"), std::nullopt);
}
