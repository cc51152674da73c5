// x * 0, x - x, x / x, x + 0, 0 - x, x * 1 and x == x are computed, not simplified: NaN, infinities and -0 need them.
// RUN: tile-run %s --device sim --variant all -DV=0x7FC00000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0x7F800000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0xFF800000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=0x80000000 | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s -DV=0x7FC00000 | FileCheck %s --check-prefix=TEXT
// CHECK: o: 8 f32, max error 0, ok
// CHECK: verdict: right
// TEXT: v + 0.0f
// TEXT: v * 0.0f
// TEXT: v - v
// TEXT: v / v
// TEXT: 0.0f - v
// TEXT: v == v
!O = memref<8xf32>
tile.kernel @algebra(%x: memref<1xf32>, %o: !O) grid(%g) in (1) threads(1) {
  %c = arith.constant $V : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  tile.store %c, %x[0] : memref<1xf32>
  %v = tile.load %x[0] : memref<1xf32>
  %r0 = arith.mulf %v, %zero : f32
  %r1 = arith.subf %v, %v : f32
  %r2 = arith.divf %v, %v : f32
  %r3 = arith.addf %v, %zero : f32
  %r4 = arith.subf %zero, %v : f32
  %r5 = arith.mulf %v, %one : f32
  %same = arith.cmpf oeq, %v, %v : f32
  %r6 = arith.select %same, %one, %zero : f32
  %r7 = arith.divf %one, %r3 : f32
  tile.store %r0, %o[0] : !O
  tile.store %r1, %o[1] : !O
  tile.store %r2, %o[2] : !O
  tile.store %r3, %o[3] : !O
  tile.store %r4, %o[4] : !O
  tile.store %r5, %o[5] : !O
  tile.store %r6, %o[6] : !O
  tile.store %r7, %o[7] : !O
}
