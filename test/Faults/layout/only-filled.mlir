// A fragment that nothing but a fill constrains has a layout, at sizes that are no power of two.
// RUN: tile-run %s --device sim --variant all -DN=96 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DN=160 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DN=7 | FileCheck %s
// CHECK: o: {{[0-9]+}} i32, max error 0, ok
// CHECK: verdict: right
!F = memref<$Nxi32, #tile.fragment>
tile.kernel @filled(%o: memref<$Nxi32>) grid(%g) in (1) threads(32) {
  %f = tile.alloc_fragment : !F
  %unused = tile.alloc_fragment : !F
  tile.fill %f with 7 : !F
  tile.fill %unused with 8 : !F
  tile.copy %f to %o : !F to memref<$Nxi32>
}
