// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s

// Sixteen bytes a thread along the contiguous axis, lanes along it; the reduction works in its source's layout.
// CHECK-LABEL: tile.kernel @row
tile.kernel @row(%x: memref<1x512xf32>, %y: memref<1xf32>) grid(%b) in (1) threads(64) {
  // CHECK: tile.alloc_fragment layout(#tile.distributed<1x512 = [(), (2 reg * 4, 64 thread, 4 reg)] threads 64>)
  %r = tile.alloc_fragment : memref<1x512xf32, #tile.fragment>
  // Every thread holds a copy of what all of them need.
  // CHECK: tile.alloc_fragment layout(#tile.distributed<1 = [()] threads 64 copies (64 thread)>)
  %s = tile.alloc_fragment : memref<1xf32, #tile.fragment>
  // A copy is laid out without the leading dimensions of one.
  // CHECK: tile.copy %x to %r layout(#tile.distributed<512 = [(2 reg * 4, 64 thread, 4 reg)] threads 64>)
  tile.copy %x to %r : memref<1x512xf32> to memref<1x512xf32, #tile.fragment>
  // CHECK: tile.reduce sum %r into %s dim 1 layout(<1x512 = [(), (2 reg * 4, 64 thread, 4 reg)] threads 64>)
  tile.reduce sum %r into %s dim 1 : memref<1x512xf32, #tile.fragment> into memref<1xf32, #tile.fragment>
  tile.copy %s to %y : memref<1xf32, #tile.fragment> to memref<1xf32>
}

// A size no power of two divides: the threads left over are idle, nothing is held twice.
// CHECK-LABEL: tile.kernel @odd
tile.kernel @odd(%x: memref<100xf32>) grid(%b) in (1) threads(48) {
  // CHECK: tile.parallel %i in (100) layout(#tile.distributed<100 = [(25 thread, 4 reg)] threads 48>)
  tile.parallel %i in (100) {
    %v = tile.load %x[%i] : memref<100xf32>
    tile.store %v, %x[%i] : memref<100xf32>
  }
}

// What the user pinned stays, and the copy that writes it follows.
// CHECK-LABEL: tile.kernel @pinned
tile.kernel @pinned(%x: memref<128xf32>) grid(%b) in (1) threads(32) {
  // CHECK: tile.alloc_fragment layout(#tile.distributed<128 = [(4 reg, 32 thread)] threads 32>)
  %r = tile.alloc_fragment layout(#tile.distributed<128 = [(4 reg, 32 thread)] threads 32>) : memref<128xf32, #tile.fragment>
  // CHECK: tile.copy %x to %r layout(#tile.distributed<128 = [(4 reg, 32 thread)] threads 32>)
  tile.copy %x to %r : memref<128xf32> to memref<128xf32, #tile.fragment>
  tile.copy %r to %x : memref<128xf32, #tile.fragment> to memref<128xf32>
}
