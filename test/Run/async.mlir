// A tile in shared memory whose next use is in another trip is filled without waiting; the values stay what they are, at
// sizes that do not divide and where the tensor ends.
// RUN: tile-run %s --device sim --variant all --dim M=3 --dim N=1000 -D C=256 -D T=64 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 --dim N=76 -D C=96 -D T=48 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 --dim N=516 -D C=100 -D T=96 | FileCheck %s
// RUN: tile-run %s --emit cuda -D C=256 -D T=64 | FileCheck %s --check-prefix=CUDA
// RUN: tile-run %s --explain -D C=256 -D T=64 | FileCheck %s --check-prefix=EXPLAIN

// CHECK: ahead on simulator: ahead{{$}}
// CHECK: ahead on simulator: ahead_careful
// CHECK: verdict: right

// The careful variant, for pointers and pitches that are no multiple, moves element by element and waits.
// CUDA: void copy_async(void *to, const void *from, int bytes) {
// CUDA: __launch_bounds__(64) ahead(
// CUDA: // copy next to r
// CUDA: await_copies();
// CUDA: copy_async(&next[{{.*}}], &x[{{.*}}], 16);
// CUDA: __launch_bounds__(64) ahead_careful(
// CUDA-NOT: copy_async

// EXPLAIN: x {{ *}}global load {{ *}}cp.async.cg.shared.global 16

// $C = 256
// $T = 64
!X = memref<?x?xi32>
!Next = memref<1x$Cxi32, #tile.shared>
!Chunk = memref<1x$Cxi32, #tile.fragment>
tile.kernel @ahead[%M, %N](%x[%M, %N]: !X, %y[%M, %N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %next = tile.alloc_shared : !Next
  %r = tile.alloc_fragment : !Chunk
  tile.copy %x[%row, 0] to %next : !X to !Next
  tile.serial %k in (%N ceildiv $C) {
    tile.copy %next to %r : !Next to !Chunk
    tile.copy %x[%row, %k * $C + $C] to %next : !X to !Next
    tile.scan sum %r into %r dim 1 : !Chunk into !Chunk
    tile.copy %r to %y[%row, %k * $C] : !Chunk to !X
  }
}
