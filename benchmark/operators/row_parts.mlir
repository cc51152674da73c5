// o[row, t] = the product of part t of a row of x, T parts of V neighbours.
//
// $T = 128
// $V = 32
!X = memref<?x$Tx$Vxbf16>
!O = memref<?x$Txf32>
!Row = memref<1x$Tx$Vxf32, #tile.fragment>
!Parts = memref<1x$Txf32, #tile.fragment>

tile.kernel @row_parts[%M](%x[%M, $T, $V]: !X, %o[%M, $T]: !O) grid(%row) in (%M) threads($T)
    disjoint(%x, %o) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %p = tile.alloc_fragment : !Parts
  tile.copy %x[%row, 0, 0] to %r cast : !X to !Row
  tile.reduce prod %r into %p dim 2 : !Row into !Parts
  tile.copy %p to %o[%row, 0] : !Parts to !O
}
