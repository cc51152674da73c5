// ConversionChoice.cpp - counts the instructions of each way from one layout to another and takes the cheapest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/ConversionChoice.h"

#include "tile/Layout/Conversion.h"

#include <algorithm>
#include <numeric>

namespace tile {

static constexpr int64_t kWarpThreads = 32, kWidestBytes = 16, kShuffleBytes = 4, kWavefrontBytes = 128;

std::string_view name(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Same:
    return "nothing to do";
  case ConversionKind::Registers:
    return "registers";
  case ConversionKind::Shuffles:
    return "shuffles";
  case ConversionKind::Shared:
    return "through shared memory";
  }
  return "?";
}

std::string describe(const ConversionCounts &counts) {
  std::string text;
  auto add = [&](int64_t count, const char *noun) {
    if (count != 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  add(counts.shuffles, "shuffle");
  add(counts.moves, "move");
  add(counts.selections, "selection");
  add(counts.stores, "store");
  add(counts.barriers, "barrier");
  add(counts.loads, "load");
  return text.empty() ? "nothing" : text;
}

static double warpsOf(const Layout &layout) {
  return static_cast<double>((layout.threads() + kWarpThreads - 1) / kWarpThreads);
}

/// What the pipes need apart from waiting, and the waiting that other blocks do not hide: registers and shared memory
/// mostly leave room for half of those that threads do.
static double clocksOf(const Pools &pools, int64_t threads) {
  double alu = std::max(pools.issue / 4, pools.half / 2);
  return std::max(pools.data, alu) + 2 * pools.latency / static_cast<double>(blocksByThreads(threads));
}

/// A comparison and a select each.
static void addSelections(ConversionChoice &choice, double warps) {
  double selections = static_cast<double>(choice.counts.selections) * warps;
  choice.pools.half += 2 * selections;
  choice.pools.issue += 2 * selections;
}

static ConversionChoice inRegisters(const Layout &to, const SourceCount &count) {
  ConversionChoice choice{ConversionKind::Registers, {}, {}};
  choice.counts.moves = to.numRegisters() - count.empty;
  choice.counts.selections = count.sources - choice.counts.moves;
  addSelections(choice, warpsOf(to));
  return choice;
}

static ConversionChoice byShuffles(const Layout &to, const SourceCount &count, int64_t elementBytes) {
  ConversionChoice choice{ConversionKind::Shuffles, {}, {}};
  int64_t pieces = std::max<int64_t>(elementBytes / kShuffleBytes, 1);
  choice.counts.shuffles = count.sources * pieces;
  choice.counts.selections = count.sources - (to.numRegisters() - count.empty);
  double shuffles = static_cast<double>(choice.counts.shuffles) * warpsOf(to);
  choice.pools.data += shuffles;
  choice.pools.requests += shuffles;
  choice.pools.issue += 2 * shuffles;
  choice.pools.latency += CostConstants().shuffleLatency;
  addSelections(choice, warpsOf(to));
  return choice;
}

/// Elements that one access of a row-major tile moves under the layout.
static int64_t vectorOf(const Layout &layout, int64_t elementBytes) {
  int64_t most = std::max<int64_t>(kWidestBytes / elementBytes, 1);
  for (const Digit &digit : layout.axisDigits(layout.rank() - 1))
    if (digit.weight == 1 && digit.radix > 1)
      return digit.owner == Owner::Register ? std::gcd(digit.radix, most) : 1;
  return 1;
}

/// Threads of the block for each one that holds something of its own; `inWarp` counts those of one warp only.
static double copiesOf(const Layout &layout, bool inWarp) {
  int64_t copies = 1;
  for (const Spread &copy : layout.copies())
    if (copy.owner == Owner::Thread && (!inWarp || copy.stride < kWarpThreads))
      copies *= inWarp ? std::min(copy.radix, kWarpThreads / copy.stride) : copy.radix;
  return static_cast<double>(copies);
}

/// Adds the requests of one side. \param distinct  the part of the lanes that move bytes of their own.
static void addAccesses(Pools &pools, const Layout &layout, int64_t accesses, int64_t elementBytes, double warps,
                        double distinct) {
  double bytes = static_cast<double>(layout.numRegisters() * elementBytes) * kWarpThreads * distinct;
  double requests = static_cast<double>(accesses);
  pools.data += std::max(bytes / kWavefrontBytes, requests) * warps;
  pools.issue += 3 * requests * warps;
  pools.requests += requests * warps;
}

ConversionChoice convertThroughShared(const Layout &from, const Layout &to, int64_t elementBytes) {
  ConversionChoice choice;
  CostConstants constants;
  double warps = warpsOf(to), writing = std::max(1.0, warps / copiesOf(from, /*inWarp=*/false) * copiesOf(from, true));
  bool isScalar = from.rank() == 0;
  choice.counts.stores = from.numRegisters() / (isScalar ? 1 : vectorOf(from, elementBytes));
  choice.counts.loads = to.numRegisters() / (isScalar ? 1 : vectorOf(to, elementBytes));
  choice.counts.barriers = 1;
  // Only the first copy writes; lanes that read the same read it once.
  addAccesses(choice.pools, from, choice.counts.stores, elementBytes, writing, 1 / copiesOf(from, true));
  addAccesses(choice.pools, to, choice.counts.loads, elementBytes, warps, 1 / copiesOf(to, true));
  choice.pools.barriers += 1;
  choice.pools.latency += 60 + constants.barrierClocks(warps);
  return choice;
}

ConversionChoice chooseConversion(const Layout &from, const Layout &to, int64_t elementBytes, bool mayShuffle) {
  if (from == to)
    return {ConversionKind::Same, {}, {}};
  ConversionChoice shared = convertThroughShared(from, to, elementBytes);
  if (!mayShareWarps(from, to))
    return shared;
  double limit = clocksOf(shared.pools, to.threads());
  // The counts are cheap, the predicates are not: they are asked last.
  SourceCount count = countRegisterSources(from, to);
  ConversionChoice registers = inRegisters(to, count);
  if (clocksOf(registers.pools, to.threads()) <= limit && contains(from, to))
    return registers;
  ConversionChoice shuffles = byShuffles(to, count, elementBytes);
  if (mayShuffle && clocksOf(shuffles.pools, to.threads()) <= limit && sameWarpAtOwnCopy(from, to))
    return shuffles;
  return shared;
}

} // namespace tile
