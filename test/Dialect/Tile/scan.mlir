// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Scans of each kind, and their clauses.

!F = memref<4x8xf32, #tile.fragment>
!S = memref<4x8xf32, #tile.shared>
!I = memref<8xi8, #tile.shared>
// CHECK-LABEL: tile.kernel @f() grid(%b) in (1) threads(32)
tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : !F
  %y = tile.alloc_shared : !S
  %i = tile.alloc_shared : !I
  // CHECK: tile.scan sum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.shared>
  tile.scan sum %x into %y dim 1 : !F into !S
  // CHECK: tile.scan prod %y into %x dim 0 reverse : memref<4x8xf32, #tile.shared> into memref<4x8xf32, #tile.fragment>
  tile.scan prod %y into %x dim 0 reverse : !S into !F
  // CHECK: tile.scan max %x into %x dim 1 exclusive : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
  tile.scan max %x into %x dim 1 exclusive : !F into !F
  // CHECK: tile.scan min %i into %i dim 0 reverse exclusive : memref<8xi8, #tile.shared> into memref<8xi8, #tile.shared>
  tile.scan min %i into %i dim 0 reverse exclusive : !I into !I
  // CHECK: tile.scan sum %i into %i dim 0 layout(<8 = [(8 thread)] threads 32>)
  tile.scan sum %i into %i dim 0 layout(#tile.distributed<8 = [(8 thread)] threads 32>) : !I into !I
}
