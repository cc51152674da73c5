// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" -split-input-file | FileCheck %s

// Three warps: the row has four slots, and a thread reads all at once. Only the first thread stores the sum: it alone reads.
// CHECK-LABEL: simt.kernel @three(
// CHECK: %[[S:.+]] = simt.shared : memref<4xf32, #simt.shared>
// CHECK: simt.barrier
// CHECK: scf.if
// CHECK: %[[PART:.+]] = simt.registers : memref<4xf32, #simt.register>
// CHECK: simt.move %[[S]]{{.*}} to %[[PART]]{{.*}} bytes 16 {simt.padded}
// CHECK-NOT: simt.load %[[S]]
// CHECK-LABEL: simt.kernel @three_careful(
tile.kernel @three(%x: memref<768xf32>, %y: memref<f32>) grid(%b) in (1) threads(96) disjoint(%x, %y) {
  %r = tile.alloc_fragment : memref<768xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<f32, #tile.fragment>
  tile.copy %x to %r : memref<768xf32> to memref<768xf32, #tile.fragment>
  tile.reduce sum %r into %s dim 0 : memref<768xf32, #tile.fragment> into memref<f32, #tile.fragment>
  tile.copy %s to %y : memref<f32, #tile.fragment> to memref<f32>
}

// -----

// Six warps: sixteen bytes, then eight. Every thread scales by the sum: all of them read.
// CHECK-LABEL: simt.kernel @six(
// CHECK: %[[S:.+]] = simt.shared : memref<8xf32, #simt.shared>
// CHECK: simt.barrier
// CHECK-NOT: scf.if
// CHECK: simt.move %[[S]]{{.*}} bytes 16 :
// CHECK: simt.move %[[S]]{{.*}} bytes 8 :
// CHECK-NOT: simt.load %[[S]]
// CHECK-LABEL: simt.kernel @six_careful(
tile.kernel @six(%x: memref<768xf32>) grid(%b) in (1) threads(192) {
  %r = tile.alloc_fragment : memref<768xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<f32, #tile.fragment>
  tile.copy %x to %r : memref<768xf32> to memref<768xf32, #tile.fragment>
  tile.reduce sum %r into %s dim 0 : memref<768xf32, #tile.fragment> into memref<f32, #tile.fragment>
  tile.parallel %i in (768) {
    %v = tile.load %r[%i] : memref<768xf32, #tile.fragment>
    %m = tile.load %s[] : memref<f32, #tile.fragment>
    %q = arith.divf %v, %m : f32
    tile.store %q, %x[%i] : memref<768xf32>
  }
}

// -----

// Values of eight bytes come two at a time, indices beside them four.
// CHECK-LABEL: simt.kernel @pairs(
// CHECK: %[[V:.+]] = simt.shared : memref<4xf64, #simt.shared>
// CHECK: %[[I:.+]] = simt.shared : memref<4xi32, #simt.shared>
// CHECK: simt.barrier
// CHECK: scf.for
// CHECK-NEXT: simt.move %[[V]]{{.*}} bytes 16 :
// CHECK: simt.move %[[I]]{{.*}} bytes 16 :
// CHECK-LABEL: simt.kernel @pairs_careful(
tile.kernel @pairs(%x: memref<512xf64>, %v: memref<f64>, %i: memref<i32>) grid(%b) in (1) threads(128) disjoint(%x, %v, %i) {
  %r = tile.alloc_fragment : memref<512xf64, #tile.fragment>
  %best = tile.alloc_fragment : memref<f64, #tile.fragment>
  %at = tile.alloc_fragment : memref<i32, #tile.fragment>
  tile.copy %x to %r : memref<512xf64> to memref<512xf64, #tile.fragment>
  tile.argreduce max %r into %best, %at dim 0 : memref<512xf64, #tile.fragment> into memref<f64, #tile.fragment>, memref<i32, #tile.fragment>
  tile.copy %best to %v : memref<f64, #tile.fragment> to memref<f64>
  tile.copy %at to %i : memref<i32, #tile.fragment> to memref<i32>
}

// -----

// The lanes of a warp have 32 columns: their slots lie in neighbouring banks, and are read one by one.
// CHECK-LABEL: simt.kernel @columns(
// CHECK: %[[S:.+]] = simt.shared : memref<128xf32, #simt.shared>
// CHECK: simt.barrier
// CHECK-NOT: simt.move %[[S]]
// CHECK: simt.load %[[S]]
tile.kernel @columns(%x: memref<32x32xf32>, %y: memref<32xf32>) grid(%b) in (1) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<32x32 = [(4 thread * 32, 8 reg), (32 thread)] threads 128>) : memref<32x32xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<32xf32, #tile.fragment>
  tile.copy %x to %r : memref<32x32xf32> to memref<32x32xf32, #tile.fragment>
  tile.reduce sum %r into %s dim 0 : memref<32x32xf32, #tile.fragment> into memref<32xf32, #tile.fragment>
  tile.copy %s to %y : memref<32xf32, #tile.fragment> to memref<32xf32>
}

// -----

// Two warps of a scan: the total of the second precedes nothing, so one element is all that is read.
// CHECK-LABEL: simt.kernel @prefix(
// CHECK: %[[S:.+]] = simt.shared : memref<2xf32, #simt.shared>
// CHECK: simt.barrier
// CHECK-COUNT-1: simt.load %[[S]]
// CHECK-NOT: %[[S]][
// CHECK-LABEL: simt.kernel @prefix_careful(
tile.kernel @prefix(%x: memref<256xf32>) grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment : memref<256xf32, #tile.fragment>
  tile.copy %x to %r : memref<256xf32> to memref<256xf32, #tile.fragment>
  tile.scan sum %r into %r dim 0 : memref<256xf32, #tile.fragment> into memref<256xf32, #tile.fragment>
  tile.copy %r to %x : memref<256xf32, #tile.fragment> to memref<256xf32>
}
