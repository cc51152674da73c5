// ChooseResidency.td - rows too long for the registers are held elsewhere, or read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_CHOOSERESIDENCY_TD
#define TILE_TRANSFORMS_CHOOSERESIDENCY_TD

include "mlir/Pass/PassBase.td"

def ChooseResidency : Pass<"tile-choose-residency", "::tile::KernelOp"> {
  let summary = "rows too long for the registers are held elsewhere, or read again";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::tile::simt::SimtDialect"];
  let description = [{
    Input: tile kernels as they were written. Output: the same, with loops over chunks in place of ops on fragments that
    would live in more registers than a block has to spare (kMostWords; kMostRaggedWords for rows at odd pitches;
    kMostWordsOfThread), where the ops allow it (RowPhases.h) and chunks take less: what a copy
    brings from a tensor waits in shared memory as far as that goes, then in registers, as the tensor's type; the rest is
    read again. What was computed from it is computed anew. A pinned layout keeps a fragment in registers.

    Example (test/Transforms/choose-residency/softmax.mlir): a softmax of rows of 131072 with 1024 threads becomes three
    loops over chunks of 8192, 12 of 16 held in shared memory and 4 in registers.
  }];
  let options = [Option<"sharedLimit", "shared-limit", "int64_t", "232448", "bytes of shared memory a block may use">];
}

#endif // TILE_TRANSFORMS_CHOOSERESIDENCY_TD
