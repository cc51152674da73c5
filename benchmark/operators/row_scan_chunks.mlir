// y[row, :] = the running sum or product of a row of x; a long row goes by in chunks of C, the total is carried on.
//
// $T = 512
// $N = 32768
// $C = 8192
// $KIND = sum
// $OP = arith.addf
// $INIT = 0.0
!X = memref<?x$Nxbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @row_scan_chunks[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  %carry = tile.alloc_fragment : !One
  tile.fill %carry with $INIT : !One
  tile.serial %k in ($N floordiv $C) {
    tile.copy %x[%row, %k * $C] to %r cast : !X to !Chunk
    tile.scan $KIND %r into %s dim 1 : !Chunk into !Chunk
    tile.parallel (%i, %j) in (1, $C) {
      %v = tile.load %s[%i, %j] : !Chunk
      %c = tile.load %carry[%i] : !One
      %t = $OP %c, %v : f32
      %h = arith.truncf %t : f32 to bf16
      tile.store %h, %y[%row + %i, %k * $C + %j] : !X
    }
    tile.reduce $KIND %r into %carry dim 1 accumulate : !Chunk into !One
  }
}
