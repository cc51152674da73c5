// o[row] = where the largest element of a row of x stands, the first of equals; a long row goes by in chunks of C.
//
// $T = 512
// $N = 32768
// $C = 8192
!X = memref<?x$Nxbf16>
!O = memref<?xi32>
!Chunk = memref<1x$Cxbf16, #tile.fragment>
!Value = memref<1xbf16, #tile.fragment>
!Index = memref<1xi32, #tile.fragment>

tile.kernel @argmax_chunks[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%row) in (%M) threads($T) disjoint(%x, %o) {
  %r = tile.alloc_fragment : !Chunk
  %v = tile.alloc_fragment : !Value
  %i = tile.alloc_fragment : !Index
  %best = tile.alloc_fragment : !Value
  %place = tile.alloc_fragment : !Index
  tile.fill %best with -inf : !Value
  tile.fill %place with 0 : !Index
  tile.serial %k in ($N floordiv $C) {
    tile.copy %x[%row, %k * $C] to %r : !X to !Chunk
    tile.argreduce max %r into %v, %i dim 1 : !Chunk into !Value, !Index
    tile.parallel %one in (1) {
      %new = tile.load %v[%one] : !Value
      %old = tile.load %best[%one] : !Value
      %isLarger = arith.cmpf ogt, %new, %old : bf16
      %value = arith.select %isLarger, %new, %old : bf16
      tile.store %value, %best[%one] : !Value
      %start = affine.apply affine_map<(k) -> (k * $C)>(%k)
      %from = arith.index_cast %start : index to i32
      %inside = tile.load %i[%one] : !Index
      %at = arith.addi %from, %inside : i32
      %before = tile.load %place[%one] : !Index
      %index = arith.select %isLarger, %at, %before : i32
      tile.store %index, %place[%one] : !Index
    }
  }
  tile.copy %place to %o[%row] : !Index to !O
}
