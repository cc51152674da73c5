// ChooseIndexWidth.td - gives every index 32 bits where that is proven enough, else 64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD
#define TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD

include "mlir/Pass/PassBase.td"

def ChooseIndexWidth : Pass<"tile-choose-index-width", "::tile::simt::KernelOp"> {
  let summary = "gives every index 32 bits where that is proven enough, else 64";
  let description = [{
    Input: simt kernels. Output: the same, without values of type index: each is an i32 where its range, and that of
    everything it is computed from, is proven to fit, else an i64. `affine.apply` becomes arith operations.

    Ranges come from the number of threads, the grid, loop bounds, types and constants; sizes and strides lie in
    0 … 2^62. Divisions round as affine maps do; by a power of two they are shifts and masks, else, where the dividend
    cannot be negative, `divui` and `remui`. Sums, differences and products that are proven not to leave their width, or
    of which only memory accesses know, carry `overflow<nsw>`. The index of a memory access that needs 64 bits is a sum of what all threads share,
    computed ahead of the loops, and of an offset. Comparisons that ranges decide become constants, and their `scf.if`,
    or the `simt.check` that they prove, goes away. Parameters of type index become i64.

    Error: an operation on index that is neither affine.apply nor an integer operation of arith.

    Example (test/Transforms/choose-index-width/affine.mlir): threads(128) prove that 32 bits are enough.

    ```mlir
    %i = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 33 + d0 mod 32)>(%t)
    // %row = arith.shrsi %t, %c5 : i32      %off = arith.muli %row, %c33 overflow<nsw> : i32
    // %col = arith.andi %t, %c31 : i32      %i = arith.addi %off, %col overflow<nsw> : i32
    ```
  }];
}

#endif // TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD
