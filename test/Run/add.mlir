// A vector addition in the simulator, at sizes that fill blocks, leave tails and have no elements.
// RUN: tile-run %s --device sim --dim N=1000 | FileCheck %s
// RUN: tile-run %s --device sim --dim N=1024 --variant all | FileCheck %s --check-prefix=ALL
// RUN: tile-run %s --device sim --dim N=0 | FileCheck %s --check-prefix=EMPTY
// RUN: tile-run %s --device sim --dim N=127 --offset x=1 --variant all | FileCheck %s --check-prefix=ODD

// CHECK: add on simulator: add
// CHECK-NEXT: z: 1000 f32, max error 0, ok
// CHECK-NEXT: verdict: right

// ALL: add on simulator: add
// ALL-NEXT: z: 1024 f32, max error 0, ok
// ALL: verdict: right

// EMPTY: add on simulator: no block runs
// EMPTY-NEXT: z: 0 f32, max error 0, ok
// EMPTY-NEXT: verdict: right

// ODD: z: 127 f32, max error 0, ok
// ODD: verdict: right
tile.kernel @add[%N](%x[%N]: memref<?xf32>, %y[%N]: memref<?xf32>, %z[%N]: memref<?xf32>)
    grid(%b) in (%N ceildiv 512) threads(128) {
  tile.parallel (%i) in (512) {
    %p = tile.load %x[%b * 512 + %i] : memref<?xf32>
    %q = tile.load %y[%b * 512 + %i] : memref<?xf32>
    %s = arith.addf %p, %q : f32
    tile.store %s, %z[%b * 512 + %i] : memref<?xf32>
  }
}
