// Addition over a symbolic size, for each width of element and several thread counts.
// RUN: tile-run %s --device sim --variant all --dim N=1000 -DT=bf16 -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=1023 -DT=f16 -DTHREADS=1024 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=4097 -DT=i8 -DTHREADS=256 -DADD=addi | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=255 -DT=i64 -DTHREADS=96 -DADD=addi | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=129 -DT=f64 -DTHREADS=160 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=31 -DT=f32 -DTHREADS=31 | FileCheck %s
// CHECK: z: {{.*}}, max error 0, ok
// CHECK: verdict: right
// $ADD = addf
!X = memref<?x$T>
tile.kernel @add[%N](%x[%N]: !X, %y[%N]: !X, %z[%N]: !X) grid(%b) in (%N ceildiv 1000) threads($THREADS) {
  tile.parallel %i in (1000) {
    %p = tile.load %x[%b * 1000 + %i] : !X
    %q = tile.load %y[%b * 1000 + %i] : !X
    %s = arith.$ADD %p, %q : $T
    tile.store %s, %z[%b * 1000 + %i] : !X
  }
}
