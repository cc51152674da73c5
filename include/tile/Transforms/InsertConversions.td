// InsertConversions.td - converts fragments where two layouts disagree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_INSERTCONVERSIONS_TD
#define TILE_TRANSFORMS_INSERTCONVERSIONS_TD

include "mlir/Pass/PassBase.td"

def InsertConversions : Pass<"tile-insert-conversions", "::tile::KernelOp"> {
  let summary = "converts fragments where two layouts disagree: in registers, by shuffles, through shared memory";
  let description = [{
    Input: tile kernels with a layout on every fragment and loop. Output: the same, in which every access to a fragment
    names a register of the thread that makes it.

    The op works on a second fragment, or on a shared tile, that copies fill and carry back. A copy between two
    fragments that moves and shuffles do is marked `conversion`, and no loop is made of it.

    Example (test/Transforms/insert-conversions/kinds.mlir):

    ```mlir
    %a_1 = tile.alloc_fragment layout(…) : memref<64xf32, #tile.fragment>
    tile.copy %a to %a_1 layout(…) {conversion} : memref<64xf32, #tile.fragment> to memref<64xf32, #tile.fragment>
    ```
  }];
}

#endif // TILE_TRANSFORMS_INSERTCONVERSIONS_TD
