// Normalisations and scales of rows whose length is no power of two, several rows a block; no row is held twice.

// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=3 --arg eps=0.1 -DN=1152 -DR=1 -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=5 --arg eps=0.1 -DN=1152 -DR=2 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=15 --arg eps=0.1 -DN=1152 -DR=16 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=7 --arg eps=0.1 -DN=3000 -DR=4 -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=8 --arg eps=0.1 -DN=3000 -DR=8 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=2 --arg eps=0.1 -DN=5120 -DR=1 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=9 --arg eps=0.1 -DN=5120 -DR=8 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel norm --device sim --variant all --dim M=16 --arg eps=0.1 -DN=5120 -DR=16 -DTHREADS=128 | FileCheck %s
// RUN: tile-opt %s -DN=1152 -DR=8 -DTHREADS=256 --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s --check-prefix=HELD
// RUN: tile-opt %s -DN=1152 -DR=16 -DTHREADS=128 --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s --check-prefix=HELD
// RUN: tile-opt %s -DN=5120 -DR=2 -DTHREADS=128 --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s --check-prefix=HELD
// HELD-LABEL: tile.kernel @norm
// HELD: %r = tile.alloc_fragment layout(#tile.distributed<{{[0-9]+x[0-9]+ = \[[^]]*\]}} threads {{[0-9]+}}>) :
// $N = 1152
// $R = 1
// $THREADS = 128
!X = memref<?x$Nxf16>
!W = memref<$Nxf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>
!One = memref<$Rxf32, #tile.fragment>
tile.kernel @norm[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X, %z[%M, $N]: !X, %eps: f32) grid(%b) in (%M ceildiv $R) threads($THREADS) {
  %r = tile.alloc_fragment : !Row
  %q = tile.alloc_fragment : !Row
  %mean = tile.alloc_fragment : !One
  %variance = tile.alloc_fragment : !One
  %square = tile.alloc_fragment : !One
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.reduce mean %r into %mean dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = arith.mulf %d, %d : f32
    tile.store %e, %q[%i, %j] : !Row
  }
  tile.reduce mean %q into %variance dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %e = arith.mulf %v, %v : f32
    tile.store %e, %q[%i, %j] : !Row
  }
  tile.reduce mean %q into %square dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %e = tile.load %variance[%i] : !One
    %s = tile.load %square[%i] : !One
    %h = tile.load %w[%j] : !W
    %wide = arith.extf %h : f16 to f32
    %a = arith.addf %e, %eps : f32
    %p = math.rsqrt %a : f32
    %d = arith.subf %v, %m : f32
    %n = arith.mulf %d, %p : f32
    %layer = arith.mulf %n, %wide : f32
    %c = arith.addf %s, %eps : f32
    %u = math.rsqrt %c : f32
    %k = arith.mulf %v, %u : f32
    %rms = arith.mulf %k, %wide : f32
    %layer16 = arith.truncf %layer : f32 to f16
    %rms16 = arith.truncf %rms : f32 to f16
    tile.store %layer16, %y[%b * $R + %i, %j] : !X
    tile.store %rms16, %z[%b * $R + %i, %j] : !X
  }
}

// Each group of 128 elements divided by a scale of its own, as small floats, and the scales.
// RUN: tile-run %s --kernel scaled --device sim --variant all --dim M=5 | FileCheck %s
// RUN: tile-run %s --kernel scaled --device sim --variant all --dim M=4 --arg x=zeros | FileCheck %s
!In = memref<?x512xf32>
!Groups = memref<8x128xf32, #tile.fragment>
!Scales = memref<8xf32, #tile.fragment>
tile.kernel @scaled[%M](%x[%M, 512]: !In, %y[%M, 512]: memref<?x512xf8E4M3FN>, %s[%M, 4]: memref<?x4xf32>) grid(%b) in (%M ceildiv 2) threads($THREADS) {
  %t = tile.alloc_shared : memref<2x512xf32, #tile.shared>
  %o = tile.alloc_shared : memref<2x512xf8E4M3FN, #tile.shared>
  %top = tile.alloc_fragment : !Scales
  %least = arith.constant 1.0e-4 : f32
  %largest = arith.constant 448.0 : f32
  tile.copy %x[%b * 2, 0] to %t : !In to memref<2x512xf32, #tile.shared>
  %g = tile.reshape %t : memref<2x512xf32, #tile.shared> to memref<8x128xf32, #tile.shared>
  %h = tile.reshape %o : memref<2x512xf8E4M3FN, #tile.shared> to memref<8x128xf8E4M3FN, #tile.shared>
  tile.fill %top with %least : !Scales
  tile.reduce absmax %g into %top dim 1 accumulate : memref<8x128xf32, #tile.shared> into !Scales
  tile.parallel (%i, %j) in (8, 128) {
    %v = tile.load %g[%i, %j] : memref<8x128xf32, #tile.shared>
    %m = tile.load %top[%i] : !Scales
    %scale = arith.divf %m, %largest : f32
    %d = arith.divf %v, %scale : f32
    %e = arith.truncf %d : f32 to f8E4M3FN
    tile.store %e, %h[%i, %j] : memref<8x128xf8E4M3FN, #tile.shared>
  }
  tile.copy %o to %y[%b * 2, 0] : memref<2x512xf8E4M3FN, #tile.shared> to memref<?x512xf8E4M3FN>
  tile.parallel (%i, %j) in (2, 4) {
    %m = tile.load %top[%i * 4 + %j] : !Scales
    %scale = arith.divf %m, %largest : f32
    tile.store %scale, %s[%b * 2 + %i, %j] : memref<?x4xf32>
  }
}
// CHECK: verdict: right
