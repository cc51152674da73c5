// The whole pipeline to CUDA C, the description of a launch, and the last step on simt kernels.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=CUDA
// RUN: tile-translate --kernel-info %s | FileCheck %s --check-prefix=INFO
// RUN: tile-opt --tile-to-simt %s | tile-translate --tile-to-cuda | FileCheck %s --check-prefix=CUDA
// RUN: tile-translate --tile-to-cuda --time %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: tile-run %s --emit cuda -o %t.2.cu && diff %t.cu %t.2.cu
// RUN: tile-run %s --emit simt | FileCheck %s --check-prefix=SIMT
// RUN: not tile-translate --tile-to-cuda -D N 2>&1 < %s | FileCheck %s --check-prefix=BADVALUE

// CUDA: extern "C" __global__ void __launch_bounds__(64) scale(
// CUDA: const float *__restrict__ x
// CUDA: extern "C" __global__ void __launch_bounds__(64) scale_careful(
// INFO: scale
// TIME: {{[0-9.]+}} ms
// SIMT: simt.kernel @scale
// BADVALUE: error: found '-D N'; expected -D NAME=value
tile.kernel @scale[%N](%x[%N]: memref<?xf32>, %y[%N]: memref<?xf32>, %s: f32)
    grid(%b) in (%N ceildiv 256) threads(64) disjoint(%x, %y) where (%N mod 4 == 0) {
  tile.parallel (%i) in (256) {
    %v = tile.load %x[%b * 256 + %i] : memref<?xf32>
    %r = arith.mulf %v, %s : f32
    tile.store %r, %y[%b * 256 + %i] : memref<?xf32>
  }
}
