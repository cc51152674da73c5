// All 65536 patterns of a half converted to each float type: overflow, NaN, infinities, subnormals, ties.
// RUN: tile-run %s --device sim --variant all -DT=f8E4M3FN | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f8E5M2 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 | FileCheck %s
// CHECK: o: 65536 {{.*}}, max error 0, ok
// CHECK: back: 65536 f16, max error 0, ok
// CHECK: verdict: right
tile.kernel @convert(%o: memref<65536x$T>, %back: memref<65536xf16>) grid(%b) in (256) threads(64) {
  %f = tile.alloc_fragment : memref<256xf16, #tile.fragment>
  %w = tile.alloc_fragment : memref<256x$T, #tile.fragment>
  tile.parallel %i in (256) {
    %n = affine.apply affine_map<(d0, d1) -> (d0 * 256 + d1)>(%b, %i)
    %bits = arith.index_cast %n : index to i16
    %v = arith.bitcast %bits : i16 to f16
    tile.store %v, %f[%i] : memref<256xf16, #tile.fragment>
  }
  tile.copy %f to %w cast : memref<256xf16, #tile.fragment> to memref<256x$T, #tile.fragment>
  tile.copy %w to %o[%b * 256] : memref<256x$T, #tile.fragment> to memref<65536x$T>
  tile.copy %w to %back[%b * 256] cast : memref<256x$T, #tile.fragment> to memref<65536xf16>
}
