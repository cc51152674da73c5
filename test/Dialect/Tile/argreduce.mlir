// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Searches for the largest and the smallest element.

!F = memref<4x8xf32, #tile.fragment>
!V = memref<4xf32, #tile.fragment>
!I = memref<4xi32, #tile.shared>
!One = memref<i32, #tile.fragment>
// CHECK-LABEL: tile.kernel @f() grid(%b) in (1) threads(32)
tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : !F
  %v = tile.alloc_fragment : !V
  %i = tile.alloc_shared : !I
  %a = tile.alloc_fragment : !One
  %c = tile.alloc_fragment : !One
  // CHECK: tile.argreduce max %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.shared>
  tile.argreduce max %x into %v, %i dim 1 : !F into !V, !I
  // CHECK: tile.argreduce min %i into %a, %c dim 0 : memref<4xi32, #tile.shared> into memref<i32, #tile.fragment>, memref<i32, #tile.fragment>
  tile.argreduce min %i into %a, %c dim 0 : !I into !One, !One
  // CHECK: tile.argreduce max %i into %a, %c dim 0 layout(<4 = [(4 reg)] threads 32>)
  tile.argreduce max %i into %a, %c dim 0 layout(#tile.distributed<4 = [(4 reg)] threads 32>) : !I into !One, !One
}
