// What a solution costs includes its conversions, also those of what a reduction leaves.
// RUN: tile-opt %s --mlir-disable-threading --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts{print-solutions=true}))" -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-run %s --kernel kept --explain | FileCheck %s --check-prefix=KEPT
// RUN: tile-run %s --kernel said --explain | FileCheck %s --check-prefix=SAID

!Tile = memref<8x32xf32, #tile.fragment>
!Row  = memref<8xf32, #tile.fragment>

// The reduction leaves all sums in every lane: each takes its own, which is no conversion to speak of.
// CHECK: solution 0
// CHECK-NEXT: barriers 0 {{.*}} conversions 0
// CHECK-NEXT: copy x to r: 8x32 = [(8 reg), (32 thread)]
// KEPT: conversions
// KEPT: s {{ *}}{{[0-9.]+}} {{ *}}[[#@LINE+5]], [[#@LINE+6]] {{ *}}registers {{ *}}1 move, 7 selections
tile.kernel @kept(%x: memref<8x32xf32>, %y: memref<8xf32>) grid(%b) in (1) threads(32) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<8x32 = [(8 reg), (32 thread)] threads 32>) : !Tile
  %s = tile.alloc_fragment layout(#tile.distributed<8 = [(8 thread)] threads 32 copies (4 thread * 8)>) : !Row
  tile.copy %x to %r : memref<8x32xf32> to !Tile
  tile.reduce sum %r into %s dim 1 : !Tile into !Row
  tile.copy %s to %y : !Row to memref<8xf32>
}

// The other way each lane must hear of the others' sums.
// CHECK: solution 0
// CHECK-NEXT: conversions 1
// CHECK-NEXT: copy x to r: 8x32 = [(8 thread), (4 thread * 8, 8 reg)]
// SAID: conversions
// SAID: s {{ *}}{{[0-9.]+}} {{ *}}[[#@LINE+5]], [[#@LINE+6]] {{ *}}through shared memory
tile.kernel @said(%x: memref<8x32xf32>, %y: memref<8xf32>) grid(%b) in (1) threads(32) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<8x32 = [(8 thread), (4 thread * 8, 8 reg)] threads 32>) : !Tile
  %s = tile.alloc_fragment layout(#tile.distributed<8 = [(8 reg)] threads 32 copies (32 thread)>) : !Row
  tile.copy %x to %r layout(#tile.distributed<8x32 = [(8 thread), (4 thread * 8, 8 reg)] threads 32>) : memref<8x32xf32> to !Tile
  tile.reduce sum %r into %s dim 1 : !Tile into !Row
  tile.copy %s to %y layout(#tile.distributed<8 = [(8 reg)] threads 32 copies (32 thread)>) : !Row to memref<8xf32>
}
