// A reduction over a tile that was given another shape sees the elements in row-major order.
// RUN: tile-run %s --device sim --variant all --arg x=iota | FileCheck %s
// CHECK: o: 32 i32, max error 0, ok
// CHECK: verdict: right
!S = memref<128x32xi32, #tile.shared>
!R = memref<32x128xi32, #tile.shared>
!F = memref<32xi32, #tile.fragment>
tile.kernel @turn(%x: memref<128x32xi32>, %o: memref<32xi32>) grid(%g) in (1) threads(96) {
  %s = tile.alloc_shared : !S
  %f = tile.alloc_fragment : !F
  tile.copy %x to %s : memref<128x32xi32> to !S
  %r = tile.reshape %s : !S to !R
  tile.reduce sum %r into %f dim 1 : !R into !F
  tile.copy %f to %o : !F to memref<32xi32>
}
