// Emitter.h - prints final simt kernels as CUDA C for NVRTC.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TARGET_CUDA_EMITTER_H
#define TILE_TARGET_CUDA_EMITTER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace tile::cuda {

/// Grids of at most so many blocks wait for their turn themselves and may start early. In larger ones what a block
/// takes longer to begin is more than a launch gains (docs/rationale.md).
inline constexpr int kMostAwaitingBlocks = 2048;

/// How the text is written; what it means never depends on this.
struct EmitOptions {
  /// `#line N "file"` before every statement whose op has a place in a file.
  bool lineDirectives = false;
};

/// Shared bytes up to here are a static array; more are dynamic, and the launch must pass them.
inline constexpr int64_t kStaticSharedLimit = 49152;

/// Prints every simt kernel of the module as one text of CUDA C that includes nothing.
///
/// The text is a function of the IR alone: one op is one construct, and nothing is decided here. It expects NVRTC's
/// `--fmad=false --std=c++17` and compute capability 8.0 or newer. Pure values with one use are printed inside the
/// expression that uses them, others become constants under the user's names.
///
/// An op or type without a CUDA form is an error at its location, never wrong text; `os` then holds nothing.
/// Input: kernels after plan-shared-memory. Values of type `index` print as `long long`.
mlir::LogicalResult emitCuda(mlir::ModuleOp module, llvm::raw_ostream &os, const EmitOptions &options = {});

/// The C name of every kernel, in the order of the module: its own where C allows it, else a readable relative.
///
/// Example: `@gemm` -> `gemm`, `@max` -> `max_1`, `@a.b` -> `a_b`.
std::vector<std::string> kernelNames(mlir::ModuleOp module);

} // namespace tile::cuda

#endif // TILE_TARGET_CUDA_EMITTER_H
