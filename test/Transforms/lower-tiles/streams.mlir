// What streams: read by one block, once, in a kernel that writes little.
// RUN: tile-opt %s --tile-to-simt -split-input-file | FileCheck %s

// Rows of neighbouring blocks are apart. The weights are every block's.
// CHECK-LABEL: simt.kernel @rows(
// CHECK-DAG: arith.cmpi sge, %[[BYTES:bytes[_0-9]*]], %c33554432_i64
// CHECK-DAG: arith.cmpi sle, %[[BYTES]], %c268435456_i64
// CHECK: %[[BOTH:.+]] = arith.andi
// CHECK: %streams = simt.split %[[BOTH]]
// CHECK: simt.move %x[{{.*}}bytes 16 streams %streams
// CHECK: simt.move %w[
// CHECK-NOT: streams
// CHECK: simt.kernel @rows_careful(
// CHECK-NOT: streams
!X = memref<?x1024xf32>
!W = memref<1024xf32>
!Y = memref<?xf32>
!T = memref<4x1024xf32, #tile.fragment>
!S = memref<4xf32, #tile.fragment>
tile.kernel @rows[%N](%x[%N, 1024]: !X, %w: !W, %y[%N]: !Y) grid(%b) in (%N ceildiv 4) threads(128) disjoint(%x, %w, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.parallel (%i, %j) in (4, 1024) {
    %v = tile.load %x[%b * 4 + %i, %j] : !X
    %u = tile.load %w[%j] : !W
    %p = arith.mulf %v, %u : f32
    tile.store %p, %t[%i, %j] : !T
  }
  tile.reduce sum %t into %s dim 1 : !T into !S
  tile.copy %s to %y[%b * 4] : !S to !Y
}

// -----

// Rows that two blocks read, a tensor that is read twice, a loop, as many writes as reads: no stream.
// CHECK-LABEL: simt.kernel @overlapping(
// CHECK-NOT: streams
!X = memref<?x1024xf32>
!Y = memref<?xf32>
!T = memref<4x1024xf32, #tile.fragment>
!S = memref<4xf32, #tile.fragment>
tile.kernel @overlapping[%N](%x[%N, 1024]: !X, %y[%N]: !Y) grid(%b) in (%N ceildiv 3) threads(128) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.copy %x[%b * 3, 0] to %t : !X to !T
  tile.reduce sum %t into %s dim 1 : !T into !S
  tile.copy %s to %y[%b * 3] : !S to !Y
}
tile.kernel @twice[%N](%x[%N, 1024]: !X, %y[%N]: !Y) grid(%b) in (%N ceildiv 4) threads(128) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.copy %x[%b * 4, 0] to %t : !X to !T
  tile.reduce sum %t into %s dim 1 : !T into !S
  tile.copy %s to %y[%b * 4] : !S to !Y
  tile.copy %x[%b * 4, 0] to %t : !X to !T
  tile.reduce max %t into %s dim 1 : !T into !S
  tile.copy %s to %y[%b * 4] : !S to !Y
}
tile.kernel @loop[%N](%x[%N, 1024]: !X, %y[%N]: !Y) grid(%b) in (%N ceildiv 16) threads(128) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.serial %k in (4) {
    tile.copy %x[%b * 16 + %k * 4, 0] to %t : !X to !T
    tile.reduce sum %t into %s dim 1 : !T into !S
    tile.copy %s to %y[%b * 16 + %k * 4] : !S to !Y
  }
}
tile.kernel @scaled[%N](%x[%N, 1024]: !X, %y[%N, 1024]: !X) grid(%b) in (%N ceildiv 4) threads(128) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  tile.copy %x[%b * 4, 0] to %t : !X to !T
  tile.copy %t to %y[%b * 4, 0] : !T to !X
}
tile.kernel @columns[%N](%x[%N, 1024]: !X, %y[%N]: !Y) grid(%b, %c) in (%N ceildiv 4, 2) threads(128) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.copy %x[%b * 4, 0] to %t : !X to !T
  tile.reduce sum %t into %s dim 1 : !T into !S
  tile.copy %s to %y[%b * 4] : !S to !Y
}

// -----

// Of tensors whose size is known, all is known.
// CHECK-LABEL: simt.kernel @known(
// CHECK-NOT: simt.split
// CHECK: simt.move %x[{{.*}}bytes 16 streams %true
// CHECK: simt.kernel @small(
// CHECK-NOT: simt.split
// CHECK-NOT: streams
!S = memref<f32, #tile.fragment>
!T = memref<1024xf32, #tile.fragment>
tile.kernel @known(%x: memref<8192x1024xf32>, %y: memref<8192xf32>) grid(%b) in (8192) threads(64) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.copy %x[%b, 0] to %t : memref<8192x1024xf32> to !T
  tile.reduce sum %t into %s dim 0 : !T into !S
  tile.copy %s to %y[%b] : !S to memref<8192xf32>
}
tile.kernel @small(%x: memref<8191x1024xf32>, %y: memref<8191xf32>) grid(%b) in (8191) threads(64) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !T
  %s = tile.alloc_fragment : !S
  tile.copy %x[%b, 0] to %t : memref<8191x1024xf32> to !T
  tile.reduce sum %t into %s dim 0 : !T into !S
  tile.copy %s to %y[%b] : !S to memref<8191xf32>
}
