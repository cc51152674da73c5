// Comparisons, select, maximum and minimum inside a vector act on each element.
// RUN: tile-run %s --device sim --variant all -DT=f32 -DV=2 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DV=8 -DTHREADS=64 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DV=4 -DTHREADS=128 | FileCheck %s
// CHECK: z: 512 {{.*}}, max error 0, ok
// CHECK: b: 512 i1, max error 0, ok
// CHECK: verdict: right
!X = memref<512x$T>
tile.kernel @select(%x: !X, %y: !X, %z: !X, %b: memref<512xi1>) grid(%g) in (1) threads($THREADS) {
  %t = tile.thread_id
  tile.vectorized %v in ($V) {
    %p = tile.load %x[%t * $V + %v] : !X
    %q = tile.load %y[%t * $V + %v] : !X
    %c = arith.cmpf olt, %p, %q : $T
    %high = arith.maximumf %p, %q : $T
    %low = arith.minimumf %p, %q : $T
    %d = arith.subf %high, %low : $T
    %s = arith.select %c, %d, %high : $T
    tile.store %s, %z[%t * $V + %v] : !X
    tile.store %c, %b[%t * $V + %v] : memref<512xi1>
  }
}
