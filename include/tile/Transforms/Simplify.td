// Simplify.td - folds index arithmetic and trivial control flow, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_SIMPLIFY_TD
#define TILE_TRANSFORMS_SIMPLIFY_TD

include "mlir/Pass/PassBase.td"

def Simplify : Pass<"tile-simplify", "::tile::simt::KernelOp"> {
  let summary = "folds index arithmetic and trivial control flow, and nothing else";
  let description = [{
    Input: simt kernels. Output: the same values, bit for bit. Affine maps are composed, operations on index values and
    conditions are folded, loops of one trip and branches of a known condition disappear. Floats are left alone: MLIR's
    canonicalizer folds transcendentals with the host's library and merges conversions that round twice.

    Example: `affine.apply affine_map<(d0) -> (d0 * 4)>(%c2)` becomes the constant 8; `math.exp2` of a constant stays.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILE_TRANSFORMS_SIMPLIFY_TD
