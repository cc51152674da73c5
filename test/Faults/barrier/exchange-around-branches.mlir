// Writes and reads under conditions of the thread, with the barrier outside of them: lower part, every fourth, else branch.
// RUN: tile-run %s --device sim --variant all -DDIVISOR=64 -DBELOW=48 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DDIVISOR=4 -DBELOW=1 | FileCheck %s
// CHECK: o: 64 i32, max error 0, ok
// CHECK: verdict: right
!S = memref<64xi32, #tile.shared>
tile.kernel @exchange(%o: memref<64xi32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : !S
  %t = tile.thread_id
  %n = arith.index_cast %t : index to i32
  %d = arith.constant $DIVISOR : index
  %c = arith.constant $BELOW : index
  %seven = arith.constant 7 : i32
  %m = arith.remui %t, %d : index
  %some = arith.cmpi ult, %m, %c : index
  scf.if %some {
    tile.store %n, %s[%t] : !S
  } else {
    tile.store %seven, %s[%t] : !S
  }
  tile.sync
  scf.if %some {
    %v = tile.load %s[63 - %t] : !S
    tile.store %v, %o[%t] : memref<64xi32>
  } else {
    %v = tile.load %s[(%t + 33) mod 64] : !S
    tile.store %v, %o[%t] : memref<64xi32>
  }
}
