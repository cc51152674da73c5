// FuseMultiplyAdd.td - makes one operation of a product and the sum that takes it, where both allow `contract`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_FUSEMULTIPLYADD_TD
#define TILE_TRANSFORMS_FUSEMULTIPLYADD_TD

include "mlir/Pass/PassBase.td"

def FuseMultiplyAdd : Pass<"tile-fuse-multiply-add", "::tile::simt::KernelOp"> {
  let summary = "makes one operation of a product and the sum that takes it, where both allow `contract`";
  let description = [{
    Input: simt kernels. Output: the same, in which a product whose one use is a sum or a difference is `math.fma` with
    it, if both operations carry the flag `contract`. The C compiler is told to fuse nothing: what is fused stands here.
    Which products are fused depends on the program alone. Of two products in one sum the left one is fused.

    Example (test/Transforms/fuse-multiply-add/types.mlir):

    ```mlir
    %p = arith.mulf %a, %b fastmath<contract> : f32
    %r = arith.addf %p, %c fastmath<contract> : f32
    // %r = math.fma %a, %b, %c fastmath<contract> : f32
    ```
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
}

#endif // TILE_TRANSFORMS_FUSEMULTIPLYADD_TD
