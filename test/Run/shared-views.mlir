// RUN: tile-run %s --device sim --variant all --seed 1 | FileCheck %s
// CHECK: verdict: right

// Views of a tile whose layout the compiler chooses: other elements, other rows, windows. All name the same bytes.
tile.kernel @shared_views(%x: memref<32x64xf32>, %y: memref<64x32xf32>, %u: memref<16x256xi16>, %w: memref<8x8xf32>)
    grid(%b) in (1) threads(96) {
  %s = tile.alloc_shared : memref<32x64xf32, #tile.shared>
  tile.copy %x to %s : memref<32x64xf32> to memref<32x64xf32, #tile.shared>
  tile.parallel (%j, %i) in (64, 32) {
    %v = tile.load %s[%i, %j] : memref<32x64xf32, #tile.shared>
    tile.store %v, %y[%j, %i] : memref<64x32xf32>
  }
  %r = tile.reshape %s : memref<32x64xf32, #tile.shared> to memref<16x128xf32, #tile.shared>
  %h = tile.view %r : memref<16x128xf32, #tile.shared> to memref<16x256xi16, #tile.shared>
  tile.copy %h to %u : memref<16x256xi16, #tile.shared> to memref<16x256xi16>
  %p = tile.slice %s[%b + 5, 40] : memref<32x64xf32, #tile.shared> to memref<8x8xf32, #tile.shared>
  tile.copy %p to %w : memref<8x8xf32, #tile.shared> to memref<8x8xf32>
}
