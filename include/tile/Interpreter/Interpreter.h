// Interpreter.h - runs tile programs on the CPU: the reference every other way of running them is compared with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_INTERPRETER_INTERPRETER_H
#define TILE_INTERPRETER_INTERPRETER_H

#include "dialects/Tile/TileOps.h"
#include "tile/Support/HostTensor.h"

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// What a run may be told.
struct InterpreterOptions {
  /// Run only these blocks, in this order (missing axes are 0); empty: every block of the grid.
  std::vector<std::array<int64_t, 3>> blocks;
  /// Operations (and elements moved by whole-tile operations) before the run is stopped as endless.
  int64_t maxSteps = 100'000'000'000;
  /// Where `tile.print` writes; null: nowhere.
  llvm::raw_ostream *printStream = nullptr;
};

/// The first thing a program did that the language forbids.
struct Fault {
  mlir::Location loc;
  std::string message;
};

/// Runs the blocks of the grid one after another (first axis fastest), writing into the tensors of `arguments`.
///
/// One tile operation at a time, in logical coordinates; layouts, pins and `fastmath` change nothing. Outside
/// `parallel`, the threads of the block run in lockstep under masks; inside, the points run one after another in
/// row-major order. Tiles start out unwritten. See docs/language.md for what is a fault.
///
/// \param symbols    one value a size symbol.
/// \param arguments  one a kernel argument, in order; tensors of the right type, rank and extents, else a fault.
/// \returns the first fault, or nothing; what was written before the fault stays written.
/// \pre `kernel` is verified. An operation the interpreter does not know is a fault, never a crash.
/// Example: interpret(kernel, {1000}, {x, y}).
std::optional<Fault> interpret(KernelOp kernel, llvm::ArrayRef<int64_t> symbols, llvm::ArrayRef<HostArgument> arguments,
                               const InterpreterOptions &options = {});

/// The place of a fault and its text: "scale.mlir:7:5: error: division by zero".
std::string toString(const Fault &fault);

/// File, line and column behind a location (names and call sites unwrapped): "scale.mlir:7:5"; "-" if there is none.
std::string toString(mlir::Location loc);

} // namespace tile

#endif // TILE_INTERPRETER_INTERPRETER_H
