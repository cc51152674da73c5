// A loop over 100 of 256 elements does not narrow the mapping of the loop that stores all of them.
// RUN: tile-run %s --device sim --variant all -DTHREADS=32 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=100 | FileCheck %s
// CHECK: o: 256 f32, max error 0, ok
// CHECK: verdict: right
!F = memref<256xf32, #tile.fragment>
tile.kernel @cover(%o: memref<256xf32>) grid(%b) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  tile.fill %f with -1.0 : !F
  tile.parallel %i in (100) {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    tile.store %v, %f[%i] : !F
  }
  tile.parallel %i in (256) {
    %v = tile.load %f[%i] : !F
    tile.store %v, %o[%i] : memref<256xf32>
  }
}
