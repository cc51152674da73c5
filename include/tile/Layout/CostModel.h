// CostModel.h - how long a block takes: resources it uses up, and the clocks that follow from them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A multiprocessor has a few pipes that work side by side. A block needs a number of clocks of each; these *pools* are
// sums over everything it executes. With many blocks resident the fullest pipe decides; with few, the time one block
// needs on its own. Both are joined by a smooth maximum:
//
//     thru  = max(data, path, l2, dram, alu, start)      alone = 900 + latency + data + alu
//     clocks a block = cbrt(thru^3 + (alone / resident)^3) + a little of what runs under the fullest pipe
//
#ifndef TILE_LAYOUT_COSTMODEL_H
#define TILE_LAYOUT_COSTMODEL_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace tile {

/// What one block uses up. Additive.
struct Pools {
  double data = 0;    ///< clocks of the pipe that serves the L1 cache, shared memory and shuffles
  double path = 0;    ///< clocks of the way to the L2 cache
  double l2 = 0;      ///< clocks of bytes read again
  double dram = 0;    ///< clocks of bytes moved once
  double issue = 0;   ///< warp instructions
  double half = 0;    ///< warp instructions at half rate: min, max, integer, logic, narrowing conversions
  double full = 0;    ///< warp instructions at full rate
  double special = 0; ///< warp instructions of the special function unit: ex2, rcp, rsqrt
  double latency = 0; ///< clocks of steps that wait for each other
  double barriers = 0;
  double requests = 0; ///< memory instructions of warps, and shuffles of conversions

  Pools &operator+=(const Pools &other);
  Pools operator*(double times) const;
};

/// What bounds how many blocks a multiprocessor holds.
struct BlockShape {
  int64_t threads = 128;
  int64_t registers = 0; ///< 32-bit registers a thread holds data in, besides those every kernel needs
  int64_t sharedBytes = 0;
};

/// Blocks of so many threads that a multiprocessor holds, as far as threads go.
int64_t blocksByThreads(int64_t threads);

/// Which pool decides.
enum class Limit { Data, Path, L2, Dram, Alu, Start, Latency };
/// "memory bandwidth", as the report names it.
std::string_view describe(Limit limit);

struct BlockTime {
  double clocks = 0;   ///< of one multiprocessor, for each block
  double resident = 0; ///< blocks at a time
  Limit limit = Limit::Dram;
};

/// The measured constants: one H200 at 1.98 GHz. `benchmark/calibrate.py` measures them again; `namedConstants` says
/// what each one is.
struct CostConstants {
  double lineClocks = 1.3, sectorClocks = 1.5;
  double dramBytes = 16.2, dramBytesOneWay = 17.6;
  double l2Bytes = 33;
  double hitClocks = 1.4;
  double issueClocks = 0.25, halfClocks = 0.5, fullClocks = 0.25, specialClocks = 2;
  double startClocks = 160, startClocksLarge = 188;
  double aloneClocks = 900;
  double shuffleLatency = 30, barrierLatency = 12, barrierLatencyPerWarp = 2, barrierWait = 30, sharedLatency = 29;
  double shortRuns32 = 1.45, shortRuns16 = 8;
  double overlap = 0.08;
  int64_t baseRegisters = 26;

  /// What a barrier makes each of so many warps wait.
  double barrierClocks(double warps) const { return barrierLatency + barrierLatencyPerWarp * warps + barrierWait; }
  /// What a store of runs of so many bytes costs in memory traffic, relative to long ones.
  double shortRunFactor(double bytes) const { return bytes >= 64 ? 1 : bytes >= 32 ? shortRuns32 : shortRuns16; }
};

/// One of them, for reports.
struct NamedConstant {
  std::string_view name; ///< that of the member
  double value;
  std::string_view unit;
  std::string_view meaning;
};
/// All of them, in the order of the struct.
std::vector<NamedConstant> namedConstants(const CostConstants &constants = {});

BlockTime blockTime(const Pools &pools, const BlockShape &shape, const CostConstants &constants = {});

} // namespace tile

#endif // TILE_LAYOUT_COSTMODEL_H
