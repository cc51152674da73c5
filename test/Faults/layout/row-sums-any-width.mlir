// A sum along rows of any width counts each element once, whatever the threads do not divide.
// RUN: tile-run %s --device sim --variant all --arg x=ones -DW=96 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg x=iota -DM=4 -DW=100 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg x=iota -DW=127 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DM=5 -DW=1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DM=7 -DW=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DM=3 -DW=33 | FileCheck %s
// CHECK-COUNT-1: ok
// CHECK: verdict: right
// $M = 1
// $W = 96
!F = memref<$Mx$Wxf32, #tile.fragment>
!S = memref<$Mxf32, #tile.fragment>
tile.kernel @sums(%x: memref<$Mx$Wxf32>, %o: memref<$Mxf32>) grid(%b) in (1) threads(128) {
  %f = tile.alloc_fragment : !F
  %s = tile.alloc_fragment : !S
  tile.copy %x to %f : memref<$Mx$Wxf32> to !F
  tile.reduce sum %f into %s dim 1 : !F into !S
  tile.copy %s to %o : !S to memref<$Mxf32>
}
