// HoldWords.td - keeps narrow values that live across a barrier packed in their words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_HOLDWORDS_TD
#define TILE_TRANSFORMS_HOLDWORDS_TD

include "mlir/Pass/PassBase.td"

def HoldWords : Pass<"tile-hold-words", "::tile::simt::KernelOp"> {
  let summary = "keeps narrow values that live across a barrier packed in their words";
  let description = [{
    Input: simt kernels with their barriers. Output: the same, with a `simt.hold` of registers of less than 32 bits an
    element behind the last barrier between two reads of them, if nothing writes them in between; a loop's next trip
    comes behind its last operation.

    The C compiler keeps a value that it computes twice. What it computes from a bf16 is an f32, so a row of bf16 that is
    summed, waits at a barrier and is scaled would wait as f32, in twice the registers. Behind a hold its conversions are
    computed anew, which costs an instruction an element and a barrier.

    Example (test/Transforms/hold-words/phases.mlir):

    ```mlir
    %a = simt.load %r[%i : index] : memref<16xbf16, #simt.register> -> bf16
    simt.barrier
    // simt.hold %r : memref<16xbf16, #simt.register>
    %b = simt.load %r[%i : index] : memref<16xbf16, #simt.register> -> bf16
    ```
  }];
}

#endif // TILE_TRANSFORMS_HOLDWORDS_TD
