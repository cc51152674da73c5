// Other names of one tile: what is written through one is read through the other, whatever the layout beneath.

// Elements of half and of double the width, in rows without and with a permutation; written by one name, read by the other.
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=layout(#tile.linear)" | FileCheck %s
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=layout(#tile.swizzled<128>)" -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=layout(#tile.swizzled<32>)" | FileCheck %s
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=layout(#tile.xor<unit 16, bits 3, shift 8>)" | FileCheck %s
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=layout(#tile.padded<4>)" -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel widths --device sim --variant all "-DPIN=align 128" | FileCheck %s
// CHECK: verdict: right
// $T = bf16
// $PIN = align 16
!Wide = memref<64x64xf32, #tile.shared>
!Narrow = memref<64x128x$T, #tile.shared>
tile.kernel @widths(%a: memref<64x64xf32>, %b: memref<64x128x$T>, %o: memref<64x128x$T>, %p: memref<64x64xf32>) grid(%g) in (1) threads(96) {
  %s = tile.alloc_shared $PIN : !Wide
  %n = tile.view %s : !Wide to !Narrow
  tile.copy %a to %s : memref<64x64xf32> to !Wide
  tile.parallel (%i, %j) in (64, 128) {
    %v = tile.load %n[%i, %j] : !Narrow
    tile.store %v, %o[%i, %j] : memref<64x128x$T>
  }
  tile.copy %b to %n : memref<64x128x$T> to !Narrow
  %w = tile.view %n : !Narrow to !Wide
  tile.copy %w to %p : !Wide to memref<64x64xf32>
}

// The same of a fragment: its elements stay where they are, or move where a wider one is made of several threads'.
// RUN: tile-run %s --kernel fragments --device sim --variant all -DC=64 -DD=128 | FileCheck %s
// RUN: tile-run %s --kernel fragments --device sim --variant all -DC=33 -DD=66 -DT=f16 | FileCheck %s
// $C = 64
// $D = 128
tile.kernel @fragments(%a: memref<8x$Cxf32>, %o: memref<8x$Dx$T>, %b: memref<8x$Dx$T>, %p: memref<8x$Cxf32>) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : memref<8x$Cxf32, #tile.fragment>
  %h = tile.alloc_fragment : memref<8x$Dx$T, #tile.fragment>
  %n = tile.view %f : memref<8x$Cxf32, #tile.fragment> to memref<8x$Dx$T, #tile.fragment>
  %w = tile.view %h : memref<8x$Dx$T, #tile.fragment> to memref<8x$Cxf32, #tile.fragment>
  tile.copy %a to %f : memref<8x$Cxf32> to memref<8x$Cxf32, #tile.fragment>
  tile.copy %n to %o : memref<8x$Dx$T, #tile.fragment> to memref<8x$Dx$T>
  tile.copy %b to %h : memref<8x$Dx$T> to memref<8x$Dx$T, #tile.fragment>
  tile.copy %w to %p : memref<8x$Cxf32, #tile.fragment> to memref<8x$Cxf32>
}

// Prefixes and reductions of a tile that was given another shape go along the new dimensions.
// RUN: tile-run %s --kernel prefixes --device sim --variant all --arg a=iota -DTHREADS=32 | FileCheck %s
// RUN: tile-run %s --kernel prefixes --device sim --variant all --arg a=iota -DTHREADS=96 | FileCheck %s
// $THREADS = 128
!Flat = memref<128xf32, #tile.shared>
!Square = memref<8x16xf32, #tile.shared>
tile.kernel @prefixes(%a: memref<128xf32>, %o: memref<8x16xf32>, %p: memref<8x16xf32>, %q: memref<128xf32>, %r: memref<16xf32>) grid(%g) in (1) threads($THREADS) {
  %s = tile.alloc_shared : !Flat
  %t = tile.alloc_shared : !Flat
  %m = tile.alloc_fragment : memref<16xf32, #tile.fragment>
  tile.copy %a to %s : memref<128xf32> to !Flat
  %x = tile.reshape %s : !Flat to !Square
  %y = tile.reshape %t : !Flat to !Square
  tile.scan sum %x into %y dim 1 : !Square into !Square
  tile.copy %y to %o : !Square to memref<8x16xf32>
  tile.scan max %x into %y dim 0 reverse : !Square into !Square
  tile.copy %y to %p : !Square to memref<8x16xf32>
  tile.scan sum %s into %t dim 0 : !Flat into !Flat
  tile.copy %t to %q : !Flat to memref<128xf32>
  %z = tile.reshape %y : !Square to memref<8x4x4xf32, #tile.shared>
  %d = tile.reshape %z : memref<8x4x4xf32, #tile.shared> to !Square
  tile.reduce sum %d into %m dim 0 : !Square into memref<16xf32, #tile.fragment>
  tile.copy %m to %r : memref<16xf32, #tile.fragment> to memref<16xf32>
}

// Windows of windows, of every space, keep the strides of what they are cut from.
// RUN: tile-run %s --kernel windows --device sim --variant all --dim M=40 | FileCheck %s
!Big = memref<32x48xi32, #tile.shared>
tile.kernel @windows[%M](%a[%M, 48]: memref<?x48xi32>, %o: memref<8x16xi32>, %p: memref<16xi32>, %q: memref<4x8xi32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared : !Big
  %f = tile.alloc_fragment : memref<32x48xi32, #tile.fragment>
  %g = tile.slice %a[%b + 3, 0] : memref<?x48xi32> to memref<32x48xi32>
  tile.copy %g to %s : memref<32x48xi32> to !Big
  tile.copy %s to %f : !Big to memref<32x48xi32, #tile.fragment>
  %w = tile.slice %s[%b + 5, 7] : !Big to memref<16x32xi32, #tile.shared>
  %v = tile.slice %w[3, %b + 9] : memref<16x32xi32, #tile.shared> to memref<8x16xi32, #tile.shared>
  tile.copy %v to %o : memref<8x16xi32, #tile.shared> to memref<8x16xi32>
  %row = tile.slice %v[2, 0] : memref<8x16xi32, #tile.shared> to memref<16xi32, #tile.shared>
  tile.copy %row to %p : memref<16xi32, #tile.shared> to memref<16xi32>
  %part = tile.slice %f[9, 31] : memref<32x48xi32, #tile.fragment> to memref<4x8xi32, #tile.fragment>
  tile.copy %part to %q : memref<4x8xi32, #tile.fragment> to memref<4x8xi32>
}
