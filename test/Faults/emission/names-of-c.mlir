// Names that mean something to C, CUDA or the emitter stay readable and compile.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel max --dim float=70 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --kernel max --emit cubin -o %t.cubin
// RUN: tile-run %s --kernel half --emit cubin -o %t.cubin
// CHECK: void __launch_bounds__(32) max_1(
// CHECK: long long float_1)
// CHECK: void __launch_bounds__(32) half_1(
// RIGHT: verdict: right
!X = memref<?xf32>
tile.kernel @max[%float](%int[%float]: !X, %threadIdx[%float]: !X, %__shared__[%float]: !X, %register: f32)
    grid(%blockDim) in (%float ceildiv 32) threads(32) {
  %auto = tile.alloc_shared : memref<32xf32, #tile.shared>
  %template = tile.alloc_fragment : memref<32xf32, #tile.fragment>
  tile.copy %int[%blockDim * 32] to %auto : !X to memref<32xf32, #tile.shared>
  tile.parallel %warpSize in (32) {
    %printf = tile.load %auto[%warpSize] : memref<32xf32, #tile.shared>
    %tid = tile.load %threadIdx[%blockDim * 32 + %warpSize] : !X
    %_x = arith.addf %printf, %tid : f32
    %a.b-c = arith.mulf %_x, %register : f32
    %arena = arith.maximumf %a.b-c, %_x : f32
    tile.store %arena, %template[%warpSize] : memref<32xf32, #tile.fragment>
  }
  tile.copy %template to %__shared__[%blockDim * 32] : memref<32xf32, #tile.fragment> to !X
}
tile.kernel @half(%v_1: memref<32xf32>, %at: memref<32xf32>, %i: f32) grid(%base) in (1) threads(32) {
  tile.parallel %j in (32) {
    %offset = tile.load %at[%j] : memref<32xf32>
    %inside = arith.addf %offset, %i : f32
    tile.store %inside, %v_1[%j] : memref<32xf32>
  }
}
