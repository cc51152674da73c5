// An exchange through shared memory under a condition of the thread has no barrier every thread reaches: refused.
// RUN: not tile-translate --tile-to-cuda %s 2>&1 | FileCheck %s
// CHECK: exchange-under-a-condition.mlir:[[#@LINE+11]]:{{[0-9]+}}: error: {{.*}}uniform-C1
!S = memref<64xf32, #tile.shared>
tile.kernel @exchange(%o: memref<64xf32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : !S
  %t = tile.thread_id
  %one = arith.constant 1.0 : f32
  %c = arith.constant 48 : index
  %few = arith.cmpi ult, %t, %c : index
  scf.if %few {
    tile.store %one, %s[%t] : !S
    // The line of the error.
    tile.sync
    %v = tile.load %s[47 - %t] : !S
    tile.store %v, %o[%t] : memref<64xf32>
  }
}
