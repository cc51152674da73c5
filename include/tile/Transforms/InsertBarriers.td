// InsertBarriers.td - puts barriers and awaits between accesses to shared memory that would race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_INSERTBARRIERS_TD
#define TILE_TRANSFORMS_INSERTBARRIERS_TD

include "mlir/Pass/PassBase.td"

def InsertBarriers : Pass<"tile-insert-barriers", "::tile::simt::KernelOp"> {
  let summary = "puts a barrier between accesses to shared memory that would race";
  let description = [{
    Input: simt kernels whose shared memory is planned. Output: the same, with the barriers their hazards need.

    A hazard is a pair of accesses, one of them writing, that may touch one byte from different threads with no barrier
    between them, over back edges too. Which thread touches which byte is enumerated where addresses depend on threads
    and constant loops; otherwise every thread counts as touching all of the buffer. A barrier is put right before the
    later access, but before a loop where only accesses ahead of the loop need it, and before the outermost branch or
    loop that threads enter differently. Barriers that exist stay.

    What a thread moves with `async` counts as written when it awaits it: a `simt.await` is put where the thread itself comes
    to such bytes, and before a barrier that stands for other threads. Bytes that another trip of a loop brings are told
    apart by the distance a trip moves an address.

    Global memory that the kernel writes is treated alike between tile ops (a `simt.note` begins one); inside one tile op
    global accesses are unordered by definition. Parameters named in `restrictParameters` alias nothing; all others may
    alias. Pairs of accesses marked `simt.explicit` are the program's own affair.

    Errors: a hazard between two accesses under one condition that differs between threads; a barrier under such a
    condition.

    Example (test/Transforms/insert-barriers/exchange.mlir): each thread reads what its neighbour wrote.

    ```mlir
    simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
    // simt.barrier
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    ```
  }];
}

#endif // TILE_TRANSFORMS_INSERTBARRIERS_TD
