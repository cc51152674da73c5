// AxisCost.cpp - registers, shuffles and the exchange of what works along one axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AxisCost.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/LayoutInference.h"
#include "tile/Analysis/ScanTotal.h"
#include "tile/Analysis/ThreadDigits.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Totals of more warps than these are scanned by lanes.
static constexpr int64_t kMostSerial = 8;

static double stepsOf(double lanes) {
  return llvm::Log2_64_Ceil(static_cast<uint64_t>(lanes));
}

static double warpsOf(const Layout &layout) {
  return llvm::divideCeil(layout.threadSpan(), kWarp);
}

static void addBarrier(Pools &pools, double warps) {
  CostConstants constants;
  pools.barriers += 1;
  pools.latency += constants.barrierClocks(warps) + constants.sharedLatency;
}

/// \param values  of one partial result: 2 where an index goes with it.
static OpCost costOfReduction(const Layout &layout, int axis, double values) {
  CostConstants constants;
  OpCost cost;
  double results = layout.numRegisters(), warps = warpsOf(layout), registers = layout.numRegisters(), lanes = 1;
  double partials = 1; // of each result, that meet in shared memory
  for (const Digit &digit : layout.axisDigits(axis)) {
    if (digit.owner == Owner::Register)
      results /= digit.radix;
    if (digit.owner != Owner::Thread || digit.radix <= 1)
      continue;
    int64_t inWarp = lanesInWarp(layout, digit, /*anyRadix=*/false);
    lanes *= inWarp;
    partials *= llvm::divideCeil(digit.radix, inWarp);
  }
  double shuffles = stepsOf(lanes);
  cost.pools.full = registers * warps;
  cost.pools.issue = (registers + 2 * shuffles * results) * values * warps;
  cost.pools.data = shuffles * results * values * warps;
  cost.pools.latency = constants.shuffleLatency * shuffles + 4 * registers / results;
  if (partials > 1) {
    // Each warp writes its own once, each thread reads all of them.
    cost.pools.data += (1 + partials) * results * values * warps;
    cost.pools.issue += (2 + 2 * partials) * results * values * warps;
    cost.pools.latency += 4 * partials;
    addBarrier(cost.pools, warps);
  }
  return cost;
}

static OpCost costOfArgReduce(ArgReduceOp reduce, const Layout &layout) {
  OpCost cost = costOfReduction(layout, static_cast<int>(reduce.getDim()), /*values=*/2);
  // Two comparisons and two selections an element.
  double registers = layout.numRegisters() * warpsOf(layout);
  cost.pools.half += 2 * registers;
  cost.pools.issue += 2 * registers;
  return cost;
}

/// The exchange of `slots` totals of each row; `rows` of them in the registers of a thread.
static void addExchange(Pools &pools, double slots, double first, double rows, double warps) {
  CostConstants constants;
  bool isByLanes = first > kMostSerial && first <= kWarp;
  double groups = slots / first, steps = stepsOf(first);
  double reads = isByLanes ? groups * (3 + steps) : slots;
  pools.data += (slots / first + reads) * rows * warps;
  pools.issue += (isByLanes ? groups * (8 + 4 * steps) : 3 * slots) * rows * warps;
  pools.latency += isByLanes ? constants.shuffleLatency * (steps + 1) + 4 * groups : 4 * slots;
  addBarrier(pools, warps);
}

/// Digit by digit, as the lowering takes them.
static OpCost costOfScan(ScanOp scan, const Layout &layout) {
  CostConstants constants;
  OpCost cost;
  double registers = layout.numRegisters(), warps = warpsOf(layout), rows = registers, run = 1;
  double runs = 0;             // whose totals are still apart
  double slots = 1, first = 0; // of the exchange
  bool isRun = true;
  for (const Digit &digit : layout.axisDigits(static_cast<int>(scan.getDim())))
    rows /= digit.owner == Owner::Register ? digit.radix : 1;
  for (const Digit &digit : layout.axisDigits(static_cast<int>(scan.getDim()))) {
    bool isRegister = digit.owner == Owner::Register;
    if (isRun && isRegister) {
      run *= digit.radix;
      continue;
    }
    if (isRun)
      runs = registers / run;
    isRun = false;
    double rest = digit.radix;
    if (first == 0 && isRegister) { // each total is said by the last lane
      cost.pools.data += runs * warps;
      cost.pools.issue += 4 * runs * warps;
      cost.pools.latency += constants.shuffleLatency + 4 * rest;
      runs /= rest;
      continue;
    }
    if (first == 0) {
      double lanes = static_cast<double>(lanesInWarp(layout, digit, /*anyRadix=*/true));
      double steps = stepsOf(lanes);
      cost.pools.data += steps * runs * warps;
      cost.pools.issue += 4 * steps * runs * warps;
      cost.pools.latency += (constants.shuffleLatency + 8) * steps;
      rest = llvm::divideCeil(digit.radix, static_cast<int64_t>(lanes));
      first = rest > 1 ? rest : 0;
    }
    slots *= rest;
  }
  if (first > 0)
    addExchange(cost.pools, slots, first, rows, warps);
  // Once for the totals, once for the results, which 16-bit elements are rounded to.
  double walks = isRun ? 1 : 2;
  bool isNarrow = scan.getSourceType().getElementType().getIntOrFloatBitWidth() < 32;
  cost.pools.full += walks * registers * warps;
  cost.pools.half += (isNarrow ? registers : 0) * warps;
  cost.pools.issue += (walks + (isNarrow ? walks + 1 : 0)) * registers * warps;
  cost.pools.latency += 4 * walks * run;
  return cost;
}

/// A reduction that takes what a scan knows: one combination a result.
static OpCost costOfTotal(const Layout &result) {
  OpCost cost;
  cost.pools.full = cost.pools.issue = result.numRegisters() * warpsOf(result);
  cost.pools.latency = 4;
  return cost;
}

OpCost tile::costAlongAxis(Operation *op, const Layout &layout) {
  if (auto scan = dyn_cast<ScanOp>(op))
    return costOfScan(scan, layout);
  if (auto reduce = dyn_cast<ArgReduceOp>(op))
    return costOfArgReduce(reduce, layout);
  auto reduce = cast<ReduceOp>(op);
  int axis = static_cast<int>(reduce.getDim());
  return scanOfTotal(reduce) ? costOfTotal(reducedLayout(layout, axis)) : costOfReduction(layout, axis, /*values=*/1);
}
