// A row that is read twice: the first read asks the L2 to keep it, --explain says so, and the values stay what they are.
// RUN: tile-run %s --explain | FileCheck %s
// RUN: tile-run %s --explain=json | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --emit cuda | FileCheck %s --check-prefix=CUDA
// RUN: tile-run %s --device sim --variant all --dim M=3 | FileCheck %s --check-prefix=VALUES

// CHECK: [[#@LINE+27]] {{ *}}x {{ *}}global load {{ *}}ld.global.v4.b32 {{.*}} neighbouring lanes access neighbouring bytes: no sector is wasted; read again at line [[#@LINE+31]]: kept in the L2{{$}}
// CHECK: [[#@LINE+30]] {{ *}}x {{ *}}global load {{ *}}ld.global.v4.b32 {{.*}}: no sector is wasted{{$}}

// JSON: "buffer": "x"
// JSON: "instruction": "ld.global.v4.b32"
// JSON: "why": "neighbouring lanes access neighbouring bytes: no sector is wasted; read again at line [[#@LINE+26]]: kept in the L2"

// CUDA: void move16_keep(void *to, const void *from) {
// CUDA-NEXT: #if __CUDA_ARCH__ >= 800
// CUDA: asm("ld.global.nc.L2::cache_hint.v4.b32
// CUDA: twice(
// CUDA: move16_keep(&p[{{.*}}], &x[
// CUDA: move16(&v{{.*}}[{{.*}}], &x[
// CUDA-NOT: keep

// VALUES: twice on simulator: twice{{$}}
// VALUES: twice on simulator: twice_careful
// VALUES: verdict: right

!X = memref<?x1024xf32>
!Sum = memref<1xf32, #tile.fragment>
!Part = memref<1x256xf32, #tile.fragment>
tile.kernel @twice[%M](%x[%M, 1024]: !X, %y[%M, 1024]: !X) grid(%row) in (%M) threads(64) disjoint(%x, %y) {
  %s = tile.alloc_fragment : !Sum
  %p = tile.alloc_fragment : !Part
  tile.fill %s with 0.0 : !Sum
  tile.serial %k in (4) {
    tile.copy %x[%row, %k * 256] to %p : !X to !Part
    tile.reduce sum %p into %s dim 1 accumulate : !Part into !Sum
  }
  tile.parallel (%i, %j) in (1, 1024) {
    %v = tile.load %x[%row + %i, %j] : !X
    %t = tile.load %s[%i] : !Sum
    %o = arith.mulf %v, %t : f32
    tile.store %o, %y[%row + %i, %j] : !X
  }
}
