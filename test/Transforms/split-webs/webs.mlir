// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-split-webs))" -split-input-file | FileCheck %s

// A copy, a fill, a loop and reductions each begin another fragment; what reads the old value, or writes a part, does not.
// CHECK-LABEL: tile.kernel @splits
// CHECK: %r = tile.alloc_fragment
// CHECK-NEXT: %[[R1:.*]] = tile.alloc_fragment
// CHECK-NEXT: %[[R2:.*]] = tile.alloc_fragment
// CHECK-NEXT: %[[R3:.*]] = tile.alloc_fragment
// CHECK: %s = tile.alloc_fragment
// CHECK-NEXT: %[[S1:.*]] = tile.alloc_fragment
// CHECK: tile.copy %x[0, 0] to %r
// CHECK: tile.reduce sum %r into %s dim 1
// CHECK: tile.load %r[
// CHECK: tile.store %{{.*}}, %r[
// CHECK: tile.reduce max %r into %[[S1]] dim 1
// CHECK: tile.copy %x[4, 0] to %[[R1]]
// CHECK: tile.reduce sum %[[R1]] into %[[S1]] dim 1 accumulate
// CHECK: tile.store %{{.*}}, %[[R2]][
// CHECK: tile.store %{{.*}}, %[[R2]][
// CHECK: tile.fill %[[R3]]
// CHECK: tile.copy %[[R3]] to %y
!X = memref<8x64xf32>
!R = memref<4x64xf32, #tile.fragment>
!S = memref<4xf32, #tile.fragment>
tile.kernel @splits(%x: !X, %y: memref<4x64xf32>, %o: memref<4xf32>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment : !R
  %s = tile.alloc_fragment : !S
  tile.copy %x[0, 0] to %r : !X to !R
  tile.reduce sum %r into %s dim 1 : !R into !S
  tile.parallel (%i, %j) in (4, 64) {
    %v = tile.load %r[%i, %j] : !R
    %m = tile.load %s[%i] : !S
    %d = arith.subf %v, %m : f32
    tile.store %d, %r[%i, %j] : !R
  }
  tile.reduce max %r into %s dim 1 : !R into !S
  tile.copy %x[4, 0] to %r : !X to !R
  tile.reduce sum %r into %s dim 1 accumulate : !R into !S
  tile.parallel (%i, %j) in (4, 64) {
    %m = tile.load %s[%i] : !S
    tile.store %m, %r[%i, %j] : !R
  }
  tile.parallel (%i, %j) in (4, 32) {
    %m = tile.load %s[%i] : !S
    tile.store %m, %r[%i, %j] : !R
  }
  tile.fill %r with 1.0 : !R
  tile.copy %r to %y : !R to memref<4x64xf32>
  tile.copy %s to %o : !S to memref<4xf32>
}

// -----

// In a loop, and what a loop carries from trip to trip; pins and views.
// CHECK-LABEL: tile.kernel @loops
// CHECK: %fresh = tile.alloc_fragment
// CHECK-NEXT: %[[AGAIN:.*]] = tile.alloc_fragment : memref<64xf32
// CHECK-NEXT: %carried = tile.alloc_fragment
// CHECK-NEXT: %pinned = tile.alloc_fragment layout
// CHECK-NEXT: %seen = tile.alloc_fragment
// CHECK-NEXT: tile.alloc_fragment : memref<32xf32
// CHECK-NEXT: tile.reshape
// CHECK: tile.serial
// CHECK: tile.copy %fresh to %y
// CHECK: tile.fill %[[AGAIN]] with 2.0
// CHECK: tile.copy %[[AGAIN]] to %y
!Y = memref<?xf32>
!F = memref<64xf32, #tile.fragment>
tile.kernel @loops[%N](%y[%N]: !Y) grid(%b) in (1) threads(32) {
  %fresh = tile.alloc_fragment : !F
  %carried = tile.alloc_fragment : !F
  %pinned = tile.alloc_fragment layout(#tile.distributed<64 = [(2 reg * 32, 32 thread)] threads 32>) : !F
  %seen = tile.alloc_fragment : !F
  %sums = tile.alloc_fragment : memref<32xf32, #tile.fragment>
  %view = tile.reshape %seen : !F to memref<2x32xf32, #tile.fragment>
  tile.fill %carried with 0.0 : !F
  tile.serial %k in (4) {
    tile.fill %fresh with 1.0 : !F
    tile.copy %fresh to %y[%k * 64] : !F to !Y
    tile.fill %fresh with 2.0 : !F
    tile.copy %fresh to %y[%k * 64] : !F to !Y
    tile.copy %carried to %y[%k * 64] : !F to !Y
    tile.fill %carried with 3.0 : !F
    tile.fill %pinned with 4.0 : !F
    tile.copy %pinned to %y[%k * 64] : !F to !Y
    tile.fill %pinned with 5.0 : !F
    tile.fill %seen with 6.0 : !F
    tile.copy %seen to %y[%k * 64] : !F to !Y
    tile.fill %seen with 7.0 : !F
    tile.reduce sum %view into %sums dim 0 : memref<2x32xf32, #tile.fragment> into memref<32xf32, #tile.fragment>
  }
}
