// One pointer for source and target works; nothing is promised not to overlap unless the kernel says so.
// RUN: tile-run %s --device sim --variant all --kernel plain --dim N=1000 --arg y=@x | FileCheck %s
// RUN: %status 2 tile-run %s --device sim --kernel promised --dim N=1000 --arg y=@x | FileCheck %s --check-prefix=OVERLAP
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=TEXT
// CHECK: y: 1000 f32, max error 0, ok
// CHECK: verdict: right
// OVERLAP: error: {{.*}}overlap
// TEXT: plain(const float *x, float *y, long long N)
// TEXT: promised(
// TEXT-NEXT: const float *__restrict__ x,
// TEXT-NEXT: float *__restrict__ y,
!X = memref<?xf32>
tile.kernel @plain[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv 256) threads(128) {
  tile.parallel %i in (256) {
    %one = arith.constant 1.0 : f32
    %v = tile.load %x[%b * 256 + %i] : !X
    %w = arith.addf %v, %one : f32
    tile.store %w, %y[%b * 256 + %i] : !X
  }
}
tile.kernel @promised[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv 256) threads(128) disjoint(%x, %y) {
  tile.parallel %i in (256) {
    %one = arith.constant 1.0 : f32
    %v = tile.load %x[%b * 256 + %i] : !X
    %w = arith.addf %v, %one : f32
    tile.store %w, %y[%b * 256 + %i] : !X
  }
}
