// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Other names for the same storage.

// CHECK-LABEL: tile.kernel @f[%M](%A[%M, 8, 8]: memref<?x8x8xf32>) grid(%b) in (2) threads(32)
tile.kernel @f[%M](%A[%M, 8, 8]: memref<?x8x8xf32>) grid(%b) in (2) threads(32) {
  // CHECK: %s = tile.alloc_shared : memref<4x8xf32, #tile.shared>
  %s = tile.alloc_shared : memref<4x8xf32, #tile.shared>
  // CHECK: %r = tile.reshape %s : memref<4x8xf32, #tile.shared> to memref<32x1xf32, #tile.shared>
  %r = tile.reshape %s : memref<4x8xf32, #tile.shared> to memref<32x1xf32, #tile.shared>
  // CHECK: %q = tile.reshape %A : memref<?x8x8xf32> to memref<?x64xf32>
  %q = tile.reshape %A : memref<?x8x8xf32> to memref<?x64xf32>
  // CHECK: %v = tile.view %s : memref<4x8xf32, #tile.shared> to memref<4x16xf16, #tile.shared>
  %v = tile.view %s : memref<4x8xf32, #tile.shared> to memref<4x16xf16, #tile.shared>
  // CHECK: %w = tile.view %A : memref<?x8x8xf32> to memref<?x8x16xbf16>
  %w = tile.view %A : memref<?x8x8xf32> to memref<?x8x16xbf16>
  // CHECK: %t = tile.slice %s[%b * 2, 4] : memref<4x8xf32, #tile.shared> to memref<2x4xf32, #tile.shared>
  %t = tile.slice %s[%b * 2, 4] : memref<4x8xf32, #tile.shared> to memref<2x4xf32, #tile.shared>
  // CHECK: %u = tile.slice %A[%b, 0, 0] : memref<?x8x8xf32> to memref<8x8xf32>
  %u = tile.slice %A[%b, 0, 0] : memref<?x8x8xf32> to memref<8x8xf32>
}
