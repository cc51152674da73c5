// The text compiles for every architecture, without a header, as it is: reductions, copies, conversions, atomics.
// RUN: tile-run %s --arch sm_80 --emit cubin -o %t.cubin
// RUN: tile-run %s --arch sm_86 --emit cubin -o %t.cubin
// RUN: tile-run %s --arch sm_89 --emit cubin -o %t.cubin
// RUN: tile-run %s --arch sm_90a --emit cubin -o %t.cubin
// RUN: tile-run %s --arch sm_100 --emit cubin -o %t.cubin
// RUN: tile-run %s --arch sm_120 --emit cubin -o %t.cubin
!X = memref<?x?xbf16>
!S = memref<16x96xbf16, #tile.shared>
!F = memref<16x96xf32, #tile.fragment>
!R = memref<16xf32, #tile.fragment>
tile.kernel @mixed[%M, %N](%x[%M, %N]: !X, %y[%M]: memref<?xf8E4M3FN>, %n: memref<1xi32>, %h: memref<1xf16>)
    grid(%b) in (%M ceildiv 16) threads(96) {
  %s = tile.alloc_shared layout(#tile.swizzled<64>) : !S
  %f = tile.alloc_fragment : !F
  %r = tile.alloc_fragment : !R
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f16
  tile.fill %r with -inf : !R
  tile.serial %k in (%N ceildiv 96) {
    tile.copy %x[%b * 16, %k * 96] to %s pad -inf : !X to !S
    tile.copy %s to %f cast : !S to !F
    tile.reduce maxnum %f into %r dim 1 accumulate : !F into !R
  }
  tile.parallel %i in (16) {
    tile.atomic add %one, %n[0] : memref<1xi32>
    tile.atomic add %half, %h[0] : memref<1xf16>
  }
  tile.copy %r to %y[%b * 16] cast : !R to memref<?xf8E4M3FN>
}
