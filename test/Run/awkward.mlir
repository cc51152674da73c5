// Tensors with a pitch, an offset and shared memory of their own, and definitions from the command line.
// RUN: tile-run %s --device sim --dim M=5 --dim K=100 --pitch A=103 --offset A=1 --variant all | FileCheck %s
// RUN: tile-run %s --device sim --dim M=5 --dim K=100 --pitch A=104 --pitch B=200 --variant fast | FileCheck %s
// RUN: tile-run %s --device sim --dim M=5 --dim K=100 --arg B=@A | FileCheck %s
// RUN: tile-run %s --device sim --dim M=5 --dim K=100 -D THREADS=48 -DTILE=96 | FileCheck %s
// RUN: tile-run %s --device sim --dim M=5 --dim K=100 --seed 7 --arg A=iota | FileCheck %s
// RUN: %status 2 tile-run %s --device sim --dim M=5 --dim K=100 --arg B=@C | FileCheck %s --check-prefix=OTHER
// CHECK: B: 5x100 f16, max error 0, ok
// CHECK: verdict: right
// OTHER: error: found --arg B=@C; expected another tensor with memory of its own
// $THREADS = 64
// $TILE = 128
!T = memref<?x?xf16, strided<[?, 1]>>
tile.kernel @negate[%M, %K](%A[%M, %K]: !T, %B[%M, %K]: !T) grid(%bx, %by) in (%K ceildiv $TILE, %M) threads($THREADS) {
  tile.parallel (%i) in ($TILE) {
    %x = tile.load %A[%by, %bx * $TILE + %i] : !T
    %y = arith.negf %x : f16
    tile.store %y, %B[%by, %bx * $TILE + %i] : !T
  }
}
