// y[row, :] = the running sum or product of a row of x, in f32, rounded once; R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
// $KIND = sum
!X = memref<?x$Nxbf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>

tile.kernel @row_scan[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !Row
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.scan $KIND %r into %s dim 1 : !Row into !Row
  tile.copy %s to %y[%b * $R, 0] cast : !Row to !X
}
