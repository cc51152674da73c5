// y[row, :] = the running sum or product of a row of x, for few, long rows: totals of parts of C elements first, one a
// block, then each part after the totals before it.
//
// $T = 256
// $N = 102400
// $C = 4096
// $P = 25
// $KIND = sum
// $OP = arith.addf
// $INIT = 0.0
!X = memref<?x$Nxbf16>
!Parts = memref<?x$Pxf32>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!Row = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @part_total[%M](%x[%M, $N]: !X, %parts[%M, $P]: !Parts) grid(%p, %row) in ($P, %M) threads($T)
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

tile.kernel @part_scan[%M](%x[%M, $N]: !X, %parts[%M, $P]: !Parts, %y[%M, $N]: !X) grid(%p, %row) in ($P, %M) threads($T)
    disjoint(%x, %parts, %y) fastmath(contract, afn, arcp) {
  %before = tile.alloc_fragment : !Row
  %carry = tile.alloc_fragment : !One
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  tile.copy %x[%row, %p * $C] to %r cast : !X to !Chunk
  tile.parallel (%i, %q) in (1, $P) {
    %none = arith.constant $INIT : f32
    %v = tile.load %parts[%row + %i, %q] : !Parts
    %isBefore = arith.cmpi slt, %q, %p : index
    %t = arith.select %isBefore, %v, %none : f32
    tile.store %t, %before[%i, %q] : !Row
  }
  tile.reduce $KIND %before into %carry dim 1 : !Row into !One
  tile.scan $KIND %r into %s dim 1 : !Chunk into !Chunk
  tile.parallel (%i, %j) in (1, $C) {
    %v = tile.load %s[%i, %j] : !Chunk
    %c = tile.load %carry[%i] : !One
    %t = $OP %c, %v : f32
    %h = arith.truncf %t : f32 to bf16
    tile.store %h, %y[%row + %i, %p * $C + %j] : !X
  }
}
