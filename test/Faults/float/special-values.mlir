// Infinities, NaN, -0 and large numbers as fill values, pads and starts of reductions, in each float type.
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f16 -DV=inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f16 -DV=-inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f16 -DV=nan | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f16 -DV=-0.0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=bf16 -DV=inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=bf16 -DV=-inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=bf16 -DV=nan | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=bf16 -DV=-0.0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f32 -DV=inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f32 -DV=-inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f32 -DV=nan | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f32 -DV=-0.0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f64 -DV=inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f64 -DV=-inf | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f64 -DV=nan | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f64 -DV=-0.0 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f64 -DV=1.0e300 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --arg at=-1 -DT=f32 -DV=-3.4028235e38 | FileCheck %s
// CHECK: o: 8x40 {{.*}}, max error 0, ok
// CHECK: m: 8 {{.*}}, max error 0, ok
// CHECK: verdict: right
!X = memref<6x37x$T>
!F = memref<8x40x$T, #tile.fragment>
!M = memref<8x$T, #tile.fragment>
tile.kernel @special(%x: !X, %o: memref<8x40x$T>, %m: memref<8x$T>, %at: index) grid(%g) in (1) threads(64) {
  %f = tile.alloc_fragment : !F
  %a = tile.alloc_fragment : !M
  tile.fill %a with $V : !M
  tile.copy %x[%at, %at - 1] to %f pad $V : !X to !F
  tile.reduce max %f into %a dim 1 accumulate : !F into !M
  tile.copy %f to %o : !F to memref<8x40x$T>
  tile.copy %a to %m : !M to memref<8x$T>
}
