// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Maps that give each point an element of its own, at every size, and what cannot be proven wrong.

// CHECK-LABEL: tile.kernel @f[%N, %M](%A[%N, %M]: memref<?x?xf32>, %B[%N]: memref<?xf32>, %I: memref<64xi32>, %x: f32, %n: index) grid(%b) in (4) threads(128)
tile.kernel @f[%N, %M](%A[%N, %M]: memref<?x?xf32>, %B[%N]: memref<?xf32>, %I: memref<64xi32>, %x: f32, %n: index) grid(%b) in (4) threads(128) {
  // CHECK: tile.parallel (%i, %j) in (1024, 8192)
  tile.parallel (%i, %j) in (1024, 8192) {
    // CHECK: tile.store %x, %A[%i, %j] : memref<?x?xf32>
    tile.store %x, %A[%i, %j] : memref<?x?xf32>
  }
  // CHECK: tile.parallel (%i, %j) in (1024, 8192)
  tile.parallel (%i, %j) in (1024, 8192) {
    // CHECK: tile.store %x, %B[%j + %b * 7 + %i * 8192] : memref<?xf32>
    tile.store %x, %B[%j + %b * 7 + %i * 8192] : memref<?xf32>
  }
  // CHECK: tile.parallel %i in (1000000)
  tile.parallel %i in (1000000) {
    // CHECK: tile.store %x, %A[%i floordiv 96, %i mod 96] : memref<?x?xf32>
    tile.store %x, %A[%i floordiv 96, %i mod 96] : memref<?x?xf32>
  }
  // CHECK: tile.parallel %i in (100000000)
  tile.parallel %i in (100000000) {
    // CHECK: tile.store %x, %B[(%i floordiv 64) * 64 + (%i mod 8) * 8 + (%i floordiv 8) mod 8] : memref<?xf32>
    tile.store %x, %B[(%i floordiv 64) * 64 + (%i mod 8) * 8 + (%i floordiv 8) mod 8] : memref<?xf32>
  }
  // CHECK: tile.parallel (%i, %j) in (7, 5)
  tile.parallel (%i, %j) in (7, 5) {
    %k = affine.apply affine_map<(d0, d1) -> (d1 * 7 - d0)>(%i, %j)
    // CHECK: tile.vectorized %v in (4)
    tile.vectorized %v in (4) {
      // CHECK: tile.store %x, %B[%k * 4 + %v + 100] : memref<?xf32>
      tile.store %x, %B[%k * 4 + %v + 100] : memref<?xf32>
    }
  }
  // CHECK: tile.parallel %i in (64)
  tile.parallel %i in (64) {
    // CHECK: %k = tile.load %I[%i] : memref<64xi32>
    %k = tile.load %I[%i] : memref<64xi32>
    %l = arith.index_cast %k : i32 to index
    // CHECK: tile.store %x, %B[%l] : memref<?xf32>
    tile.store %x, %B[%l] : memref<?xf32>
  }
  // CHECK: tile.parallel %i in (%n)
  tile.parallel %i in (%n) {
    // CHECK: tile.store %x, %B[%i floordiv 2] : memref<?xf32>
    tile.store %x, %B[%i floordiv 2] : memref<?xf32>
  }
  // CHECK: tile.parallel (%i, %j) in (1, 64)
  tile.parallel (%i, %j) in (1, 64) {
    // CHECK: tile.store %x, %B[%j] : memref<?xf32>
    tile.store %x, %B[%j] : memref<?xf32>
    // CHECK: %y = tile.load %B[%j] : memref<?xf32>
    %y = tile.load %B[%j] : memref<?xf32>
    // CHECK: tile.store %y, %B[%j] : memref<?xf32>
    tile.store %y, %B[%j] : memref<?xf32>
  }
  // CHECK: tile.parallel %i in (4096)
  tile.parallel %i in (4096) {
    // CHECK: %y = tile.load %B[%i * 2] : memref<?xf32>
    %y = tile.load %B[%i * 2] : memref<?xf32>
    // CHECK: %z = tile.load %B[%i * 2 + 1] : memref<?xf32>
    %z = tile.load %B[%i * 2 + 1] : memref<?xf32>
    // CHECK: tile.store %y, %B[%i * 2 + 1] : memref<?xf32>
    tile.store %y, %B[%i * 2 + 1] : memref<?xf32>
    // CHECK: tile.store %z, %B[%i * 2] : memref<?xf32>
    tile.store %z, %B[%i * 2] : memref<?xf32>
  }
}
