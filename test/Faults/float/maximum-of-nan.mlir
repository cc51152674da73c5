// maximumf and minimumf give NaN if either is, maxnumf and minnumf the other; -0 is below +0: constant and at run time.
// RUN: tile-run %s --device sim --variant all -DT=f32 -DNAN=0x7FC00000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DNAN=0x7E00 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DNAN=0x7FC0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 -DNAN=0x7FF8000000000000 | FileCheck %s
// CHECK: o: 4x16 {{.*}}, max error 0, ok
// CHECK: verdict: right
!O = memref<4x16x$T>
tile.kernel @extremes(%o: !O) grid(%g) in (1) threads(16) {
  %nan = arith.constant $NAN : $T
  %one = arith.constant 1.0 : $T
  %zero = arith.constant 0.0 : $T
  %minus = arith.constant -0.0 : $T
  %v = tile.alloc_shared : memref<4x$T, #tile.shared>
  tile.parallel %i in (1) {
    tile.store %nan, %v[0] : memref<4x$T, #tile.shared>
    tile.store %one, %v[1] : memref<4x$T, #tile.shared>
    tile.store %zero, %v[2] : memref<4x$T, #tile.shared>
    tile.store %minus, %v[3] : memref<4x$T, #tile.shared>
  }
  tile.parallel (%i, %j) in (4, 4) {
    %a = tile.load %v[%i] : memref<4x$T, #tile.shared>
    %b = tile.load %v[%j] : memref<4x$T, #tile.shared>
    %p = arith.maximumf %a, %b : $T
    %q = arith.minimumf %a, %b : $T
    %r = arith.maxnumf %a, %b : $T
    %s = arith.minnumf %a, %b : $T
    tile.store %p, %o[0, %i * 4 + %j] : !O
    tile.store %q, %o[1, %i * 4 + %j] : !O
    tile.store %r, %o[2, %i * 4 + %j] : !O
    tile.store %s, %o[3, %i * 4 + %j] : !O
  }
}
