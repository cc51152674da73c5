// o[row] = the sum or product of a row of x, in f32, rounded once; a long row goes by in chunks of C.
//
// $T = 512
// $N = 32768
// $C = 8192
// $KIND = sum
// $OP = arith.addf
// $INIT = 0.0
!X = memref<?x$Nxbf16>
!O = memref<?xbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @row_reduce_chunks[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%row) in (%M) threads($T)
    disjoint(%x, %o) fastmath(contract, afn, arcp) {
  %acc = tile.alloc_fragment : !Chunk
  %p = tile.alloc_fragment : !One
  tile.fill %acc with $INIT : !Chunk
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %h = tile.load %x[%row + %i, %k * $C + %j] : !X
      %v = arith.extf %h : bf16 to f32
      %a = tile.load %acc[%i, %j] : !Chunk
      %s = $OP %a, %v : f32
      tile.store %s, %acc[%i, %j] : !Chunk
    }
  }
  tile.reduce $KIND %acc into %p dim 1 : !Chunk into !One
  tile.copy %p to %o[%row] cast : !One to !O
}
