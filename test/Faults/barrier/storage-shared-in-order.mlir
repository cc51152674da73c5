// Two shared tiles whose lives do not meet may have one place only across a barrier all threads pass.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: o: 128 i32, max error 0, ok
// CHECK: verdict: right
!S = memref<64xi32, #tile.shared>
tile.kernel @twice(%o: memref<128xi32>) grid(%g) in (1) threads(64) {
  %a = tile.alloc_shared : !S
  %b = tile.alloc_shared : !S
  %t = tile.thread_id
  %n = arith.index_cast %t : index to i32
  tile.store %n, %a[%t] : !S
  tile.sync
  %v = tile.load %a[63 - %t] : !S
  tile.store %v, %o[%t] : memref<128xi32>
  %w = arith.addi %n, %n : i32
  tile.store %w, %b[%t] : !S
  tile.sync
  %u = tile.load %b[63 - %t] : !S
  tile.store %u, %o[64 + %t] : memref<128xi32>
}
