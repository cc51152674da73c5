// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Reductions of each kind.

!F = memref<4x8xf32, #tile.fragment>
!R = memref<4xf32, #tile.fragment>
!C = memref<8xf32, #tile.shared>
!I = memref<8xi1, #tile.shared>
!O = memref<i1, #tile.fragment>
// CHECK-LABEL: tile.kernel @f() grid(%b) in (1) threads(32)
tile.kernel @f() grid(%b) in (1) threads(32) {
  // CHECK: %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %x = tile.alloc_fragment : !F
  // CHECK: %y = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %y = tile.alloc_fragment : !R
  // CHECK: %z = tile.alloc_shared : memref<8xf32, #tile.shared>
  %z = tile.alloc_shared : !C
  // CHECK: %i = tile.alloc_shared : memref<8xi1, #tile.shared>
  %i = tile.alloc_shared : !I
  // CHECK: %o = tile.alloc_fragment : memref<i1, #tile.fragment>
  %o = tile.alloc_fragment : !O
  // CHECK: tile.reduce sum %x into %y dim 1 accumulate : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce sum %x into %y dim 1 accumulate : !F into !R
  // CHECK: tile.reduce mean %x into %z dim 0 : memref<4x8xf32, #tile.fragment> into memref<8xf32, #tile.shared>
  tile.reduce mean %x into %z dim 0 : !F into !C
  // CHECK: tile.reduce prod %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce prod %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce max %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce max %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce min %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce min %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce maxnum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce maxnum %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce minnum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce minnum %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce absmax %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce absmax %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce abssum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.reduce abssum %x into %y dim 1 : !F into !R
  // CHECK: tile.reduce umax %i into %o dim 0 : memref<8xi1, #tile.shared> into memref<i1, #tile.fragment>
  tile.reduce umax %i into %o dim 0 : !I into !O
  // CHECK: tile.reduce umin %i into %o dim 0 : memref<8xi1, #tile.shared> into memref<i1, #tile.fragment>
  tile.reduce umin %i into %o dim 0 : !I into !O
  // CHECK: tile.reduce and %i into %o dim 0 : memref<8xi1, #tile.shared> into memref<i1, #tile.fragment>
  tile.reduce and %i into %o dim 0 : !I into !O
  // CHECK: tile.reduce or %i into %o dim 0 accumulate : memref<8xi1, #tile.shared> into memref<i1, #tile.fragment>
  tile.reduce or %i into %o dim 0 accumulate : !I into !O
  // CHECK: tile.reduce xor %i into %o dim 0 : memref<8xi1, #tile.shared> into memref<i1, #tile.fragment>
  tile.reduce xor %i into %o dim 0 : !I into !O
}
