// Simulator.h - runs simt kernels on the CPU, warp by warp: values, races, wild accesses, and what each access costs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SIMULATOR_SIMULATOR_H
#define TILE_SIMULATOR_SIMULATOR_H

#include "dialects/Simt/SimtOps.h"
#include "tile/Support/HostTensor.h"

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tile::simt {

/// What a run may be told.
struct SimulatorOptions {
  /// None: each warp runs until it waits or ends, warps and blocks in order. Else warps are interrupted at random
  /// places and blocks come in another order; a program free of races gives the same values under every seed.
  std::optional<uint64_t> seed;
  /// Warp instructions before the run is stopped as endless.
  int64_t maxSteps = 10'000'000'000;
  /// Where `simt.print` writes; null: nowhere.
  llvm::raw_ostream *print = nullptr;
  /// Look for races within a block, in shared memory and in the tensors the kernel writes. Races between blocks are not
  /// looked for.
  bool detectRaces = true;
};

/// The first thing a program did that no thread may do.
struct Fault {
  mlir::Location loc;
  std::string message;
  /// The other side of a race or of an unmatched barrier.
  std::optional<mlir::Location> otherLoc;
  std::string otherMessage;
  /// Where it happened; thread -1: in no thread in particular (before the run, or in the whole block).
  std::array<int64_t, 3> block = {0, 0, 0};
  int64_t thread = -1;
};

/// What one memory access of the program cost, over the whole run. A `simt.move` has one entry a side.
struct AccessCount {
  mlir::Location loc;
  std::string op; ///< "simt.move"
  Space space = Space::Global;
  bool store = false; ///< writes; an atomic counts as a store
  int bytesPerLane = 0;
  int64_t requests = 0; ///< warp instructions with an active lane
  // Global memory: distinct 32-byte sectors and 128-byte lines a request; the ideal is the sectors that the distinct
  // bytes would fill if they lay together.
  int64_t sectors = 0, idealSectors = 0, lines = 0;
  // Shared memory: passes over the 32 banks; the ideal is one a phase. Lanes of an atomic never share a pass in a bank.
  int64_t wavefronts = 0, idealWavefronts = 0;
};

/// The outcome of a run. Counts are up to the fault, if there is one.
struct SimulatorResult {
  std::optional<Fault> fault;
  int64_t blocks = 0;           ///< that ran to their end
  int64_t warpInstructions = 0; ///< control flow included
  int64_t barriers = 0;         ///< passed, one a block
  int64_t shuffles = 0;         ///< warp instructions
  int64_t globalLoadRequests = 0, globalLoadSectors = 0;
  int64_t globalStoreRequests = 0, globalStoreSectors = 0; ///< atomics included
  int64_t sharedWavefronts = 0, idealSharedWavefronts = 0;
  std::vector<AccessCount> accesses; ///< of global and shared memory, in program order
};

/// Runs every block of the grid, one after another, writing into the tensors of `arguments`.
///
/// A warp is 32 lanes in lockstep under a mask; the last one may be partial. Lanes of one warp are ordered where they
/// were converged in between, warps by barriers. Shared memory, registers and private arrays start out uninitialised.
///
/// \param symbols    one value a size symbol of the tile kernel.
/// \param arguments  those of the tile kernel, in order. The storage of a tensor begins at a multiple of 256 bytes.
/// \param grid       blocks along each axis of `kernel.getBlockIds()`; with a zero, nothing runs.
/// \pre `kernel` is verified. An operation that is not known, or arguments that do not fit, give a fault, never a
/// crash. Example: simulate(kernel, {1000}, {x, y}, {8}).fault -> none; y is written.
SimulatorResult simulate(KernelOp kernel, llvm::ArrayRef<int64_t> symbols, llvm::ArrayRef<HostArgument> arguments,
                         llvm::ArrayRef<int64_t> grid, const SimulatorOptions &options = {});

/// Which of the kernel's requirements these arguments do not meet, as a sentence; empty if it may run. `simulate`
/// refuses such a run; who has several variants takes the first that may.
std::string unmetRequirement(KernelOp kernel, llvm::ArrayRef<HostArgument> arguments, llvm::ArrayRef<int64_t> grid);

/// "scale.mlir:7:5: error: division by zero [block (0, 0, 0), thread 3]", then a line for the other side.
std::string toString(const Fault &fault);

} // namespace tile::simt

#endif // TILE_SIMULATOR_SIMULATOR_H
