// The absolute value of the lowest integer wraps to itself, in `absmax` and in `abssum`, at every width.
// RUN: tile-run %s --device sim --variant all -DT=i8 -DLOW=-128 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=i16 -DLOW=-32768 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=i32 -DLOW=-2147483648 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=i64 -DLOW=-9223372036854775808 | FileCheck %s
// CHECK: o: 2 {{.*}}, max error 0, ok
// CHECK: verdict: right
!F = memref<100x$T, #tile.fragment>
!S = memref<$T, #tile.fragment>
tile.kernel @absolute(%o: memref<2x$T>) grid(%g) in (1) threads(48) {
  %f = tile.alloc_fragment : !F
  %m = tile.alloc_fragment : !S
  %s = tile.alloc_fragment : !S
  tile.fill %f with 3 : !F
  tile.parallel %i in (2) {
    %low = arith.constant $LOW : $T
    tile.store %low, %f[%i * 77] : !F
  }
  tile.reduce absmax %f into %m dim 0 : !F into !S
  tile.reduce abssum %f into %s dim 0 : !F into !S
  tile.parallel %i in (1) {
    %a = tile.load %m[] : !S
    %b = tile.load %s[] : !S
    tile.store %a, %o[0] : memref<2x$T>
    tile.store %b, %o[1] : memref<2x$T>
  }
}
