// Rows of an odd number of elements, read from column 1: a vector needs stride and offset to be multiples of its width.
// RUN: tile-run %s --device sim --variant all -DM=1 -DN=3 -DW=2 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DM=5 -DN=7 -DW=6 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DM=6 -DN=17 -DW=16 | FileCheck %s
// CHECK: y: {{.*}} f16, max error 0, ok
// CHECK: verdict: right
tile.kernel @columns(%x: memref<$Mx$Nxf16>, %y: memref<$Mx$Wxf16>) grid(%g) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<$Mx$Wxf16, #tile.fragment>
  tile.copy %x[0, 1] to %f : memref<$Mx$Nxf16> to memref<$Mx$Wxf16, #tile.fragment>
  tile.copy %f to %y : memref<$Mx$Wxf16, #tile.fragment> to memref<$Mx$Wxf16>
}
