// JoinLoads.td - reads neighbouring elements of shared memory in unrolled loops as vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_JOINLOADS_TD
#define TILE_TRANSFORMS_JOINLOADS_TD

include "mlir/Pass/PassBase.td"

def JoinLoads : Pass<"tile-join-loads", "::tile::simt::KernelOp"> {
  let summary = "reads neighbouring elements of shared memory in unrolled loops as vectors";
  let description = [{
    Input: simt kernels whose indices are affine. Output: the same, in which an unrolled loop that loads, trip after trip,
    neighbouring elements of shared memory is two: the outer one moves a vector of 2 to 16 bytes to registers, the inner
    one takes its elements. The address of each vector is a multiple of its width, whatever the thread; nothing in the
    loop writes shared memory or waits. The C compiler would join these loads: here it is said what runs.

    Example (test/Transforms/join-loads/join.mlir):

    ```mlir
    scf.for %j = %c0 to %c32 step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 32)>(%j)[%tid]
      %x = simt.load %s[%at : index] : memref<1024xf32, #simt.shared> -> f32
    } {simt.unroll}
    // scf.for %j = %c0 to %c32 step %c4 {
    //   %r = simt.registers : memref<4xf32, #simt.register>
    //   simt.move %s[%at : index] to %r[%c0 : index] bytes 16
    //   scf.for %k = %c0 to %c4 step %c1 {
    //     %x = simt.load %r[%k : index] : memref<4xf32, #simt.register> -> f32
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

#endif // TILE_TRANSFORMS_JOINLOADS_TD
