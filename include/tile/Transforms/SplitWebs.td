// SplitWebs.td - a fragment that is written anew is another one from there on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_SPLITWEBS_TD
#define TILE_TRANSFORMS_SPLITWEBS_TD

include "mlir/Pass/PassBase.td"

def SplitWebs : Pass<"tile-split-webs", "::tile::KernelOp"> {
  let summary = "a fragment that is written anew is another one from there on";
  let description = [{
    Input: tile kernels. Output: the same, with a fragment of its own, of the same name, for each op that writes every
    element of a fragment and reads none of it, up to the next one in the same block. So each has the layout that suits
    its own uses, and a result stays known when its buffer is used again. Fragments with a pinned layout or with views
    stay one; so do those of a loop that begins a trip with what the last one left.

    Example (test/Transforms/split-webs/webs.mlir):

    ```mlir
    tile.reduce max %r into %s dim 1 : !Row into !One
    …
    tile.reduce sum %r into %s dim 1 : !Row into !One    // into %s_0, from here on
    ```
  }];
}

#endif // TILE_TRANSFORMS_SPLITWEBS_TD
