// CostModelTest.cpp - the predicted times of row kernels against what an H200 took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/AccessCost.h"
#include "tile/Layout/CostModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

using namespace tile;

namespace {

constexpr int64_t kColumns = 4096, kBytes = 2;

/// A row of bf16 in a block, read in one of the ways that users try by hand.
struct RowKernel {
  int64_t threads;
  Pools pools;
  std::set<int64_t> seen; // sectors
  CostConstants constants;

  explicit RowKernel(int64_t threads) : threads(threads) { pools.dram = kColumns * kBytes / constants.dramBytesOneWay; }
  int64_t part() const { return kColumns / threads; }

  /// One instruction of every warp; `address` gives the byte of a thread.
  void load(int bytes, const std::function<int64_t(int64_t)> &address) {
    forWarps(bytes, address, [&](const MemoryRequest &request) {
      GlobalCost cost = globalCost(request);
      pools.data += std::max({double(wavefronts(request)), cost.lines / 4.0, constants.hitClocks});
      int64_t fresh = 0;
      for (int64_t lane : request.address)
        fresh += lane >= 0 && seen.insert(lane / 32).second;
      double share = std::min(1.0, double(fresh) / cost.sectors);
      pools.path += (constants.lineClocks * cost.lines + constants.sectorClocks * cost.sectors) * share;
    });
  }
  void shared(int bytes, const std::function<int64_t(int64_t)> &address) {
    forWarps(bytes, address, [&](const MemoryRequest &request) { pools.data += wavefronts(request); });
  }
  void forWarps(int bytes, const std::function<int64_t(int64_t)> &address,
                const std::function<void(const MemoryRequest &)> &count) {
    for (int64_t first = 0; first < threads; first += 32) {
      MemoryRequest request;
      request.bytes = bytes;
      for (int64_t lane = 0; lane < 32; ++lane)
        request.address[lane] = address(first + lane);
      count(request);
      pools.issue += 3;
      pools.requests += 1;
    }
  }
  void multiply() {
    pools.full += double(kColumns) / 32;
    pools.half += double(kColumns) / 32;
    pools.issue += 2.0 * kColumns / 32;
    pools.latency += 4.0 * part();
  }
  /// Each thread writes its product, four bytes.
  void store() {
    double warps = threads / 32.0;
    pools.data += warps;
    pools.path += warps * (constants.lineClocks + 4 * constants.sectorClocks);
    pools.dram += threads * 4 / constants.dramBytesOneWay;
    pools.issue += 3 * warps;
  }
  void barrier() {
    pools.latency += constants.barrierLatency + constants.barrierLatencyPerWarp * threads / 32.0 +
                     constants.barrierWait + constants.sharedLatency;
  }
  /// TB/s of input bytes.
  double rate(int64_t sharedBytes, int64_t registers) const {
    double clocks = blockTime(pools, {threads, registers, sharedBytes}, constants).clocks;
    return kColumns * kBytes * 132 * 1.98e9 / clocks / 1e12;
  }
};

double blocked(int64_t threads) {
  RowKernel row(threads);
  for (int64_t c = 0; c < row.part(); ++c)
    row.load(2, [&](int64_t t) { return (t * row.part() + c) * 2; });
  row.multiply();
  row.store();
  return row.rate(0, 8);
}

double striped(int64_t threads) {
  RowKernel row(threads);
  for (int64_t c = 0; c < row.part(); ++c)
    row.load(2, [&](int64_t t) { return (c * threads + t) * 2; });
  row.multiply();
  row.store();
  return row.rate(0, 16);
}

double blockedVector(int64_t threads) {
  RowKernel row(threads);
  for (int64_t i = 0; i < row.part() / 8; ++i)
    row.load(16, [&](int64_t t) { return (t * row.part() + 8 * i) * 2; });
  row.multiply();
  row.store();
  return row.rate(0, row.part() / 2);
}

double stripedVector(int64_t threads) {
  RowKernel row(threads);
  for (int64_t i = 0; i < row.part() / 8; ++i)
    row.load(16, [&](int64_t t) { return (i * threads + t) * 16; });
  row.multiply();
  row.store();
  return row.rate(0, row.part() / 2);
}

double staged(int64_t threads, int64_t pad) {
  RowKernel row(threads);
  int64_t pitch = (row.part() + pad) * 2;
  auto inRow = [&](int64_t byte) { return byte / (row.part() * 2) * pitch + byte % (row.part() * 2); };
  for (int64_t i = 0; i < row.part() / 8; ++i) {
    row.load(16, [&](int64_t t) { return (i * threads + t) * 16; });
    row.shared(16, [&](int64_t t) { return inRow((i * threads + t) * 16); });
    row.shared(16, [&](int64_t t) { return t * pitch + 16 * i; });
  }
  row.barrier();
  row.multiply();
  row.store();
  return row.rate(threads * pitch, row.part() / 2);
}

/// Measured rates of hand-written kernels, TB/s: 512, 256, 128, 64 and 32 threads.
struct Measured {
  const char *name;
  std::function<double(int64_t)> predict;
  double rates[5];
};

// The model need not know a rate to the percent; it must not be far off anywhere, and good on the whole.
TEST(CostModel, PredictsRowKernels) {
  const Measured table[] = {{"blocked", blocked, {3.03, 1.96, 1.02, 0.52, 0.51}},
                            {"striped", striped, {3.04, 3.31, 3.31, 3.36, 3.48}},
                            {"blocked vector", blockedVector, {3.20, 3.80, 3.96, 3.15, 3.14}},
                            {"striped vector", stripedVector, {3.13, 3.58, 3.84, 4.00, 4.03}},
                            {"staged", [](int64_t t) { return staged(t, 0); }, {3.05, 3.80, 3.91, 2.83, 2.98}},
                            {"staged padded", [](int64_t t) { return staged(t, 8); }, {3.03, 3.80, 3.98, 3.88, 3.88}}};
  double sum = 0;
  int count = 0;
  for (const Measured &row : table)
    for (int i = 0; i < 5; ++i) {
      double off = row.predict(512 >> i) / row.rates[i] - 1;
      EXPECT_LT(std::fabs(off), 0.2) << row.name << " with " << (512 >> i) << " threads: " << row.predict(512 >> i);
      sum += off * off;
      ++count;
    }
  EXPECT_LT(std::sqrt(sum / count), 0.09);
}

// Each resource sets the number of resident blocks.
TEST(CostModel, CountsResidentBlocks) {
  Pools pools;
  EXPECT_EQ(blockTime(pools, {1024, 0, 0}).resident, 2);
  EXPECT_EQ(blockTime(pools, {32, 0, 0}).resident, 32);
  EXPECT_EQ(blockTime(pools, {128, 0, 64 * 1024}).resident, 3);
  EXPECT_NEAR(blockTime(pools, {256, 100, 0}).resident, 65536.0 / (126 * 256), 1e-9);
  EXPECT_EQ(blockTime(pools, {1024, 4000, 232448}).resident, 1);
}

// A block that wants more shared memory than there is never runs: whatever does run is better.
TEST(CostModel, MoreSharedThanThereIs) {
  Pools pools;
  pools.data = 1000;
  double fits = blockTime(pools, {128, 0, 232448}).clocks, never = blockTime(pools, {128, 0, 232449}).clocks;
  EXPECT_GT(never, 100 * fits);
}

// The pool that decides is named.
TEST(CostModel, NamesTheLimit) {
  Pools pools;
  pools.dram = 5000;
  EXPECT_EQ(blockTime(pools, {256, 0, 0}).limit, Limit::Dram);
  pools.data = 9000;
  EXPECT_EQ(blockTime(pools, {256, 0, 0}).limit, Limit::Data);
  EXPECT_EQ(blockTime(pools, {1024, 200, 200000}).limit, Limit::Latency);
}

} // namespace
