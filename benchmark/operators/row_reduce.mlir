// o[row] = the sum or product of a row of x, in f32, rounded once; R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
// $KIND = sum
!X = memref<?x$Nxbf16>
!O = memref<?xbf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>
!One = memref<$Rxf32, #tile.fragment>

tile.kernel @row_reduce[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%b) in (%M ceildiv $R) threads($T)
    disjoint(%x, %o) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %p = tile.alloc_fragment : !One
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.reduce $KIND %r into %p dim 1 : !Row into !One
  tile.copy %p to %o[%b * $R] cast : !One to !O
}
