// Conversions between fragments: which register, which lane, which of several; what holds nothing takes part with zero.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles,simt.kernel(tile-simplify,cse))" | FileCheck %s

// Register numbers are constants: selected where threads differ, nothing is shared.
// CHECK-LABEL: simt.kernel @parted(
// CHECK: simt.note "copy r to s in registers"
// CHECK-NOT: simt.shuffle
// CHECK-COUNT-3: arith.select
// CHECK-NOT: arith.select
// CHECK: simt.note "copy s to y"
tile.kernel @parted(%x: memref<4xi8>, %y: memref<4xi8>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment layout(#tile.distributed<4 = [(4 reg)] threads 32 copies (32 thread)>) : memref<4xi8, #tile.fragment>
  %s = tile.alloc_fragment layout(#tile.distributed<4 = [(4 thread)] threads 32 copies (8 thread * 4)>) : memref<4xi8, #tile.fragment>
  tile.copy %x to %r : memref<4xi8> to memref<4xi8, #tile.fragment>
  tile.copy %r to %s : memref<4xi8, #tile.fragment> to memref<4xi8, #tile.fragment>
  tile.copy %s to %y : memref<4xi8, #tile.fragment> to memref<4xi8>
}

// Every lane of the warp shuffles, in straight code; what a lane does not hold is zero. Of 27 elements the last lane
// that holds some has one only.
// CHECK-LABEL: simt.kernel @half(
// CHECK: simt.note "copy r to s by shuffles"
// CHECK: %[[ZERO:.+]] = scf.if %{{.+}} -> (f64)
// CHECK: %[[A:.+]] = simt.shuffle idx %[[ZERO]], %[[LANE:.+]] : f64, index
// CHECK: %[[ONE:.+]] = scf.if %{{.+}} -> (f64)
// CHECK: %[[B:.+]] = simt.shuffle idx %[[ONE]], %[[LANE]] : f64, index
// CHECK: %[[VALUE:.+]] = arith.select %{{.+}}, %[[B]], %[[A]] : f64
// CHECK: simt.store %[[VALUE]], %s
// CHECK-NOT: simt.barrier
// CHECK: simt.note "copy s to y"
tile.kernel @half(%x: memref<27xf64>, %y: memref<27xf64>) grid(%b) in (1) threads(48) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<27 = [(14 thread, 2 reg)] threads 48>) : memref<27xf64, #tile.fragment>
  %s = tile.alloc_fragment layout(#tile.distributed<27 = [(2 reg, 14 thread)] threads 48>) : memref<27xf64, #tile.fragment>
  tile.copy %x to %r layout(#tile.distributed<27 = [(14 thread, 2 reg)] threads 48>) : memref<27xf64> to memref<27xf64, #tile.fragment>
  tile.copy %r to %s : memref<27xf64, #tile.fragment> to memref<27xf64, #tile.fragment>
  tile.copy %s to %y layout(#tile.distributed<27 = [(2 reg, 14 thread)] threads 48>) : memref<27xf64, #tile.fragment> to memref<27xf64>
}
