// Probe.h - one scalar operation, run on the card and on the scalar library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_BENCHMARK_NUMERICS_PROBE_H
#define TILE_BENCHMARK_NUMERICS_PROBE_H

#include "tile/Support/ScalarType.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// An operation as a body of one point, its types, and what the scalar library says of it.
struct Probe {
  std::string name;
  std::vector<ScalarType> operands;
  ScalarType result = ScalarType::F32;
  std::string body;        ///< MLIR: %x0, %x1, … to %r; empty for a copy that casts
  bool mustBeExact = true; ///< every bit; otherwise the error is measured
  std::function<std::optional<uint64_t>(const uint64_t *)> reference; ///< nothing where the operation faults
};

/// Every probe of the support table and of the cast table.
std::vector<Probe> allProbes();

/// What came of one probe.
struct Outcome {
  int64_t inputs = 0, wrong = 0;
  double largestUlps = 0, largestRelative = 0;
  std::string worst; ///< operands, got, expected, of the worst input
};

/// Compares results bit for bit (NaN equals NaN), or by distance.
Outcome compare(const Probe &probe, const std::vector<std::vector<uint64_t>> &operands,
                const std::vector<uint64_t> &results);

/// Inputs: all values of 8- and 16-bit types for one operand, else `count` that favour corners.
std::vector<std::vector<uint64_t>> inputsOf(const Probe &probe, int64_t count);

} // namespace tile

#endif // TILE_BENCHMARK_NUMERICS_PROBE_H
