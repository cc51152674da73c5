// AssignSharedLayouts.td - chooses the layout of every shared tile by the exact bank model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_ASSIGNSHAREDLAYOUTS_TD
#define TILE_TRANSFORMS_ASSIGNSHAREDLAYOUTS_TD

include "mlir/Pass/PassBase.td"

def AssignSharedLayouts : Pass<"tile-assign-shared-layouts", "::tile::KernelOp"> {
  let summary = "chooses the layout of every shared tile by the exact bank model";
  let description = [{
    Input: tile kernels after expand-copies: every access is a loop's, the user's or a reduction's. Output: the same, with
    a `layout` on every `tile.alloc_shared`, conversions' staging tiles included. Pins of the user's stay as they are.

    The accesses are not guessed: a copy of the kernel is lowered as lower-tiles will do it, with rows rounded so that no
    vector is cut, and the 32 addresses of each access are evaluated in a spread of warps and trips. A tile with an access
    whose address depends on data stays linear. Each decision is a remark with its wavefronts, those without any
    conflict, the runner-up and the reason it is not better.

    Example (test/Transforms/assign-shared-layouts/transpose.mlir): rows are written, columns are read.

    ```mlir
    %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 9>) : memref<32x32xf32, #tile.shared>
    ```
  }];
  let options = [
    Option<"limit", "limit", "int64_t", "232448", "bytes of shared memory that a block may use">
  ];
  let dependentDialects = ["::tile::simt::SimtDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILE_TRANSFORMS_ASSIGNSHAREDLAYOUTS_TD
