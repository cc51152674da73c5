// A reduction along each dimension of three, none of them a power of two.
// RUN: tile-run %s --device sim --variant all -DDIM=0 -DA=7 -DB=36 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DDIM=1 -DA=5 -DB=36 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DDIM=2 -DA=5 -DB=7 | FileCheck %s
// CHECK: o: {{.*}} i32, max error 0, ok
// CHECK: verdict: right
!X = memref<5x7x36xi32>
!F = memref<5x7x36xi32, #tile.fragment>
!S = memref<$Ax$Bxi32, #tile.fragment>
tile.kernel @sums(%x: !X, %o: memref<$Ax$Bxi32>) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : !F
  %s = tile.alloc_fragment : !S
  tile.copy %x to %f : !X to !F
  tile.reduce sum %f into %s dim $DIM : !F into !S
  tile.copy %s to %o : !S to memref<$Ax$Bxi32>
}
