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
  /// Wavefronts of all accesses of a block; those without any bank conflict.
  std::optional<double> cost, ideal;
  std::optional<std::string> runnerUp;
  std::optional<double> runnerUpCost;
  std::string why;
};

/// Data moved because two ops want different layouts.
struct ConversionLine {
  int64_t line = 0;
  std::string buffer;
  std::string kind;
  std::optional<double> cost;
  std::vector<int64_t> between; ///< lines of the two places
};

/// What the compiler decided about one kernel; `--explain` prints it.
struct Explanation {
  std::string kernel;
  std::string arch;
  int64_t threads = 0;
  int64_t sharedBytes = 0;
  /// From the compiler of the CUDA text; nothing without one.
  std::optional<int64_t> registers, spillBytes;
  std::optional<std::string> regime, limitedBy;
  std::vector<AccessLine> accesses;
  std::vector<LayoutLine> layouts;
  std::vector<ConversionLine> conversions;

  llvm::json::Value toJson() const;
  void print(llvm::raw_ostream &os) const;
};

} // namespace tile

#endif // TILE_COMPILER_EXPLAIN_H
