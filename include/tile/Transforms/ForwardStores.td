// ForwardStores.td - what a thread has just written to shared memory it does not read back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_FORWARDSTORES_TD
#define TILE_TRANSFORMS_FORWARDSTORES_TD

include "mlir/Pass/PassBase.td"

def ForwardStores : Pass<"tile-forward-stores", "::tile::simt::KernelOp"> {
  let summary = "what a thread has just written to shared memory it does not read back";
  let description = [{
    Input: simt kernels, shared buffers without places. Output: the same, in which a load of a shared element that the
    same thread stored before, in the same block of the text, is the value stored. Between the two nothing writes the
    buffer, and no thread waits for another. The store stays: others may read it.

    Example (test/Transforms/forward-stores/forward.mlir):

    ```mlir
    simt.store %v, %s[%tid : index] : f32, memref<64xf32, #simt.shared>
    %r = simt.load %s[%tid : index] : memref<64xf32, #simt.shared> -> f32
    // %r is %v
    ```
  }];
}

#endif // TILE_TRANSFORMS_FORWARDSTORES_TD
