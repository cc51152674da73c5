// A vector that starts at a number known at launch only: its width drops to what is provable.
// RUN: tile-run %s --device sim --variant all --arg at=3 -DT=i8 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=1 -DT=f16 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=4 -DT=f32 | FileCheck %s
// CHECK: y: 256 {{.*}}, max error 0, ok
// CHECK: verdict: right
!X = memref<256x$T>
tile.kernel @start(%x: !X, %y: !X, %at: index) grid(%g) in (1) threads(32) {
  %t = tile.thread_id
  tile.vectorized %v in (4) {
    %e = tile.load %x[%t * 4 + %v] : !X
    tile.store %e, %y[%at + %t * 4 + %v] : !X
  }
}
