// RUN: tile-opt %s --split-input-file --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies,tile-assign-shared-layouts))" | FileCheck %s
// The layout of a shared tile follows from all its accesses.

!T = memref<32x32xf32, #tile.shared>
!M = memref<32x32xf32>

// Rows are written, columns are read.
// CHECK-LABEL: tile.kernel @transpose
// CHECK: tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 9>)
tile.kernel @transpose(%a: !M, %b: !M) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !T
  tile.copy %a to %s : !M to !T
  tile.parallel (%j, %i) in (32, 32) {
    %x = tile.load %s[%i, %j] : !T
    tile.store %x, %b[%j, %i] : !M
  }
}

// Rows in, rows out: nothing to gain.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.alloc_shared layout(#tile.linear)
tile.kernel @rows(%a: !M, %b: !M) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !T
  tile.copy %a to %s : !M to !T
  tile.copy %s to %b : !T to !M
}

// What the program pins stays, even where it costs.
// CHECK-LABEL: tile.kernel @pinned
// CHECK: tile.alloc_shared layout(#tile.padded<4>)
tile.kernel @pinned(%a: !M, %b: !M) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.padded<4>) : !T
  tile.copy %a to %s : !M to !T
  tile.parallel (%j, %i) in (32, 32) {
    %x = tile.load %s[%i, %j] : !T
    tile.store %x, %b[%j, %i] : !M
  }
}

// An address that depends on data may be anything: rows stay as they are.
// CHECK-LABEL: tile.kernel @gather
// CHECK: tile.alloc_shared layout(#tile.linear)
tile.kernel @gather(%a: !M, %at: memref<32xi32>, %b: !M) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !T
  tile.copy %a to %s : !M to !T
  tile.parallel (%j, %i) in (32, 32) {
    %n = tile.load %at[%i] : memref<32xi32>
    %row = arith.index_castui %n : i32 to index
    %x = tile.load %s[%row, %j] : !T
    tile.store %x, %b[%j, %i] : !M
  }
}
