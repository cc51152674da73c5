// ExpandCopies.td - turns copies and fills into loops over their points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_EXPANDCOPIES_TD
#define TILE_TRANSFORMS_EXPANDCOPIES_TD

include "mlir/Pass/PassBase.td"

def ExpandCopies : Pass<"tile-expand-copies", "::tile::KernelOp"> {
  let summary = "turns copies and fills into loops over their points";
  let dependentDialects = ["::tile::simt::SimtDialect"];
  let description = [{
    Input: tile kernels whose layouts are decided. Output: the same without copy and fill, but conversions between
    fragments; private arrays get loops of each thread, everything else parallel loops under the copy's layout.
  }];
}

#endif // TILE_TRANSFORMS_EXPANDCOPIES_TD
