// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles{checked})" | FileCheck %s
// RUN: tile-opt %s --tile-to-simt="checked" | FileCheck %s --check-prefix=FINAL
// RUN: tile-opt %s --tile-to-simt | FileCheck %s --check-prefix=PLAIN

// One check for each access whose index is not proven inside, none for global memory.
// CHECK-LABEL: simt.kernel @index
// CHECK: simt.check %{{.+}}, "accesses element [{}] of shared tile %s, whose shape is [8]"(%{{.+}} : index)
// CHECK: simt.store
// CHECK-NOT: simt.check
// PLAIN-NOT: simt.check
// FINAL-LABEL: simt.kernel @index
// FINAL-COUNT-1: simt.check
// FINAL-NOT: simt.check
tile.kernel @index(%x: memref<8xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<8xf32, #tile.shared>
  tile.fill %s with 0.0 : memref<8xf32, #tile.shared>
  tile.parallel %i in (1) {
    %v = tile.load %x[%n] : memref<8xf32>
    tile.store %v, %s[%n + 1] : memref<8xf32, #tile.shared>
  }
  tile.parallel %i in (8) {
    %v = tile.load %s[7 - %i] : memref<8xf32, #tile.shared>
    %w = tile.load %s[(%n + %i) mod 8] : memref<8xf32, #tile.shared>
    %u = arith.addf %v, %w : f32
    tile.store %u, %x[%i] : memref<8xf32>
  }
}

// A byte is below 256: seen by the ranges of the final form.
// CHECK-LABEL: simt.kernel @loaded
// CHECK: simt.check
// FINAL-LABEL: simt.kernel @loaded
// FINAL-NOT: simt.check
tile.kernel @loaded(%x: memref<8xi8>, %o: memref<8xf32>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<256xf32, #tile.shared>
  tile.fill %s with 0.0 : memref<256xf32, #tile.shared>
  tile.parallel %i in (8) {
    %b = tile.load %x[%i] : memref<8xi8>
    %w = arith.extui %b : i8 to i32
    %k = arith.index_cast %w : i32 to index
    %v = tile.load %s[%k] : memref<256xf32, #tile.shared>
    tile.store %v, %o[%i] : memref<8xf32>
  }
}
