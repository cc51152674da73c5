// Every stage of a reduction keeps the rule for NaN: registers, lanes, warps, and the old value of the target.
// RUN: tile-run %s --device sim --variant all -DT=f16 -DKIND=max | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DKIND=maxnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DKIND=min | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DKIND=minnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DKIND=max | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DKIND=maxnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DKIND=min | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DKIND=minnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DKIND=max | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DKIND=maxnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DKIND=min | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DKIND=minnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 -DKIND=max | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 -DKIND=maxnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 -DKIND=min | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f64 -DKIND=minnum | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DKIND=absmax | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DKIND=absmax | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f32 -DKIND=absmax | FileCheck %s
// CHECK: o: 4 {{.*}}, max error 0, ok
// CHECK: p: 4 {{.*}}, max error 0, ok
// CHECK: verdict: right
!F = memref<4x300x$T, #tile.fragment>
!M = memref<4x$T, #tile.fragment>
tile.kernel @extremes(%o: memref<4x$T>, %p: memref<4x$T>) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : !F
  %m = tile.alloc_fragment : !M
  %n = tile.alloc_fragment : !M
  tile.fill %f with -2.0 : !F
  tile.fill %m with 0.5 : !M
  tile.parallel %i in (3) {
    %zero = arith.constant 0.0 : $T
    %nan = arith.divf %zero, %zero : $T
    tile.store %nan, %f[%i, %i * 131 + 7] : !F
  }
  tile.reduce $KIND %f into %m dim 1 accumulate : !F into !M
  tile.reduce $KIND %f into %n dim 1 : !F into !M
  tile.copy %m to %o : !M to memref<4x$T>
  tile.copy %n to %p : !M to memref<4x$T>
}
