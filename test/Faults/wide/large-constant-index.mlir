// A constant index beyond 32 bits is printed with its suffix, in a tensor that has so many elements.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// CHECK: x[2147483653
// CHECK-NOT: (int)2147483653
!X = memref<3000000000xi8>
tile.kernel @far(%x: !X) grid(%b) in (1) threads(1) {
  %v = arith.constant 7 : i8
  tile.store %v, %x[2147483653] : !X
}
