// Explain.h - every decision of the compiler about one kernel, as a table and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_COMPILER_EXPLAIN_H
#define TILE_COMPILER_EXPLAIN_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// One memory access of the final kernel, for a full warp whose points are all in range. Empty figures do not apply.
struct AccessLine {
  int64_t line = 0;
  std::string op;     ///< "simt.move"
  std::string buffer; ///< the user's name
  std::string space;  ///< "global" or "shared"
  std::string kind;   ///< "load", "store", "atomic"
  std::string instruction;
  std::optional<int64_t> bytesPerThread;
  std::optional<int64_t> sectors, idealSectors;
  std::optional<int64_t> wavefronts, idealWavefronts;
  std::vector<std::string> guards;
  std::string why;
};

/// The layout of one buffer.
struct LayoutLine {
  std::string buffer;
  int64_t line = 0;
  std::string space;
  std::string layout;
  /// Of shared tiles: wavefronts of all accesses of a block, and those without any bank conflict. Of fragments and
  /// loops: clocks that a multiprocessor spends on a block under the whole solution.
  std::optional<double> cost, ideal;
  std::optional<std::string> runnerUp;
  std::optional<double> runnerUpCost;
  std::string why;
};

/// Data moved because two ops want different layouts.
struct ConversionLine {
  int64_t line = 0;
  std::string buffer;
  std::string kind;             ///< "registers", "shuffles", "through shared memory"
  std::string instructions;     ///< of one thread: "8 shuffles, 4 selections"
  std::optional<double> cost;   ///< its part of the clocks of a block
  std::vector<int64_t> between; ///< lines of the two accesses that disagree
};

/// Where a fragment waits that would live in more registers than a block has to spare.
struct ResidencyLine {
  int64_t line = 0;
  std::string buffer;
  int64_t registers = 0; ///< it would take, of each thread
  int64_t passes = 0;    ///< over the rows
  int64_t chunk = 0;     ///< elements of a row at a time
  /// Elements of a row of what was copied: held in shared memory, in registers, and read again in each pass.
  int64_t shared = 0, held = 0, again = 0;
};

/// A reduction that takes the total of a scan beside it.
struct TotalLine {
  int64_t line = 0;
  std::string buffer; ///< the reduction's target
  int64_t scan = 0;   ///< the scan's line
};

/// What of a device decides about the regime of a launch; by itself the one the cost model was measured on, an H200.
struct DeviceSize {
  int64_t multiprocessors = 132;
  int64_t l2Bytes = int64_t(50) << 20;
};

/// What the compiler decided about one kernel; `--explain` prints it.
struct Explanation {
  std::string kernel;
  std::string arch;
  int64_t threads = 0;
  int64_t sharedBytes = 0;
  /// From the compiler of the CUDA text; nothing without one.
  std::optional<int64_t> registers, spillBytes;
  /// What decides about the time of a block, as the cost model sees it: "memory bandwidth"; registers that NVRTC
  /// spilled come first. The regime needs the sizes of a launch.
  /// Which block index changes first, and why; for grids of several axes.
  std::optional<std::string> blockOrder;
  std::optional<std::string> regime, limitedBy;
  std::optional<int64_t> residentBlocks; ///< of one multiprocessor
  std::vector<AccessLine> accesses;
  std::vector<LayoutLine> layouts;
  std::vector<ConversionLine> conversions;
  std::vector<TotalLine> totals;
  std::vector<ResidencyLine> residency;

  /// Adds what the compiler of the CUDA text said.
  void setResources(int64_t registerCount, int64_t spilledBytes);
  /// Finds the regime of a launch of so many blocks on tensors of so many bytes: too few blocks to fill the device,
  /// data that the L2 holds, or enough of both.
  void setLaunch(int64_t blocks, int64_t bytes, const DeviceSize &device = {});

  llvm::json::Value toJson() const;
  void print(llvm::raw_ostream &os) const;
};

} // namespace tile

#endif // TILE_COMPILER_EXPLAIN_H
