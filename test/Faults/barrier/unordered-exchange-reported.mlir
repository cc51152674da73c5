// Threads that exchange elements in a branch without a barrier: the simulator reports the race, with its line.
// RUN: %status 1 tile-run %s --device sim --no-check | FileCheck %s
// CHECK: unordered-exchange-reported.mlir:[[#@LINE+13]]:{{[0-9]+}}: error: data race: thread {{.*}} with no barrier between
!S = memref<64xi32, #tile.shared>
tile.kernel @odd(%o: memref<64xi32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : !S
  %t = tile.thread_id
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : index
  %n = arith.index_cast %t : index to i32
  %m = arith.remui %t, %two : index
  %odd = arith.cmpi ne, %m, %zero : index
  tile.store %n, %s[%t] : !S
  tile.sync
  scf.if %odd {
    %v = tile.load %s[(%t + 32) mod 64] : !S
    tile.store %v, %o[%t] : memref<64xi32>
    tile.store %v, %s[%t] : !S
  }
}
