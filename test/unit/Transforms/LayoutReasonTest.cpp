// LayoutReasonTest.cpp - the sentence on why one solution was preferred to another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutSolver.h"

#include <gtest/gtest.h>

#include <functional>

namespace tile {
namespace {

/// 100 clocks, 8 blocks at a time, memory bandwidth; then changed.
SolutionCost cost(const std::function<void(SolutionCost &)> &change = [](SolutionCost &) {}) {
  SolutionCost result;
  result.time = {100, 8, Limit::Dram};
  result.total.pools.barriers = 2;
  result.total.pools.requests = 16;
  result.total.pools.issue = 40;
  result.total.contiguousLanes = 16;
  result.shape.registers = 8;
  change(result);
  return result;
}

/// The reason against another solution.
std::string against(const std::function<void(SolutionCost &)> &change) {
  SolutionCost other = cost(change);
  return reasonOver(cost(), &other);
}

/// Where nothing differs, what limits the kernel is the reason.
TEST(LayoutReason, NothingToChoose) {
  EXPECT_EQ(reasonOver(cost(), nullptr), "no other layout was compared; limited by memory bandwidth");
  EXPECT_EQ(against([](SolutionCost &) {}), "no other layout is faster; limited by memory bandwidth");
  // Nothing that was counted limits a kernel whose threads do it all on their own.
  EXPECT_EQ(reasonOver(cost([](SolutionCost &none) { none.total.pools.requests = 0; }), nullptr),
            "no other layout was compared");
  // A tie that only the order of the candidates decides.
  EXPECT_EQ(against([](SolutionCost &other) { other.time.clocks = 99; }),
            "as fast as the runner-up within 2 %; limited by memory bandwidth");
}

/// In a tie the first figure of the order that differs is named, though later ones differ too.
TEST(LayoutReason, Ties) {
  std::string tie = "as fast as the runner-up within 2 %, ";
  auto lanes = [](SolutionCost &other) {
    other.time.clocks = 101.9;
    other.total.contiguousLanes = 8;
  };
  auto registers = [&](SolutionCost &other) { lanes(other), other.shape.registers = 9; };
  auto issue = [&](SolutionCost &other) { registers(other), other.total.pools.issue += 1; };
  auto requests = [&](SolutionCost &other) { issue(other), other.total.pools.requests += 1; };
  auto barriers = [&](SolutionCost &other) { requests(other), other.total.pools.barriers += 1; };
  auto masks = [&](SolutionCost &other) { barriers(other), other.total.isExact = false; };
  EXPECT_EQ(against(lanes), tie + "with more lanes side by side on the contiguous axis");
  EXPECT_EQ(against(registers), tie + "with fewer registers");
  EXPECT_EQ(against(issue), tie + "with fewer instructions");
  EXPECT_EQ(against(requests), tie + "with fewer memory requests");
  EXPECT_EQ(against(barriers), tie + "with fewer barriers");
  EXPECT_EQ(against(masks), tie + "without masks or idle threads");
}

/// Beyond 2 % the difference is given, and what the runner-up has more of, the weightiest first.
TEST(LayoutReason, Faster) {
  auto limit = [](SolutionCost &other) {
    other.time.clocks = 104;
    other.time.limit = Limit::Path;
  };
  auto requests = [&](SolutionCost &other) { limit(other), other.total.pools.requests += 1; };
  auto resident = [&](SolutionCost &other) { requests(other), other.time.resident = 4; };
  auto barriers = [&](SolutionCost &other) { resident(other), other.total.pools.barriers += 2; };
  auto conversions = [&](SolutionCost &other) { barriers(other), other.total.conversions = 1; };
  EXPECT_EQ(against(limit), "4.0 % faster than the runner-up, which is limited by sectors");
  EXPECT_EQ(against(requests), "4.0 % faster than the runner-up, which needs 1 more memory request");
  EXPECT_EQ(against(resident), "4.0 % faster than the runner-up, which runs 4 blocks at a time, not 8");
  EXPECT_EQ(against(barriers), "4.0 % faster than the runner-up, which needs 2 more barriers");
  EXPECT_EQ(against(conversions), "4.0 % faster than the runner-up, which needs 1 more conversion");
}

/// Where the pipe that limits the runner-up explains most of the difference, it is named, not a count beside it.
TEST(LayoutReason, FullerPipe) {
  auto withPools = [](double path, int conversions) {
    return cost([&](SolutionCost &cost) {
      cost.total.pools.path = path;
      cost.total.conversions = conversions;
    });
  };
  SolutionCost chosen = withPools(80, 0), other = withPools(120, 1);
  other.time = {125, 8, Limit::Path};
  EXPECT_EQ(reasonOver(chosen, &other), "25 % faster than the runner-up, which needs 50 % more sectors");
  other.total.pools.path = 85;
  EXPECT_EQ(reasonOver(chosen, &other), "25 % faster than the runner-up, which needs 1 more conversion");
}

/// From 10 % on, without decimals.
TEST(LayoutReason, Percent) {
  EXPECT_EQ(against([](SolutionCost &other) { other.time.clocks = 212; }),
            "112 % faster than the runner-up, which is limited by memory bandwidth");
}

} // namespace
} // namespace tile
