// ChooseIndexWidth.td - gives every index 32 bits where that is proven enough, else 64.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD
#define TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD

include "mlir/Pass/PassBase.td"

def ChooseIndexWidth : Pass<"tile-choose-index-width", "::tile::simt::KernelOp"> {
  let summary = "gives every index 32 bits where that is proven enough, else 64";
  let description = [{
    Input: simt kernels. Output: the same, without values of type index.
  }];
}

#endif // TILE_TRANSFORMS_CHOOSEINDEXWIDTH_TD
