// o[row, p] = the product of part p of a row of x, P parts of V neighbours; R rows a block.
//
// $T = 128
// $R = 1
// $P = 128
// $V = 32
!X = memref<?x$Px$Vxbf16>
!O = memref<?x$Pxf32>
!Row = memref<$Rx$Px$Vxf32, #tile.fragment>
!Parts = memref<$Rx$Pxf32, #tile.fragment>

tile.kernel @row_parts[%M](%x[%M, $P, $V]: !X, %o[%M, $P]: !O) grid(%b) in (%M ceildiv $R) threads($T)
    disjoint(%x, %o) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %p = tile.alloc_fragment : !Parts
  tile.copy %x[%b * $R, 0, 0] to %r cast : !X to !Row
  tile.reduce prod %r into %p dim 2 : !Row into !Parts
  tile.copy %p to %o[%b * $R, 0] : !Parts to !O
}
