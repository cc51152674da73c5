// Each operation on integers has a text at 32 bits, 64 bits and as an index, and the compiler of the device takes it.
// RUN: tile-run %s --device sim --variant all --arg x=1234 --arg y=5 -DT=i32 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg x=1234 --arg y=5 -DT=i64 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg x=1234 --arg y=5 -DT=index | FileCheck %s
// RUN: tile-run %s -DT=i32 --emit cubin -o %t.cubin
// RUN: tile-run %s -DT=i64 --emit cubin -o %t.cubin
// RUN: tile-run %s -DT=index --emit cubin -o %t.cubin
// CHECK: o: 64 i1, max error 0, ok
// CHECK: verdict: right
tile.kernel @all(%o: memref<64xi1>, %x: $T, %y: $T) grid(%g) in (1) threads(64) {
  %t = tile.thread_id
  %a0 = arith.addi %x, %y : $T
  %a1 = arith.subi %a0, %y : $T
  %a2 = arith.muli %a1, %y : $T
  %a3 = arith.divsi %a2, %y : $T
  %a4 = arith.divui %a3, %y : $T
  %a5 = arith.remsi %a4, %y : $T
  %a6 = arith.remui %a5, %y : $T
  %a7 = arith.ceildivsi %a6, %y : $T
  %a8 = arith.floordivsi %a7, %y : $T
  %a9 = arith.ceildivui %a8, %y : $T
  %b0 = arith.andi %a9, %x : $T
  %b1 = arith.ori %b0, %x : $T
  %b2 = arith.xori %b1, %y : $T
  %b3 = arith.shli %b2, %y : $T
  %b4 = arith.shrsi %b3, %y : $T
  %b5 = arith.shrui %b4, %y : $T
  %b6 = arith.maxsi %b5, %x : $T
  %b7 = arith.minsi %b6, %x : $T
  %b8 = arith.maxui %b7, %x : $T
  %b9 = arith.minui %b8, %y : $T
  %c = arith.cmpi ule, %b9, %a2 : $T
  %d = arith.select %c, %b9, %a0 : $T
  %e = arith.cmpi sgt, %d, %b3 : $T
  tile.store %e, %o[%t] : memref<64xi1>
}
