// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies,tile-assign-shared-layouts))" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies,tile-assign-shared-layouts{limit=12288}))" | FileCheck %s --check-prefix=FULL
// What a layout may not do.

!T = memref<96x25xf32, #tile.shared>
!M = memref<96x25xf32>

// Rows of 100 bytes are rounded up to whole vectors where there is room.
// CHECK-LABEL: tile.kernel @rounded
// CHECK: tile.alloc_shared layout(#tile.{{padded<3>|xor<.*padded 3>}})
// FULL-LABEL: tile.kernel @rounded
// FULL: tile.alloc_shared layout(#tile.{{padded<3>|xor<.*padded 3>}})
tile.kernel @rounded(%a: !M, %b: memref<25x96xf32>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !T
  tile.parallel (%i, %j) in (96, 25) layout(#tile.distributed<96x25 = [(24 reg * 4, 4 thread * 8), (8 thread, 4 reg)] threads 32>) {
    %x = tile.load %a[%i, %j] : !M
    tile.store %x, %s[%i, %j] : !T
  }
}

// Two tiles that fill the memory: neither becomes longer.
// FULL-LABEL: tile.kernel @full
// FULL-NOT: padded
// FULL-LABEL: tile.kernel @seen_as_one_row
tile.kernel @full(%a: !M, %b: memref<25x96xf32>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !T
  %t = tile.alloc_shared : memref<650xf32, #tile.shared>
  tile.parallel (%i, %j) in (96, 25) layout(#tile.distributed<96x25 = [(24 reg * 4, 4 thread * 8), (8 thread, 4 reg)] threads 32>) {
    %x = tile.load %a[%i, %j] : !M
    tile.store %x, %s[%i, %j] : !T
  }
  tile.fill %t with 0.0 : memref<650xf32, #tile.shared>
}

// A tile that is looked at as one row of other elements keeps its rows as they are, and pieces as large as those elements.
// CHECK-LABEL: tile.kernel @seen_as_one_row
// CHECK-NOT: padded
// CHECK: tile.alloc_shared layout(#tile.xor<unit {{8|16|32}}
// CHECK-NOT: padded
tile.kernel @seen_as_one_row(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<512xf64>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<32x32xf32, #tile.shared>
  %r = tile.reshape %s : memref<32x32xf32, #tile.shared> to memref<1024xf32, #tile.shared>
  %v = tile.view %r : memref<1024xf32, #tile.shared> to memref<512xf64, #tile.shared>
  tile.copy %a to %s : memref<32x32xf32> to memref<32x32xf32, #tile.shared>
  tile.parallel (%j, %i) in (32, 32) layout(#tile.distributed<32x32 = [(32 reg), (32 thread)] threads 32>) {
    %x = tile.load %s[%i, %j] : memref<32x32xf32, #tile.shared>
    tile.store %x, %b[%j, %i] : memref<32x32xf32>
  }
  tile.copy %v to %c : memref<512xf64, #tile.shared> to memref<512xf64>
}
