// o[row] = the product of the whole row: the compiler chooses the access pattern.
//
// $T = 128
// $N = 4096
!X = memref<?x$Nxbf16>
!O = memref<?xf32>
!Row = memref<1x$Nxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @row_product[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%row) in (%M) threads($T) {
  %r = tile.alloc_fragment : !Row
  %p = tile.alloc_fragment : !One
  tile.copy %x[%row, 0] to %r cast : !X to !Row
  tile.reduce prod %r into %p dim 1 : !Row into !One
  tile.copy %p to %o[%row] : !One to !O
}
