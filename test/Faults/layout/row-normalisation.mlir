// Rows of any width under any thread count, chosen by an index that is loaded.
// RUN: tile-run %s --device sim --variant all --dim M=3 --arg rows=iota -DD=512 -DTHREADS=32 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=3 --arg rows=iota -DD=576 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=3 --arg rows=iota -DD=640 -DTHREADS=64 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=3 --arg rows=iota -DD=1000 -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=3 --arg rows=iota -DD=1023 -DTHREADS=96 | FileCheck %s
// CHECK: y: 3x{{[0-9]+}} f32, max error {{.*}}, ok
// CHECK: verdict: right
!X = memref<?x$Dxf32>
!F = memref<$Dxf32, #tile.fragment>
!S = memref<f32, #tile.fragment>
tile.kernel @norm[%M](%x[%M, $D]: !X, %rows[%M]: memref<?xi32>, %y[%M, $D]: !X) grid(%b) in (%M) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  %q = tile.alloc_fragment : !F
  %s = tile.alloc_fragment : !S
  %n = tile.load %rows[%b] : memref<?xi32>
  %row = arith.index_cast %n : i32 to index
  tile.copy %x[%row, 0] to %f : !X to !F
  tile.parallel %i in ($D) {
    %v = tile.load %f[%i] : !F
    %w = arith.mulf %v, %v : f32
    tile.store %w, %q[%i] : !F
  }
  tile.reduce mean %q into %s dim 0 : !F into !S
  tile.parallel %i in ($D) {
    %v = tile.load %f[%i] : !F
    %m = tile.load %s[] : !S
    %r = math.rsqrt %m : f32
    %w = arith.mulf %v, %r : f32
    tile.store %w, %y[%b, %i] : !X
  }
}
