// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s

// Two bodies: the fast one moves sixteen bytes and asks for aligned pointers, the careful one asks for nothing.
// CHECK-LABEL: simt.kernel @add_one(
// CHECK-SAME: #simt.requirement<pointer_multiple 0 bytes 16>
// CHECK: simt.move %x{{.*}} bytes 16
// CHECK: simt.move %{{.*}} to %x{{.*}} bytes 16
// CHECK-LABEL: simt.kernel @add_one_careful(
// CHECK-SAME: requirements = []
// CHECK-NOT: bytes 16
// CHECK: simt.load %x
// CHECK: simt.store %{{.*}}, %x
tile.kernel @add_one[%N](%x[%N]: memref<?xf32>) grid(%b) in (%N ceildiv 128) threads(32) {
  tile.parallel %i in (128) {
    %one = arith.constant 1.0 : f32
    %v = tile.load %x[%b * 128 + %i] : memref<?xf32>
    %s = arith.addf %v, %one : f32
    tile.store %s, %x[%b * 128 + %i] : memref<?xf32>
  }
}

// A reduction is registers, then shuffles, then one exchange through shared memory.
// CHECK-LABEL: simt.kernel @total(
// CHECK: arith.addf
// CHECK: simt.shuffle
// CHECK: simt.store {{.*}} #simt.shared
// CHECK: simt.move {{.*}} bytes 8 : memref<2xf32, #simt.shared>
tile.kernel @total(%x: memref<1x256xf32>, %y: memref<1xf32>) grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment : memref<1x256xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<1xf32, #tile.fragment>
  tile.copy %x to %r : memref<1x256xf32> to memref<1x256xf32, #tile.fragment>
  tile.reduce sum %r into %s dim 1 : memref<1x256xf32, #tile.fragment> into memref<1xf32, #tile.fragment>
  tile.copy %s to %y : memref<1xf32, #tile.fragment> to memref<1xf32>
}
