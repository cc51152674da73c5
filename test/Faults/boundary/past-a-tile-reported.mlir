// The same with a size known at launch only: inside is right, one past the end is a fault with its line.
// RUN: tile-run %s --device sim --variant all --arg n=2 | FileCheck %s --check-prefix=INSIDE
// RUN: %status 1 tile-run %s --device sim --arg n=3 | FileCheck %s
// INSIDE: verdict: right
// CHECK: past-a-tile-reported.mlir:[[#@LINE+11]]:{{[0-9]+}}: error: {{.*}}8
// GPU: %status 1 tile-run %s --device gpu --no-check --checked --arg n=3
// GPU: %status 0 tile-run %s --device gpu --checked --variant all --arg n=2
// GPU-SAYS-1: error: accesses element [8] of shared tile %s, whose shape is [8]
!S = memref<8xf32, #tile.shared>
tile.kernel @shared(%o: memref<8xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !S
  %one = arith.constant 1.0 : f32
  tile.fill %s with 0.0 : !S
  tile.parallel %i in (%n) {
    // The line of the fault.
    tile.store %one, %s[%i + 6] : !S
  }
  tile.copy %s to %o : !S to memref<8xf32>
}
