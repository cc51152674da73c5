// LowerTiles.td - turns decided tile kernels into simt kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_LOWERTILES_TD
#define TILE_TRANSFORMS_LOWERTILES_TD

include "mlir/Pass/PassBase.td"

def LowerTiles : Pass<"tile-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "turns decided tile kernels into simt kernels";
  let dependentDialects = ["::tile::simt::SimtDialect"];
  let options = [Option<"checked", "checked", "bool", /*default=*/"false",
                        "test indices of tiles, divisors and assertions where they are used">];
  let description = [{
    Input: tile kernels whose layouts are decided. Output: simt kernels, one a variant.

    With `checked`, a `simt.check` stands before each access of a tile whose index is not proven inside, before each
    integer division that is not proven to have a result, and in place of each assertion.

    Example (test/Transforms/lower-tiles/checked.mlir):

    ```mlir
    tile.store %x, %s[%n] : memref<8xf32, #tile.shared>
    // simt.check %inside, "accesses element … of shared tile %s, whose shape is [8]"(%n : index)
    ```
  }];
}

#endif // TILE_TRANSFORMS_LOWERTILES_TD
