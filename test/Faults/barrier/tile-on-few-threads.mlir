// A tile that a pin gives to four of 1024 threads, copied into the middle of a shared one: the vectors and the tail of
// the copy do not meet, so nothing asks for a barrier that only four threads would reach.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK-COUNT-2: o: 2x8192 i8, max error 0, ok
// CHECK: verdict: right
!F = memref<2749xi8, #tile.fragment>
!S = memref<8192xi8, #tile.shared>
tile.kernel @few(%x: memref<2x2749xi8>, %o: memref<2x8192xi8>) grid(%b) in (2) threads(1024) {
  %s = tile.alloc_shared : !S
  tile.fill %s with 7 : !S
  %f = tile.alloc_fragment layout(#tile.distributed<2749 = [(172 reg * 4, 4 thread * 1, 4 reg * 1)] threads 1024 copies (256 thread * 4)>) : !F
  tile.copy %x[%b, 0] to %f : memref<2x2749xi8> to !F
  tile.copy %f to %s[5010] : !F to !S
  tile.copy %s to %o[%b, 0] : !S to memref<2x8192xi8>
}
