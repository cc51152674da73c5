// A refused program: place, what was found, the rule; status 2, and nothing is written.
// RUN: rm -f %t.npy
// RUN: %status 2 tile-run %s --device sim --dim N=4 --out z=%t.npy | FileCheck %s
// RUN: not ls %t.npy
// RUN: not tile-translate --tile-to-cuda %s 2>&1 | FileCheck %s
// CHECK: refused.mlir:[[#@LINE+3]]:3: error: {{.*}}copies
tile.kernel @f[%N](%z[%N]: memref<?xf16>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<32xf32, #tile.shared>
  tile.copy %s to %z[0] : memref<32xf32, #tile.shared> to memref<?xf16>
}
