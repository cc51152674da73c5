// `contract` fuses products into sums, for every type; the reference does not, and the tolerance says so.
// RUN: tile-run %s -DF=contract -DT=f32 --device sim --variant all --dim N=1000 | FileCheck %s
// RUN: tile-run %s -DF=contract -DT=f16 --device sim --variant all --dim N=1000 | FileCheck %s
// RUN: tile-run %s -DF=contract -DT=bf16 --device sim --variant all --dim N=1000 | FileCheck %s
// RUN: tile-run %s -DF=contract -DT=f64 --device sim --variant all --dim N=1000 | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s -DF=contract -DT=f32 | FileCheck %s --check-prefix=FUSED
// RUN: tile-translate --tile-to-cuda %s -DF=fast -DT=f16 | FileCheck %s --check-prefix=HALF
// RUN: tile-translate --tile-to-cuda %s -DF=none -DT=f32 | FileCheck %s --check-prefix=APART --implicit-check-not=fma
// CHECK: verdict: right
// FUSED: fmaf(x{{.*}}, y{{.*}}, z
// HALF: fma_f16(x{{.*}}, y{{.*}}, z
// APART: x{{.*}} * y{{.*}} + z
tile.kernel @axpy[%N](%X[%N]: memref<?x$T>, %Y[%N]: memref<?x$T>, %Z[%N]: memref<?x$T>, %R[%N]: memref<?x$T>)
    grid(%b) in (%N ceildiv 128) threads(64) fastmath($F) {
  tile.parallel %i in (128) {
    %x = tile.load %X[%b * 128 + %i] : memref<?x$T>
    %y = tile.load %Y[%b * 128 + %i] : memref<?x$T>
    %z = tile.load %Z[%b * 128 + %i] : memref<?x$T>
    %p = arith.mulf %x, %y : $T
    %r = arith.addf %p, %z : $T
    tile.store %r, %R[%b * 128 + %i] : memref<?x$T>
  }
}
