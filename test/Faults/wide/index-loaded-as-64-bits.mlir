// A row number loaded as 64 bits keeps them all: one beyond the tensor reads the pad, even where its lower 32 bits fit.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: o: 4 i32, max error 0, ok
// CHECK: verdict: right
tile.kernel @far(%x: memref<16xi32>, %o: memref<4xi32>) grid(%g) in (1) threads(4) {
  %big = arith.constant 4294967297 : i64
  %t = tile.thread_id
  %wide = arith.index_cast %t : index to i64
  %n = arith.muli %wide, %big : i64
  %i = arith.index_cast %n : i64 to index
  %v = tile.load %x[%i] pad -5 : memref<16xi32>
  tile.store %v, %o[%t] : memref<4xi32>
}
