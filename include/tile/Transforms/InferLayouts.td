// InferLayouts.td - chooses who holds and who computes each element of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_INFERLAYOUTS_TD
#define TILE_TRANSFORMS_INFERLAYOUTS_TD

include "mlir/Pass/PassBase.td"

def InferLayouts : Pass<"tile-infer-layouts", "::tile::KernelOp"> {
  let summary = "chooses who holds and who computes each element of a tile";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let description = [{
    Input: tile kernels. Output: the same, with a `layout` on every fragment, parallel loop, copy, fill and reduction.
    Pins of the user's stay as they are.
  }];
  let options = [
    Option<"printSolutions", "print-solutions", "bool", "false",
           "print every solution that was compared and what it costs, the best first">
  ];
}

#endif // TILE_TRANSFORMS_INFERLAYOUTS_TD
