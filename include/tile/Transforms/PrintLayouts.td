// PrintLayouts.td - draws who holds each element of a tile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_PRINTLAYOUTS_TD
#define TILE_TRANSFORMS_PRINTLAYOUTS_TD

include "mlir/Pass/PassBase.td"

def PrintLayouts : Pass<"tile-print-layouts", "::mlir::ModuleOp"> {
  let summary = "draws who holds each element of a tile";
  let description = [{
    Input: any module; it is not changed. For each fragment, and each loop and copy that touches none, a table of
    thread:register of every element is printed to the standard error; for each shared tile the bank of every element, the
    first one if it has several. Tiles above 16 x 32 show their first rows and columns;
    a single long row is broken into rows of 32. Layouts that are not decided yet are
    decided on a copy, as the pipeline does it.

    Example (test/Transforms/print-layouts/print.mlir):

    ```
    @halves: r, 2x4 f32 fragment, 2x4 = [(2 thread * 2), (2 thread, 2 reg)] threads 32
             0    1    2    3
        0  0:0  0:1  1:0  1:1
        1  2:0  2:1  3:0  3:1
    ```
  }];
  let options = [
    Option<"limit", "limit", "int64_t", "232448", "bytes of shared memory that a block may use">
  ];
  let dependentDialects = ["::tile::simt::SimtDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILE_TRANSFORMS_PRINTLAYOUTS_TD
