// Tensors of no rows or no columns, with any strides: the call succeeds and writes nothing it must not.
// RUN: tile-run %s --device sim --variant all --dim M=0 --dim N=7 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=7 --dim N=0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=0 --dim N=0 --pitch x=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=1 --dim N=5 --pitch x=999 | FileCheck %s
// CHECK: s: {{.*}} f32, max error 0, ok
// CHECK: verdict: right
!X = memref<?x?xf32, strided<[?, 1]>>
!F = memref<16xf32, #tile.fragment>
tile.kernel @sums[%M, %N](%x[%M, %N]: !X, %s[%M]: memref<?xf32>) grid(%b) in (%M ceildiv 16) threads(32) {
  %f = tile.alloc_fragment : !F
  tile.fill %f with 0.0 : !F
  tile.serial %k in (%N) {
    tile.parallel %i in (16) {
      %v = tile.load %x[%b * 16 + %i, %k] : !X
      %w = tile.load %f[%i] : !F
      %u = arith.addf %v, %w : f32
      tile.store %u, %f[%i] : !F
    }
  }
  tile.copy %f to %s[%b * 16] : !F to memref<?xf32>
}
