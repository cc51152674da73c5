// A grid with an extent of zero, in one or two dimensions: nothing runs, and that is no error.
// RUN: tile-run %s --device sim --kernel one --dim N=0 | FileCheck %s
// RUN: tile-run %s --device sim --kernel two --dim N=0 | FileCheck %s
// RUN: tile-run %s --device sim --kernel never | FileCheck %s
// CHECK: no block runs
// CHECK: verdict: right
tile.kernel @one[%N](%x[%N]: memref<?xf32>) grid(%b) in (%N) threads(32) {
  tile.parallel %i in (1) {
    %c = arith.constant 1.0 : f32
    tile.store %c, %x[%b] : memref<?xf32>
  }
}
tile.kernel @two[%N](%x[%N]: memref<?xf32>) grid(%b, %c) in (8, %N ceildiv 32) threads(32) {
  tile.parallel %i in (1) {
    %v = arith.constant 1.0 : f32
    tile.store %v, %x[%b + %c * 8] : memref<?xf32>
  }
}
tile.kernel @never(%x: memref<8xf32>) grid(%b) in (0) threads(32) {
  tile.parallel %i in (1) {
    %v = arith.constant 1.0 : f32
    tile.store %v, %x[%b] : memref<8xf32>
  }
}
