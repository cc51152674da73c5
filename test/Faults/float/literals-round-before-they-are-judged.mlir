// A literal is rounded first and must then be finite: 65519.99 is 65504 as f16, 65520 is too large.
// RUN: tile-run %s --device sim --variant all -DT=f16 -DV=65519.99 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DV=3.4028235e38 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f8E4M3FN -DV=448.0 | FileCheck %s
// RUN: not tile-opt %s -DT=f16 -DV=65520.0 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tile-opt %s -DT=f32 -DV=3.5e38 2>&1 | FileCheck %s --check-prefix=LARGE
// CHECK: o: 40 {{.*}}, max error 0, ok
// CHECK: verdict: right
// LARGE: literals-round-before-they-are-judged.mlir:[[#@LINE+3]]:{{[0-9]+}}: error: {{.*}}(literal-C1)
tile.kernel @literal(%o: memref<40x$T>) grid(%g) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<40x$T, #tile.fragment>
  tile.fill %f with $V : memref<40x$T, #tile.fragment>
  tile.copy %f to %o : memref<40x$T, #tile.fragment> to memref<40x$T>
}
