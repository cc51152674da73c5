// 200 as a byte stays 200 when it is extended or converted without sign, and is -56 with it.
// RUN: tile-run %s --device sim --variant all -DT=i8 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=i16 | FileCheck %s
// CHECK: a: 256 i64, max error 0, ok
// CHECK: b: 256 f32, max error 0, ok
// CHECK: c: 256 f16, max error 0, ok
// CHECK: d: 256 i32, max error 0, ok
// CHECK: verdict: right
tile.kernel @extend(%a: memref<256xi64>, %b: memref<256xf32>, %c: memref<256xf16>, %d: memref<256xi32>) grid(%g) in (1) threads(32) {
  tile.parallel %i in (256) {
    %n = affine.apply affine_map<(d0) -> (d0 * 257)>(%i)
    %v = arith.index_cast %n : index to $T
    %p = arith.extui %v : $T to i64
    %q = arith.uitofp %v : $T to f32
    %r = arith.uitofp %v : $T to f16
    %s = arith.extsi %v : $T to i32
    tile.store %p, %a[%i] : memref<256xi64>
    tile.store %q, %b[%i] : memref<256xf32>
    tile.store %r, %c[%i] : memref<256xf16>
    tile.store %s, %d[%i] : memref<256xi32>
  }
}
