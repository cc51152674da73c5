// Division at the edges of 32 and 64 bits, by constants and by numbers known at run time, rounds as its operation says.
// RUN: tile-run %s --device sim --variant all --arg o=zeros --arg three=3 --arg minusThree=-3 -DT=i32 -DLOW=-2147483648 -DHIGH=2147483647 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg o=zeros --arg three=3 --arg minusThree=-3 -DT=i64 -DLOW=-9223372036854775808 -DHIGH=9223372036854775807 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg o=zeros --arg three=3 --arg minusThree=-3 -DT=i16 -DLOW=-32768 -DHIGH=32767 | FileCheck %s
// CHECK: o: 6x8 {{.*}}, max error 0, ok
// CHECK: verdict: right
!O = memref<6x8x$T>
tile.kernel @edges(%o: !O, %three: $T, %minusThree: $T) grid(%g) in (1) threads(1) {
  %low = arith.constant $LOW : $T
  %high = arith.constant $HIGH : $T
  %c7 = arith.constant 7 : $T
  %m7 = arith.constant -7 : $T
  %c2 = arith.constant 2 : $T
  %r0 = arith.floordivsi %low, %c2 : $T
  tile.store %r0, %o[0, 0] : !O
  %r1 = arith.floordivsi %low, %m7 : $T
  tile.store %r1, %o[0, 1] : !O
  %r2 = arith.ceildivsi %high, %c2 : $T
  tile.store %r2, %o[0, 2] : !O
  %r3 = arith.ceildivsi %low, %m7 : $T
  tile.store %r3, %o[0, 3] : !O
  %r4 = arith.ceildivsi %low, %three : $T
  tile.store %r4, %o[1, 0] : !O
  %r5 = arith.floordivsi %high, %minusThree : $T
  tile.store %r5, %o[1, 1] : !O
  %r6 = arith.remsi %low, %minusThree : $T
  tile.store %r6, %o[1, 2] : !O
  %r7 = arith.remsi %low, %c7 : $T
  tile.store %r7, %o[1, 3] : !O
  %r8 = arith.ceildivui %low, %c7 : $T
  tile.store %r8, %o[2, 0] : !O
  %r9 = arith.remui %low, %three : $T
  tile.store %r9, %o[2, 1] : !O
  %r10 = arith.divui %low, %minusThree : $T
  tile.store %r10, %o[2, 2] : !O
}
