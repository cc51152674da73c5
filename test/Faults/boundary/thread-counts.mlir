// Any number of threads from 1 to 1024 works.
// RUN: tile-run %s --device sim --variant all --dim N=1000 -DTHREADS=1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=1000 -DTHREADS=31 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=1000 -DTHREADS=33 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=1000 -DTHREADS=1024 | FileCheck %s
// CHECK: y: 1000 f32, max error 0, ok
// CHECK: verdict: right
tile.kernel @scale[%N](%x[%N]: memref<?xf32>, %y[%N]: memref<?xf32>) grid(%b) in (%N ceildiv 100) threads($THREADS) {
  tile.parallel %i in (100) {
    %v = tile.load %x[%b * 100 + %i] : memref<?xf32>
    %w = arith.negf %v : f32
    tile.store %w, %y[%b * 100 + %i] : memref<?xf32>
  }
}
