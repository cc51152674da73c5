// InsertConversions.td - puts a copy through shared memory where two layouts disagree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_INSERTCONVERSIONS_TD
#define TILE_TRANSFORMS_INSERTCONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def InsertConversions : Pass<"tile-insert-conversions", "::tile::KernelOp"> {
  let summary = "puts a copy through shared memory where two layouts disagree";
  let description = [{
    Input: tile kernels with a layout on every fragment and loop. Output: the same, in which every access to a fragment
    names a register of the thread that makes it.
  }];
}

#endif // TILE_TRANSFORMS_INSERTCONVERSIONS_TD
