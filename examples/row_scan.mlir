// y[row, j] = the product of x[row, 0 … j]: the compiler chooses the access pattern.
//
// $T = 128
// $N = 4096
!X = memref<?x$Nxbf16>
!Row = memref<1x$Nxbf16, #tile.fragment>

tile.kernel @row_scan[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.scan prod %r into %r dim 1 : !Row into !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
}
