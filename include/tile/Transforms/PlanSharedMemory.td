// PlanSharedMemory.td - gives every shared buffer its place in the block's arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_PLANSHAREDMEMORY_TD
#define TILE_TRANSFORMS_PLANSHAREDMEMORY_TD

include "mlir/Pass/PassBase.td"

def PlanSharedMemory : Pass<"tile-plan-shared-memory", "::tile::simt::KernelOp"> {
  let summary = "gives every shared buffer its place in the block's arena";
  let description = [{
    Input: simt kernels. Output: the same, with `at` on every `simt.shared` and `sharedBytes` on the kernel.

    A buffer is live from its first access to its last, views included, and over the whole of every loop that it outlives
    and of every branch that threads enter differently. Buffers that are never alive together may hold the same bytes;
    insert-barriers keeps their accesses apart afterwards. Accesses marked `simt.explicit` are ordered by the program:
    two buffers with such accesses share only where a barrier of the program already stands between. Largest first, each
    buffer at the lowest free place.

    Example (test/Transforms/plan-shared-memory/share.mlir, always-reuse): a and b are live together, c is used when a is
    dead.

    ```mlir
    %a = simt.shared : memref<256xf32, #simt.shared>    // at 0
    %b = simt.shared : memref<64xf32, #simt.shared>     // at 1024
    %c = simt.shared : memref<128xf32, #simt.shared>    // at 0
    ```
  }];
  let options = [
    Option<"limit", "limit", "int64_t", "232448", "bytes of shared memory that a block may use">,
    Option<"alwaysReuse", "always-reuse", "bool", "false", "use as few bytes as possible, whatever barriers that costs">
  ];
}

#endif // TILE_TRANSFORMS_PLANSHAREDMEMORY_TD
