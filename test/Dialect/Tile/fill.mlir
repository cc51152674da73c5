// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Fills with numbers of every kind, and with a scalar.

// CHECK-LABEL: tile.kernel @f(%A: memref<4xf32>, %x: f32) grid(%b) in (1) threads(32)
tile.kernel @f(%A: memref<4xf32>, %x: f32) grid(%b) in (1) threads(32) {
  // CHECK: %p = tile.alloc_local : memref<4xi8, #tile.local>
  %p = tile.alloc_local : memref<4xi8, #tile.local>
  // CHECK: %q = tile.alloc_local : memref<4xi1, #tile.local>
  %q = tile.alloc_local : memref<4xi1, #tile.local>
  // CHECK: %s = tile.alloc_shared : memref<4xf8E4M3FN, #tile.shared>
  %s = tile.alloc_shared : memref<4xf8E4M3FN, #tile.shared>
  // CHECK: tile.fill %A with %x : memref<4xf32>
  tile.fill %A with %x : memref<4xf32>
  // CHECK: tile.fill %A with -0.000000e+00 : memref<4xf32>
  tile.fill %A with -0.000000e+00 : memref<4xf32>
  // CHECK: tile.fill %A with inf : memref<4xf32>
  tile.fill %A with inf : memref<4xf32>
  // CHECK: tile.fill %A with -inf : memref<4xf32>
  tile.fill %A with -inf : memref<4xf32>
  // CHECK: tile.fill %A with nan : memref<4xf32>
  tile.fill %A with nan : memref<4xf32>
  // CHECK: tile.fill %p with -128 : memref<4xi8, #tile.local>
  tile.fill %p with -128 : memref<4xi8, #tile.local>
  // CHECK: tile.fill %q with 1 : memref<4xi1, #tile.local>
  tile.fill %q with 1 : memref<4xi1, #tile.local>
  // CHECK: tile.fill %s with 4.480000e+02 : memref<4xf8E4M3FN, #tile.shared>
  tile.fill %s with 4.480000e+02 : memref<4xf8E4M3FN, #tile.shared>
}
