// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s

// Runs of four registers, 32 lanes by five shuffles, then one exchange of what two warps and two registers say.
// CHECK-LABEL: simt.kernel @prefix(
// CHECK: simt.shared{{.*}}memref<4xf32, #simt.shared>
// CHECK-NOT: = simt.shared
// CHECK: simt.barrier
// CHECK-NOT: simt.shuffle
// CHECK: simt.move {{.*}} bytes 16 {simt.padded} : memref<4xf32, #simt.shared>
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @prefix_careful(
tile.kernel @prefix(%x: memref<1x512xf32>, %y: memref<1x512xf32>) grid(%b) in (1) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : memref<1x512xf32, #tile.fragment>
  tile.copy %x to %r : memref<1x512xf32> to memref<1x512xf32, #tile.fragment>
  tile.scan sum %r into %r dim 1 : memref<1x512xf32, #tile.fragment> into memref<1x512xf32, #tile.fragment>
  tile.copy %r to %y : memref<1x512xf32, #tile.fragment> to memref<1x512xf32>
}

// One warp: the last lane says the total of each register to all, no memory is shared.
// CHECK-LABEL: simt.kernel @warp(
// CHECK-COUNT-5: simt.shuffle up
// CHECK: simt.shuffle idx
// CHECK-NOT: simt.shared
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @warp_careful(
tile.kernel @warp(%x: memref<1x512xf32>, %y: memref<1x512xf32>) grid(%b) in (1) threads(32) disjoint(%x, %y) {
  %r = tile.alloc_fragment : memref<1x512xf32, #tile.fragment>
  tile.copy %x to %r : memref<1x512xf32> to memref<1x512xf32, #tile.fragment>
  tile.scan sum %r into %r dim 1 : memref<1x512xf32, #tile.fragment> into memref<1x512xf32, #tile.fragment>
  tile.copy %r to %y : memref<1x512xf32, #tile.fragment> to memref<1x512xf32>
}

// Down the rows, which are registers of one thread: no thread asks another.
// CHECK-LABEL: simt.kernel @columns(
// CHECK-NOT: simt.shuffle
// CHECK-NOT: simt.shared
tile.kernel @columns(%x: memref<8x32xf16>, %y: memref<8x32xf16>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment layout(#tile.distributed<8x32 = [(8 reg), (32 thread)] threads 32>) : memref<8x32xf16, #tile.fragment>
  tile.copy %x to %r : memref<8x32xf16> to memref<8x32xf16, #tile.fragment>
  tile.scan prod %r into %r dim 0 reverse exclusive : memref<8x32xf16, #tile.fragment> into memref<8x32xf16, #tile.fragment>
  tile.copy %r to %y : memref<8x32xf16, #tile.fragment> to memref<8x32xf16>
}

// Values and indices travel together, and meet behind one barrier.
// CHECK-LABEL: simt.kernel @pairs(
// CHECK: simt.shuffle xor {{.*}} : f32, i32
// CHECK: simt.shuffle xor {{.*}} : i32, i32
// CHECK: simt.barrier
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @pairs_careful(
tile.kernel @pairs(%x: memref<256xf32>, %v: memref<f32>, %i: memref<i32>) grid(%b) in (1) threads(64) disjoint(%x, %v, %i) {
  %r = tile.alloc_fragment : memref<256xf32, #tile.fragment>
  %best = tile.alloc_fragment : memref<f32, #tile.fragment>
  %at = tile.alloc_fragment : memref<i32, #tile.fragment>
  tile.copy %x to %r : memref<256xf32> to memref<256xf32, #tile.fragment>
  tile.argreduce max %r into %best, %at dim 0 : memref<256xf32, #tile.fragment> into memref<f32, #tile.fragment>, memref<i32, #tile.fragment>
  tile.copy %best to %v : memref<f32, #tile.fragment> to memref<f32>
  tile.copy %at to %i : memref<i32, #tile.fragment> to memref<i32>
}
