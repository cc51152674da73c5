// Loops of zero or negative extent run no trip and have no effect; steps come from index arithmetic.
// RUN: tile-run %s --device sim --variant all --arg n=0 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg n=-1 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg n=-7 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg n=1 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg n=5 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --arg n=-1 --arg o=zeros --out o=%t.npy
// RUN: tile-run %s --device sim --arg n=0 --arg o=zeros --expect o=%t.npy --no-check | FileCheck %s
// CHECK: o: 64 i32, max error 0{{.*}}, ok
// CHECK: verdict: right
!S = memref<i32, #tile.shared>
tile.kernel @trips(%o: memref<64xi32>, %n: index) grid(%g) in (1) threads(32) {
  %t = tile.thread_id
  %one = arith.constant 1 : i32
  tile.serial %k in (%n) {
    tile.store %one, %o[%t] : memref<64xi32>
  }
  tile.unrolled %k in ((%n + 1) floordiv 2) {
    tile.store %one, %o[%t] : memref<64xi32>
  }
  tile.parallel %i in ((%n - 1) ceildiv 3) {
    tile.store %one, %o[32 + %i] : memref<64xi32>
  }
  tile.pipelined %k in (%n - 3) stages(2) {
    tile.parallel %i in (1) {
      tile.store %one, %o[40 + %k] : memref<64xi32>
    }
  }
  tile.serial %k in (0) {
    tile.store %one, %o[50 + %t mod 2] : memref<64xi32>
  }
  tile.serial %k in (-4) {
    tile.store %one, %o[50 + %t mod 2] : memref<64xi32>
  }
}
