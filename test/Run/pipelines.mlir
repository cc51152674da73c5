// A pipelined loop gives what the serial loop gives: any number of stages and trips, one after another, whatever is read
// after it.

// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=0 "-DLOOP=serial %k in (%n)" --out o=%t.0.npy
// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=1 "-DLOOP=serial %k in (%n)" --out o=%t.1.npy
// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=2 "-DLOOP=serial %k in (%n)" --out o=%t.2.npy
// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=3 "-DLOOP=serial %k in (%n)" --out o=%t.3.npy
// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=4 "-DLOOP=serial %k in (%n)" --out o=%t.4.npy
// RUN: tile-run %s --kernel sums --device sim --no-check --arg n=5 "-DLOOP=serial %k in (%n)" --out o=%t.5.npy
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=0 "-DLOOP=pipelined %k in (%n) stages(1)" --expect o=%t.0.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=2 "-DLOOP=pipelined %k in (%n) stages(1)" --expect o=%t.2.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=0 "-DLOOP=pipelined %k in (%n) stages(2)" --expect o=%t.0.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=1 "-DLOOP=pipelined %k in (%n) stages(2)" --expect o=%t.1.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=3 "-DLOOP=pipelined %k in (%n) stages(2)" --expect o=%t.3.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=1 "-DLOOP=pipelined %k in (%n) stages(3)" --expect o=%t.1.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=2 "-DLOOP=pipelined %k in (%n) stages(3)" --expect o=%t.2.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=3 "-DLOOP=pipelined %k in (%n) stages(3)" --expect o=%t.3.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=4 "-DLOOP=pipelined %k in (%n) stages(3)" --expect o=%t.4.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=0 "-DLOOP=pipelined %k in (%n) stages(4)" --expect o=%t.0.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=3 "-DLOOP=pipelined %k in (%n) stages(4)" --expect o=%t.3.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=4 "-DLOOP=pipelined %k in (%n) stages(4)" --expect o=%t.4.npy | FileCheck %s
// RUN: tile-run %s --kernel sums --device sim --variant all --arg n=5 "-DLOOP=pipelined %k in (%n) stages(4)" --expect o=%t.5.npy | FileCheck %s
// CHECK: verdict: right
// $LOOP = serial %k in (%n)
!X = memref<16x160xf32>
!Tile = memref<16x32xf32, #tile.shared>
!Sum = memref<16x32xf32, #tile.fragment>
tile.kernel @sums(%x: !X, %o: memref<16x32xf32>, %n: index) grid(%g) in (1) threads(64) {
  %t = tile.alloc_shared : !Tile
  %sum = tile.alloc_fragment : !Sum
  tile.fill %sum with 1.0 : !Sum
  tile.$LOOP {
    tile.copy %x[0, %k * 32] to %t : !X to !Tile
    tile.parallel (%i, %j) in (16, 32) {
      %v = tile.load %t[15 - %i, 31 - %j] : !Tile
      %w = tile.load %sum[%i, %j] : !Sum
      %u = arith.addf %v, %w : f32
      tile.store %u, %sum[%i, %j] : !Sum
    }
  }
  tile.copy %sum to %o : !Sum to memref<16x32xf32>
}

// Two loops one after the other share their tiles and differ in stages; after each, its tiles hold the last trip's data,
// also as elements of another width.
// RUN: tile-run %s --kernel two --device sim --variant all -DFIRST=2 -DSECOND=4 | FileCheck %s
// RUN: tile-run %s --kernel two --device sim --variant all -DFIRST=4 -DSECOND=2 | FileCheck %s
// RUN: tile-run %s --kernel two --device sim --variant all -DFIRST=3 -DSECOND=1 | FileCheck %s
// $FIRST = 2
// $SECOND = 4
!Bits = memref<16x64xi16, #tile.shared>
tile.kernel @two(%x: !X, %o: memref<16x32xf32>, %p: memref<16x64xi16>, %q: memref<16x32xf32>) grid(%g) in (1) threads(96) {
  %t = tile.alloc_shared : !Tile
  %sum = tile.alloc_fragment : !Sum
  %bits = tile.view %t : !Tile to !Bits
  tile.fill %sum with 0.0 : !Sum
  tile.pipelined %k in (5) stages($FIRST) {
    tile.copy %x[0, %k * 32] to %t : !X to !Tile
    tile.parallel (%i, %j) in (16, 32) {
      %v = tile.load %t[%i, %j] : !Tile
      %w = tile.load %sum[%i, %j] : !Sum
      %u = arith.addf %v, %w : f32
      tile.store %u, %sum[%i, %j] : !Sum
    }
  }
  tile.copy %bits to %p : !Bits to memref<16x64xi16>
  tile.pipelined %k in (3) stages($SECOND) {
    tile.copy %x[0, %k * 32 + 7] to %t : !X to !Tile
    tile.parallel (%i, %j) in (16, 32) {
      %v = tile.load %t[%i, 31 - %j] : !Tile
      %w = tile.load %sum[%i, %j] : !Sum
      %u = arith.mulf %v, %w : f32
      tile.store %u, %sum[%i, %j] : !Sum
    }
  }
  tile.copy %t to %q : !Tile to memref<16x32xf32>
  tile.copy %sum to %o : !Sum to memref<16x32xf32>
}
