// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions))" | FileCheck %s

!A = memref<64x32xf32, #tile.fragment>
!C = memref<32x64xf32, #tile.fragment>

// The loop suits one fragment; the other passes through shared memory, in the layout it has.
// CHECK-LABEL: tile.kernel @add_turned
tile.kernel @add_turned(%x: memref<64x32xf32>, %y: memref<32x64xf32>) grid(%b) in (1) threads(64) {
  // CHECK: %a = tile.alloc_fragment layout([[LAYOUT:#tile.distributed<[^>]+>]])
  %a = tile.alloc_fragment : !A
  %c = tile.alloc_fragment : !C
  tile.copy %x to %a : memref<64x32xf32> to !A
  tile.copy %y to %c : memref<32x64xf32> to !C
  // CHECK: %[[STAGE:.+]] = tile.alloc_shared : memref<64x32xf32, #tile.shared>
  // CHECK-NEXT: tile.copy %a to %[[STAGE]] layout([[LAYOUT]])
  // CHECK-NEXT: tile.parallel (%i, %j)
  tile.parallel (%i, %j) in (32, 64) {
    // CHECK: tile.load %[[STAGE]][%j, %i]
    %v = tile.load %a[%j, %i] : !A
    // CHECK: tile.load %c[%i, %j]
    %w = tile.load %c[%i, %j] : !C
    %s = arith.addf %v, %w : f32
    tile.store %s, %y[%i, %j] : memref<32x64xf32>
  }
}

// Layouts that agree need no conversion.
// CHECK-LABEL: tile.kernel @agree
// CHECK-NOT: tile.alloc_shared
tile.kernel @agree(%x: memref<64x32xf32>) grid(%b) in (1) threads(64) {
  %a = tile.alloc_fragment : !A
  tile.copy %x to %a : memref<64x32xf32> to !A
  tile.parallel (%i, %j) in (64, 32) {
    %v = tile.load %a[%i, %j] : !A
    tile.store %v, %x[%i, %j] : memref<64x32xf32>
  }
}
