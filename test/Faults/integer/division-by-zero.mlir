// A quotient or a remainder by zero is a fault with its line, alone and beside another.
// RUN: %status 1 tile-run %s --device sim --no-check --arg n=0 -DOP=divsi | FileCheck %s
// RUN: %status 1 tile-run %s --device sim --no-check --arg n=0 -DOP=remui | FileCheck %s
// RUN: tile-run %s --device sim --arg n=3 -DOP=remui | FileCheck %s --check-prefix=RIGHT
// CHECK: division-by-zero.mlir:[[#@LINE+9]]:{{[0-9]+}}: error: {{.*}}zero
// RIGHT: verdict: right
// GPU: %status 1 tile-run %s --device gpu --no-check --checked --arg n=0 -DOP=divsi
// GPU: %status 1 tile-run %s --device gpu --no-check --checked --arg n=0 -DOP=remui
// GPU: %status 0 tile-run %s --device gpu --checked --arg n=3 -DOP=remui
// GPU-SAYS-1: error: division by zero
tile.kernel @zero(%o: memref<2xi32>, %n: i32) grid(%g) in (1) threads(1) {
  %c = arith.constant 9 : i32
  // The line of the fault.
  %q = arith.$OP %c, %n : i32
  tile.store %q, %o[0] : memref<2xi32>
  %r = arith.divsi %c, %n : i32
  tile.store %r, %o[1] : memref<2xi32>
}
