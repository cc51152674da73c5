// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Copies between all spaces: whole tiles, windows, casts and pads.

// CHECK-LABEL: tile.kernel @f[%M, %N](%A[%M, %N]: memref<?x?xf16>, %B: memref<100xf16>) grid(%b) in (4) threads(64)
tile.kernel @f[%M, %N](%A[%M, %N]: memref<?x?xf16>, %B: memref<100xf16>) grid(%b) in (4) threads(64) {
  // CHECK: %s = tile.alloc_shared : memref<64x32xf16, #tile.shared>
  %s = tile.alloc_shared : memref<64x32xf16, #tile.shared>
  // CHECK: %h = tile.alloc_shared : memref<16x32xf16, #tile.shared>
  %h = tile.alloc_shared : memref<16x32xf16, #tile.shared>
  // CHECK: %f = tile.alloc_fragment : memref<1x64x32xf32, #tile.fragment>
  %f = tile.alloc_fragment : memref<1x64x32xf32, #tile.fragment>
  // CHECK: %v = tile.alloc_shared : memref<128xf16, #tile.shared>
  %v = tile.alloc_shared : memref<128xf16, #tile.shared>
  // CHECK: %p = tile.alloc_local : memref<4xf16, #tile.local>
  %p = tile.alloc_local : memref<4xf16, #tile.local>
  // CHECK: %t = tile.thread_id
  %t = tile.thread_id
  // CHECK: tile.copy %A[%b * 64, %M - 1] to %s pad -inf : memref<?x?xf16> to memref<64x32xf16, #tile.shared>
  tile.copy %A[%b * 64, %M - 1] to %s pad -inf : memref<?x?xf16> to memref<64x32xf16, #tile.shared>
  // CHECK: tile.copy %s to %f cast : memref<64x32xf16, #tile.shared> to memref<1x64x32xf32, #tile.fragment>
  tile.copy %s to %f cast : memref<64x32xf16, #tile.shared> to memref<1x64x32xf32, #tile.fragment>
  // CHECK: tile.copy %s[%b * 16, 0] to %h : memref<64x32xf16, #tile.shared> to memref<16x32xf16, #tile.shared>
  tile.copy %s[%b * 16, 0] to %h : memref<64x32xf16, #tile.shared> to memref<16x32xf16, #tile.shared>
  // CHECK: tile.copy %h to %s[48, 0] : memref<16x32xf16, #tile.shared> to memref<64x32xf16, #tile.shared>
  tile.copy %h to %s[48, 0] : memref<16x32xf16, #tile.shared> to memref<64x32xf16, #tile.shared>
  // CHECK: tile.copy %B to %v[28] : memref<100xf16> to memref<128xf16, #tile.shared>
  tile.copy %B to %v[28] : memref<100xf16> to memref<128xf16, #tile.shared>
  // CHECK: tile.copy %B[99] to %v : memref<100xf16> to memref<128xf16, #tile.shared>
  tile.copy %B[99] to %v : memref<100xf16> to memref<128xf16, #tile.shared>
  // CHECK: tile.copy %f to %A cast : memref<1x64x32xf32, #tile.fragment> to memref<?x?xf16>
  tile.copy %f to %A cast : memref<1x64x32xf32, #tile.fragment> to memref<?x?xf16>
  // CHECK: tile.copy %A[1, %N] to %B : memref<?x?xf16> to memref<100xf16>
  tile.copy %A[1, %N] to %B : memref<?x?xf16> to memref<100xf16>
  // CHECK: tile.copy %v[%t + 60] to %p : memref<128xf16, #tile.shared> to memref<4xf16, #tile.local>
  tile.copy %v[%t + 60] to %p : memref<128xf16, #tile.shared> to memref<4xf16, #tile.local>
}
