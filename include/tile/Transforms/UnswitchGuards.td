// UnswitchGuards.td - loops whose guards are one question in front have a version without them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_UNSWITCHGUARDS_TD
#define TILE_TRANSFORMS_UNSWITCHGUARDS_TD

include "mlir/Pass/PassBase.td"

def UnswitchGuards : Pass<"tile-unswitch-guards", "::tile::simt::KernelOp"> {
  let summary = "loops whose guards are one question in front have a version without them";
  let description = [{
    Input: simt kernels with their barriers, indices in affine form. Output: the same, with every outermost loop that is not
    unrolled, has no barrier and no shuffle, and guards accesses to tensors by questions that change from trip to trip, in
    two versions: the one without these guards runs where all of them hold in every trip. That is one question in front of
    the loop, because an index that grows or falls with the loops' variables is largest in their first or last trips. What
    depends on the trip is asked for all threads at once, so that the threads of a warp take the same way; what does not is
    asked for each. Guards that would be another question, or that give a value, stay in both versions.

    A load behind a question waits for the answer, and the C compiler does not gather such loads in front of what uses them.

    Example (test/Transforms/unswitch-guards/loops.mlir):

    ```mlir
    scf.for %k = %c0 to %c31 step %c1 {
      %row = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0)>(%k)[%first]
      %is_inside = arith.cmpi slt, %row, %M : index
      scf.if %is_inside { … }
    }
    // %last = affine.apply affine_map<()[s0] -> (s0 + 480)>()[%first]
    // %all = arith.cmpi slt, %last, %M : index
    // scf.if %all { the loop, without its question } else { the loop }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILE_TRANSFORMS_UNSWITCHGUARDS_TD
