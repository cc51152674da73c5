// Slices that start at element 1, 2, 3 or 5, and base pointers off by as much: no access is wider than what is provable.
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=f32 -DAT=1 --offset x=1 --offset y=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=f32 -DAT=2 --offset x=2 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=f16 -DAT=3 --offset y=5 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=f16 -DAT=1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=i8 -DAT=5 --offset x=3 --offset y=1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=i8 -DAT=2 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg y=zeros -DT=f64 -DAT=1 --offset x=1 | FileCheck %s
// CHECK: y: 8x100 {{.*}}, max error 0, ok
// CHECK: verdict: right
!X = memref<8x100x$T>
!S = memref<4x48x$T, #tile.shared>
!F = memref<2x40x$T, #tile.fragment>
tile.kernel @starts(%x: !X, %y: !X) grid(%g) in (1) threads(96) {
  %s = tile.alloc_shared : !S
  %f = tile.alloc_fragment : !F
  tile.copy %x[$AT, $AT] to %s : !X to !S
  tile.copy %s[1, $AT] to %f : !S to !F
  tile.copy %f to %y[3, $AT] : !F to !X
}
