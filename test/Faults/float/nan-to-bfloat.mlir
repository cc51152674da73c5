// A NaN with low mantissa bits only stays a NaN as bf16, and the largest f32 rounds to infinity.
// RUN: tile-run %s --device sim --variant all -DV=0x7FFF8C22 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0x7F800001 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0xFF800000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0x7F7FFFFF | FileCheck %s
// CHECK: o: 1 bf16, max error 0, ok
// CHECK: n: 1 i1, max error 0, ok
// CHECK: verdict: right
tile.kernel @narrow(%x: memref<1xf32>, %o: memref<1xbf16>, %n: memref<1xi1>) grid(%g) in (1) threads(1) {
  %c = arith.constant $V : f32
  tile.store %c, %x[0] : memref<1xf32>
  %v = tile.load %x[0] : memref<1xf32>
  %h = arith.truncf %v : f32 to bf16
  %isNan = arith.cmpf uno, %h, %h : bf16
  tile.store %h, %o[0] : memref<1xbf16>
  tile.store %isNan, %n[0] : memref<1xi1>
}
