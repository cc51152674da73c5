// The text of a kernel reads as a person would write it: plain arithmetic, short names that end with their block.
// RUN: tile-translate --tile-to-cuda %s | sed -n "/^extern/,$p" | FileCheck %s --implicit-check-not=unsigned --implicit-check-not="(long long)("
// CHECK-LABEL: void __launch_bounds__(128) add(
// CHECK: const int bx = blockIdx.x;
// CHECK: const int tid = threadIdx.x;
// CHECK: const long long base = (long long)bx * 1024;
// CHECK: for (int i = 0; i < 2; ++i) {
// CHECK: for (int j = 0; j < 4; ++j) {
// CHECK: for (int i = 0; i < 2; ++i) {
// CHECK: r[at] = x[at] + y[at];
// CHECK-LABEL: void __launch_bounds__(128) add_careful(
// CHECK: const bool inside = at < N;
// CHECK: x = a[at];
!X = memref<?xf32>
tile.kernel @add[%N](%a[%N]: !X, %b[%N]: !X, %c[%N]: !X) grid(%bx) in (%N ceildiv 1024) threads(128) {
  tile.parallel %i in (1024) {
    %x = tile.load %a[%bx * 1024 + %i] : !X
    %y = tile.load %b[%bx * 1024 + %i] : !X
    %s = arith.addf %x, %y : f32
    tile.store %s, %c[%bx * 1024 + %i] : !X
  }
}
