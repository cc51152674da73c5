// RUN: tile-run %s --device sim --variant all | FileCheck %s
// Two tiles side by side in shared memory: a vector that ends where one ends does not reach into the other.
// CHECK: verdict: right

tile.kernel @f(%x1: memref<128x100xf32>, %o2: memref<128x100xf32>) grid(%b) in (1) threads(96) {
  %t2 = tile.alloc_shared layout(#tile.padded<2>) : memref<128x100xf32, #tile.shared>
  tile.copy %x1 to %t2 : memref<128x100xf32> to memref<128x100xf32, #tile.shared>
  %t9 = tile.alloc_shared : memref<128x100xf32, #tile.shared>
  tile.parallel (%i0, %i1) in (128, 100) layout(#tile.distributed<128x100 = [(16 reg * 200, 2 thread * 2, 4 reg * 50), (25 reg * 2, 2 thread * 1, 2 reg * 1)] threads 96>) {
    %v12 = tile.load %t2[%i0, %i1] : memref<128x100xf32, #tile.shared>
    tile.store %v12, %t9[%i0, %i1] : memref<128x100xf32, #tile.shared>
  }
  tile.copy %t9 to %o2 : memref<128x100xf32, #tile.shared> to memref<128x100xf32>
}
