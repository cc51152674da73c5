// An assertion that fails is a fault with its line and its words, in the loop and outside of it.
// RUN: tile-run %s --device sim --variant all --arg n=63 | FileCheck %s --check-prefix=RIGHT
// RUN: %status 1 tile-run %s --device sim --no-check --arg n=5 | FileCheck %s
// RUN: %status 1 tile-run %s --device sim --no-check --checked --arg n=5 | FileCheck %s
// RIGHT: verdict: right
// CHECK: assertion.mlir:[[#@LINE+8]]:{{[0-9]+}}: error: assertion failed: at most %n of 100%
// GPU: %status 1 tile-run %s --device gpu --no-check --checked --arg n=5
// GPU-SAYS-1: error: assertion failed: at most %n of 100%
tile.kernel @assertion(%o: memref<64xi32>, %n: i32) grid(%g) in (2) threads(32) {
  tile.parallel %i in (64) {
    %k = arith.index_cast %i : index to i32
    %few = arith.cmpi sle, %k, %n : i32
    // The line of the fault.
    tile.assert %few, "at most %n of 100%"
    tile.store %k, %o[%i] : memref<64xi32>
  }
}
