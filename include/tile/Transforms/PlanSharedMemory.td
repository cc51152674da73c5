// PlanSharedMemory.td - gives every shared buffer its place in the block's arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_PLANSHAREDMEMORY_TD
#define TILE_TRANSFORMS_PLANSHAREDMEMORY_TD

include "mlir/Pass/PassBase.td"

def PlanSharedMemory : Pass<"tile-plan-shared-memory", "::tile::simt::KernelOp"> {
  let summary = "gives every shared buffer its place in the block's arena";
  let description = [{
    Input: simt kernels. Output: the same, with `at` on every `simt.shared` and `sharedBytes` on the kernel.
  }];
}

#endif // TILE_TRANSFORMS_PLANSHAREDMEMORY_TD
