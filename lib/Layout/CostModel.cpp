// CostModel.cpp - pools to clocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/CostModel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tile {

Pools &Pools::operator+=(const Pools &other) {
  data += other.data;
  path += other.path;
  l2 += other.l2;
  dram += other.dram;
  issue += other.issue;
  half += other.half;
  full += other.full;
  special += other.special;
  latency += other.latency;
  barriers += other.barriers;
  requests += other.requests;
  return *this;
}

Pools Pools::operator*(double times) const {
  return {data * times, path * times,    l2 * times,      dram * times,     issue * times,   half * times,
          full * times, special * times, latency * times, barriers * times, requests * times};
}

std::string_view describe(Limit limit) {
  switch (limit) {
  case Limit::Data:
    return "wavefronts";
  case Limit::Path:
    return "sectors";
  case Limit::L2:
    return "L2 bandwidth";
  case Limit::Dram:
    return "memory bandwidth";
  case Limit::Alu:
    return "arithmetic";
  case Limit::Start:
    return "starting blocks";
  case Limit::Latency:
    return "bytes in flight";
  }
  return "";
}

int64_t blocksByThreads(int64_t threads) {
  constexpr int64_t most = 32, threadsAtOnce = 2048, warp = 32;
  return std::clamp<int64_t>(threadsAtOnce / ((threads + warp - 1) / warp * warp), 1, most);
}

/// Bytes of shared memory that one block may have, and how much longer a kernel takes that wants more: none of its
/// blocks runs.
static constexpr int64_t kMostShared = 227 * 1024;
static constexpr double kNoBlock = 1000;

/// Blocks that one multiprocessor holds: threads, registers and shared memory each set a limit.
static double residentBlocks(const BlockShape &shape, const CostConstants &constants) {
  double warps = std::ceil(static_cast<double>(shape.threads) / 32), threads = warps * 32;
  // Not rounded to the eights that registers are given out in: the estimate is not that good, and a step in it would
  // decide where nothing real does. A thread has 255 at most, the rest lies in memory.
  double registers = std::clamp<double>(constants.baseRegisters + shape.registers, 32, 255);
  double byRegisters = 65536 / (registers * threads);
  double byShared = std::floor(static_cast<double>(kMostShared) / (static_cast<double>(shape.sharedBytes) + 1024));
  return std::max(1.0, std::min({static_cast<double>(blocksByThreads(shape.threads)), byRegisters, byShared}));
}

BlockTime blockTime(const Pools &pools, const BlockShape &shape, const CostConstants &constants) {
  double alu = std::max({pools.issue * constants.issueClocks,
                         pools.half * constants.halfClocks + pools.full * constants.fullClocks,
                         pools.special * constants.specialClocks});
  double start = shape.threads > 512 ? constants.startClocksLarge : constants.startClocks;
  std::array<std::pair<double, Limit>, 6> pipes = {{{pools.dram, Limit::Dram},
                                                    {pools.path, Limit::Path},
                                                    {pools.data, Limit::Data},
                                                    {pools.l2, Limit::L2},
                                                    {alu, Limit::Alu},
                                                    {start, Limit::Start}}};
  auto fullest =
      *std::max_element(pipes.begin(), pipes.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  BlockTime time;
  time.resident = residentBlocks(shape, constants);
  double alone = constants.aloneClocks + pools.latency + pools.data + alu, thru = fullest.first;
  double spread = alone / time.resident;
  time.limit = spread > thru ? Limit::Latency : fullest.second;
  double under = std::max(0.0, pools.data + pools.dram + alu - thru);
  time.clocks = std::cbrt(thru * thru * thru + spread * spread * spread) + constants.overlap * under;
  if (shape.sharedBytes > kMostShared)
    time.clocks *= kNoBlock;
  return time;
}

std::vector<NamedConstant> namedConstants(const CostConstants &constants) {
  const CostConstants &c = constants;
  return {
      {"lineClocks", c.lineClocks, "clk", "of the way to the L2, for each line of 128 bytes of a request"},
      {"sectorClocks", c.sectorClocks, "clk", "of the way to the L2, for each sector of 32 bytes of a request"},
      {"dramBytes", c.dramBytes, "B/clk", "of a multiprocessor's part of the memory, reads and writes mixed"},
      {"dramBytesOneWay", c.dramBytesOneWay, "B/clk", "the same for only reads or only writes"},
      {"l2Bytes", c.l2Bytes, "B/clk", "of a multiprocessor's part of the L2, read again"},
      {"hitClocks", c.hitClocks, "clk", "the least that a load takes which hits the L1"},
      {"issueClocks", c.issueClocks, "clk", "to issue one instruction of a warp"},
      {"halfClocks", c.halfClocks, "clk", "of an instruction at half rate: max, min, integers, logic, narrowing"},
      {"fullClocks", c.fullClocks, "clk", "of an instruction at full rate: sums, products, fused ones"},
      {"specialClocks", c.specialClocks, "clk", "of one of the special function unit: ex2, rcp, rsqrt"},
      {"startClocks", c.startClocks, "clk", "to start a block of up to 512 threads"},
      {"startClocksLarge", c.startClocksLarge, "clk", "to start a larger one"},
      {"aloneClocks", c.aloneClocks, "clk", "of a block with no other beside it, until its first data is there"},
      {"shuffleLatency", c.shuffleLatency, "clk", "from a shuffle to the next that needs its result, with one sum"},
      {"barrierLatency", c.barrierLatency, "clk", "of a barrier"},
      {"barrierLatencyPerWarp", c.barrierLatencyPerWarp, "clk", "of a barrier, for each warp"},
      {"barrierWait", c.barrierWait, "clk", "that warps wait for the last one at a barrier"},
      {"sharedLatency", c.sharedLatency, "clk", "of a load from shared memory"},
      {"shortRuns32", c.shortRuns32, "x", "time of stores in runs of 32 bytes, of long ones"},
      {"shortRuns16", c.shortRuns16, "x", "time of stores in runs of 16 bytes, of long ones"},
      {"overlap", c.overlap, "x", "part of what runs under the fullest pipe that shows all the same"},
      {"baseRegisters", static_cast<double>(c.baseRegisters), "", "that every thread needs besides its data"},
  };
}

} // namespace tile
