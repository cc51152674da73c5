// Grids around the limit of the hardware's y axis: every block runs, folded into x where there are more.
// RUN: tile-run %s --device sim --variant all --dim N=65535 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=65536 | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=TEXT
// CHECK: verdict: right
// TEXT: blockIdx.x / (unsigned)
tile.kernel @count[%N](%o[%N]: memref<?xi32>) grid(%bx, %by) in (1, %N) threads(1) {
  %one = arith.constant 1 : i32
  tile.store %one, %o[%by] : memref<?xi32>
}
