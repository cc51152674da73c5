// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Single elements: in a parallel, by each thread, guarded, and at uniform places of a fragment.

// CHECK-LABEL: tile.kernel @f[%N](%A[%N]: memref<?xi32>, %B[%N, 4]: memref<?x4xi32>, %v: i32, %i1: i1) grid(%b) in (%N ceildiv 64) threads(64)
tile.kernel @f[%N](%A[%N]: memref<?xi32>, %B[%N, 4]: memref<?x4xi32>, %v: i32, %i1: i1) grid(%b) in (%N ceildiv 64) threads(64) {
  // CHECK: %r = tile.alloc_fragment : memref<8xi32, #tile.fragment>
  %r = tile.alloc_fragment : memref<8xi32, #tile.fragment>
  // CHECK: %s = tile.alloc_shared : memref<64xi32, #tile.shared>
  %s = tile.alloc_shared : memref<64xi32, #tile.shared>
  // CHECK: %t = tile.thread_id
  %t = tile.thread_id
  %zero = arith.constant 0 : index
  // CHECK: tile.parallel %i in (6)
  tile.parallel %i in (6) {
    // CHECK: %x = tile.load %r[%i + 2] : memref<8xi32, #tile.fragment>
    %x = tile.load %r[%i + 2] : memref<8xi32, #tile.fragment>
    // CHECK: %y = tile.load %A[%i * 2 - 1] pad -1 : memref<?xi32>
    %y = tile.load %A[%i * 2 - 1] pad -1 : memref<?xi32>
    // CHECK: tile.store %x, %r[%i + 2] : memref<8xi32, #tile.fragment>
    tile.store %x, %r[%i + 2] : memref<8xi32, #tile.fragment>
    // CHECK: tile.atomic add %y, %A[0] : memref<?xi32>
    tile.atomic add %y, %A[0] : memref<?xi32>
  }
  // CHECK: %u = tile.load %r[7] : memref<8xi32, #tile.fragment>
  %u = tile.load %r[7] : memref<8xi32, #tile.fragment>
  // CHECK: tile.store %u, %A[%b * 64 + %t] : memref<?xi32>
  tile.store %u, %A[%b * 64 + %t] : memref<?xi32>
  // CHECK: tile.store %u, %s[-%t + 63] : memref<64xi32, #tile.shared>
  tile.store %u, %s[63 - %t] : memref<64xi32, #tile.shared>
  %first = arith.cmpi eq, %t, %zero : index
  scf.if %first {
    // CHECK: tile.store %u, %A[0] : memref<?xi32>
    tile.store %u, %A[0] : memref<?xi32>
  }
  // CHECK: %o = tile.atomic exchange %v, %B[%t floordiv 4, %t mod 4] : memref<?x4xi32>
  %o = tile.atomic exchange %v, %B[%t floordiv 4, %t mod 4] : memref<?x4xi32>
  // CHECK: tile.atomic umax %o, %s[%t] : memref<64xi32, #tile.shared>
  tile.atomic umax %o, %s[%t] : memref<64xi32, #tile.shared>
  // CHECK: tile.parallel %i in (1)
  tile.parallel %i in (1) {
    // CHECK: tile.store %v, %A[5] : memref<?xi32>
    tile.store %v, %A[5] : memref<?xi32>
  }
}
