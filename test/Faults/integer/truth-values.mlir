// A truth value is one byte, stored as 0 or 1; a number is true if it is not 0, and NaN and infinities are.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=TEXT
// CHECK: o: 256 i1, max error 0, ok
// CHECK: n: 1 i32, max error 0, ok
// CHECK: verdict: right
// TEXT: != 0
tile.kernel @truth(%x: memref<256xf32>, %b: memref<256xi1>, %o: memref<256xi1>, %n: memref<1xi32>) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : memref<256xi1, #tile.fragment>
  %k = tile.alloc_fragment : memref<256xi32, #tile.fragment>
  %s = tile.alloc_fragment : memref<i32, #tile.fragment>
  tile.copy %x to %f cast : memref<256xf32> to memref<256xi1, #tile.fragment>
  tile.parallel %i in (256) {
    %p = tile.load %f[%i] : memref<256xi1, #tile.fragment>
    %q = tile.load %b[%i] : memref<256xi1>
    %r = arith.xori %p, %q : i1
    tile.store %r, %o[%i] : memref<256xi1>
    %e = arith.extui %q : i1 to i32
    tile.store %e, %k[%i] : memref<256xi32, #tile.fragment>
  }
  tile.reduce sum %k into %s dim 0 : memref<256xi32, #tile.fragment> into memref<i32, #tile.fragment>
  tile.parallel %i in (1) {
    %v = tile.load %s[] : memref<i32, #tile.fragment>
    tile.store %v, %n[0] : memref<1xi32>
  }
}
