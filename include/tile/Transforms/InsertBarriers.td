// InsertBarriers.td - puts a barrier between accesses to shared memory that would race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_INSERTBARRIERS_TD
#define TILE_TRANSFORMS_INSERTBARRIERS_TD

include "mlir/Pass/PassBase.td"

def InsertBarriers : Pass<"tile-insert-barriers", "::tile::simt::KernelOp"> {
  let summary = "puts a barrier between accesses to shared memory that would race";
  let description = [{
    Input: simt kernels whose shared memory is planned. Output: the same, with the barriers their hazards need.
  }];
}

#endif // TILE_TRANSFORMS_INSERTBARRIERS_TD
