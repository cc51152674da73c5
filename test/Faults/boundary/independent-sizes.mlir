// One index on two dimensions of independent sizes: each is judged by its own.
// RUN: tile-run %s --device sim --variant all --dim M=5 --dim N=3 --arg o=zeros | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 --dim N=70 --arg o=zeros | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=TEXT
// CHECK: verdict: right
// TEXT: < M
// TEXT: < N
!X = memref<?x?xf32>
tile.kernel @diagonal[%M, %N](%o[%M, %N]: !X) grid(%b) in (3) threads(32) {
  %one = arith.constant 1.0 : f32
  tile.parallel %i in (30) {
    tile.store %one, %o[%b * 30 + %i, %b * 30 + %i] : !X
  }
}
