// The same sums, by giving the tile another shape and reducing it.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: a: 16x14 i32, max error 0, ok
// CHECK: verdict: right
!B = memref<16x448xi32, #tile.shared>
!C = memref<16x14x32xi32, #tile.shared>
!A = memref<16x14xi32, #tile.fragment>
tile.kernel @fold(%b: memref<16x448xi32>, %a: memref<16x14xi32>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared : !B
  %f = tile.alloc_fragment : !A
  tile.copy %b to %s : memref<16x448xi32> to !B
  %c = tile.reshape %s : !B to !C
  tile.reduce sum %c into %f dim 2 : !C into !A
  tile.copy %f to %a : !A to memref<16x14xi32>
}
