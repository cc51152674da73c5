// A view acts on the bytes of the storage: behind a reshape, of a tensor whose sizes are known at launch only, and of a
// padded tile, whose rows it keeps.
// RUN: tile-run %s --device sim --variant all --kernel reshaped | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel rows --dim M=4 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel planes --dim M=4 --dim N=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel narrow --dim M=4 --dim N=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel padded | FileCheck %s
// CHECK: o: {{.*}}, max error 0, ok
// CHECK: verdict: right
tile.kernel @reshaped(%x: memref<4x8xf32>, %o: memref<2x32xi16>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4x8xf32, #tile.shared>
  tile.copy %x to %s : memref<4x8xf32> to memref<4x8xf32, #tile.shared>
  %r = tile.reshape %s : memref<4x8xf32, #tile.shared> to memref<2x16xf32, #tile.shared>
  %v = tile.view %r : memref<2x16xf32, #tile.shared> to memref<2x32xi16, #tile.shared>
  tile.copy %v to %o : memref<2x32xi16, #tile.shared> to memref<2x32xi16>
}

// Beyond the last row there is nothing.
tile.kernel @rows[%M](%x[%M, 8]: memref<?x8xf32>, %o: memref<5x16xi16>) grid(%b) in (1) threads(32) {
  %v = tile.view %x : memref<?x8xf32> to memref<?x16xi16>
  tile.copy %v[0, 0] to %o : memref<?x16xi16> to memref<5x16xi16>
}

tile.kernel @planes[%M, %N](%x[%M, %N, 8]: memref<?x?x8xf32>, %o: memref<5x3x16xi16>) grid(%b) in (1) threads(32) {
  %v = tile.view %x : memref<?x?x8xf32> to memref<?x?x16xi16>
  tile.copy %v[0, 0, 0] to %o : memref<?x?x16xi16> to memref<5x3x16xi16>
}

tile.kernel @narrow[%M, %N](%x[%M, %N, 8]: memref<?x?x8xi16>, %o: memref<5x4x4xi32>) grid(%b) in (1) threads(32) {
  %v = tile.view %x : memref<?x?x8xi16> to memref<?x?x4xi32>
  tile.copy %v[0, 0, 0] to %o : memref<?x?x4xi32> to memref<5x4x4xi32>
}

tile.kernel @padded(%x: memref<4x8xf32>, %o: memref<4x16xi16>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.padded<2>) : memref<4x8xf32, #tile.shared>
  tile.copy %x to %s : memref<4x8xf32> to memref<4x8xf32, #tile.shared>
  %r = tile.reshape %s : memref<4x8xf32, #tile.shared> to memref<32xf32, #tile.shared>
  %v = tile.view %r : memref<32xf32, #tile.shared> to memref<4x16xi16, #tile.shared>
  tile.copy %v to %o : memref<4x16xi16, #tile.shared> to memref<4x16xi16>
}
