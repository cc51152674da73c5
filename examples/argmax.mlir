// m[row], at[row] = the largest element of the row and its index; the first NaN wins, else the first of equal ones.
//
// $T = 128
// $N = 4096
!X = memref<?x$Nxbf16>
!M = memref<?xbf16>
!At = memref<?xi32>
!Row = memref<1x$Nxbf16, #tile.fragment>
!One = memref<1xbf16, #tile.fragment>
!Index = memref<1xi32, #tile.fragment>

tile.kernel @argmax[%M](%x[%M, $N]: !X, %m[%M]: !M, %at[%M]: !At) grid(%row) in (%M) threads($T) {
  %r = tile.alloc_fragment : !Row
  %best = tile.alloc_fragment : !One
  %i = tile.alloc_fragment : !Index
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.argreduce max %r into %best, %i dim 1 : !Row into !One, !Index
  tile.copy %best to %m[%row] : !One to !M
  tile.copy %i to %at[%row] : !Index to !At
}
