// o[row] = the sum or product of a row of x, for few, long rows: parts of C elements first, one a block, then the parts.
//
// $T = 256
// $N = 102400
// $C = 4096
// $P = 25
// $KIND = sum
!X = memref<?x$Nxbf16>
!Parts = memref<?x$Pxf32>
!O = memref<?xbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!Row = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @part_reduce[%M](%x[%M, $N]: !X, %parts[%M, $P]: !Parts) grid(%p, %row) in ($P, %M) threads($T)
    disjoint(%x, %parts) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !One
  tile.copy %x[%row, %p * $C] to %r cast : !X to !Chunk
  tile.reduce $KIND %r into %s dim 1 : !Chunk into !One
  tile.parallel %i in (1) {
    %v = tile.load %s[%i] : !One
    tile.store %v, %parts[%row, %p + %i] : !Parts
  }
}

tile.kernel @total_reduce[%M](%parts[%M, $P]: !Parts, %o[%M]: !O) grid(%row) in (%M) threads(32)
    disjoint(%parts, %o) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %parts[%row, 0] to %r : !Parts to !Row
  tile.reduce $KIND %r into %s dim 1 : !Row into !One
  tile.copy %s to %o[%row] cast : !One to !O
}
