// LowerTiles.td - turns decided tile kernels into simt kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_LOWERTILES_TD
#define TILE_TRANSFORMS_LOWERTILES_TD

include "mlir/Pass/PassBase.td"

def LowerTiles : Pass<"tile-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "turns decided tile kernels into simt kernels";
  let dependentDialects = ["::tile::simt::SimtDialect"];
  let description = [{
    Input: tile kernels whose layouts are decided. Output: simt kernels, one a variant.
  }];
}

#endif // TILE_TRANSFORMS_LOWERTILES_TD
