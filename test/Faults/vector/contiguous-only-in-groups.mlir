// Indices that are contiguous only from the start of a group on, built by arith: nothing wider than the group is moved.
// RUN: tile-run %s --device sim --variant all --arg x=iota | FileCheck %s
// CHECK: y: 32x16 f32, max error 0, ok
// CHECK: z: 32x16 f32, max error 0, ok
// CHECK: verdict: right
!T = memref<32x16xf32>
tile.kernel @groups(%x: memref<1024xf32>, %y: !T, %z: !T) grid(%g) in (1) threads(64) {
  %two = arith.constant 2 : index
  %sixteen = arith.constant 16 : index
  tile.parallel (%r, %c) in (32, 16) {
    %q = arith.divui %r, %sixteen : index
    %p = arith.shli %two, %q : index
    %m = arith.remui %r, %p : index
    %v = tile.load %x[%m * 16 + %c] : memref<1024xf32>
    tile.store %v, %y[%r, %c] : !T
  }
  tile.parallel (%r, %c) in (32, 16) {
    %v = tile.load %x[(%r mod 6) * 16 + (%c floordiv 3) mod 4 + (%r floordiv 6) mod 2] : memref<1024xf32>
    tile.store %v, %z[%r, %c] : !T
  }
}
