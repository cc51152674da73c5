// o[row] = where the largest element of a row of x stands, the first of equals; R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
!X = memref<?x$Nxbf16>
!O = memref<?xi32>
!Row = memref<$Rx$Nxbf16, #tile.fragment>
!Value = memref<$Rxbf16, #tile.fragment>
!Index = memref<$Rxi32, #tile.fragment>

tile.kernel @argmax[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%b) in (%M ceildiv $R) threads($T) disjoint(%x, %o) {
  %r = tile.alloc_fragment : !Row
  %v = tile.alloc_fragment : !Value
  %i = tile.alloc_fragment : !Index
  tile.copy %x[%b * $R, 0] to %r : !X to !Row
  tile.argreduce max %r into %v, %i dim 1 : !Row into !Value, !Index
  tile.copy %i to %o[%b * $R] : !Index to !O
}
