// Every part of a bracket counts: steps of two, and backwards from the end.
// RUN: tile-run %s --device sim --variant all --dim M=3 --dim N=40 --arg x=iota | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 --dim N=33 --arg x=iota | FileCheck %s
// CHECK: y: {{.*}} f32, max error 0, ok
// CHECK: z: {{.*}} f32, max error 0, ok
// CHECK: verdict: right
!X = memref<?x?xf32>
tile.kernel @steps[%M, %N](%x[%M, %N]: !X, %y[%M, %N]: !X, %z[%M, %N]: !X) grid(%b) in (%M) threads(32) {
  tile.parallel %j in (%N) {
    %v = tile.load %x[%b, 2 * %j] : !X
    tile.store %v, %y[%b, %j] : !X
    %w = tile.load %x[%b, %N - 1 - %j] : !X
    tile.store %w, %z[%b, %N - 1 - %j] : !X
  }
}
