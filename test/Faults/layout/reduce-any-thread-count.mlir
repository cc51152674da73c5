// A reduction takes every lane's part at thread counts that are no power of two: 0 + 1 + ... + 48 is 1176.
// RUN: tile-run %s --device sim --variant all -DTHREADS=24 -DKIND=sum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=48 -DKIND=sum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=96 -DKIND=max -DN=1023 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=160 -DKIND=min -DN=257 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=48 -DKIND=prod -DN=31 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=33 -DKIND=xor -DN=1000 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DTHREADS=1 -DKIND=sum -DN=129 | FileCheck %s
// CHECK: o: 1 i32, max error 0, ok
// CHECK: verdict: right
// $N = 49
!F = memref<$Nxi32, #tile.fragment>
!S = memref<i32, #tile.fragment>
tile.kernel @total(%x: memref<$Nxi32>, %o: memref<1xi32>) grid(%b) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  %s = tile.alloc_fragment : !S
  tile.copy %x to %f : memref<$Nxi32> to !F
  tile.reduce $KIND %f into %s dim 0 : !F into !S
  tile.parallel %i in (1) {
    %v = tile.load %s[] : !S
    tile.store %v, %o[%i] : memref<1xi32>
  }
}
