// Every operation on a tensor with a row pitch finds its rows: load, store, copy, atomic, slice.
// RUN: tile-run %s --device sim --variant all --pitch x=128 --pitch y=104 --pitch z=101 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --pitch x=100 --pitch y=128 --pitch z=128 --offset y=1 | FileCheck %s
// CHECK: y: 8x100 i32, max error 0, ok
// CHECK: z: 8x100 i32, max error 0, ok
// CHECK: verdict: right
!X = memref<8x100xi32, strided<[?, 1]>>
!F = memref<8x100xi32, #tile.fragment>
tile.kernel @pitched(%x: !X, %y: !X, %z: !X) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : !F
  tile.copy %x to %f : !X to !F
  tile.copy %f to %z : !F to !X
  tile.parallel (%i, %j) in (8, 100) {
    %v = tile.load %x[7 - %i, %j] : !X
    tile.store %v, %y[%i, %j] : !X
  }
  tile.parallel (%i, %j) in (8, 50) {
    %v = tile.load %x[%i, %j + 50] : !X
    tile.atomic add %v, %z[%i, %j] : !X
  }
}
