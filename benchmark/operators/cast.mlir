// y = x, from type S to type D; E elements a block.
//
// $T = 256
// $E = 4096
// $S = bf16
// $D = f8E4M3FN
!X = memref<?x$S>
!Y = memref<?x$D>
!Tile = memref<$Ex$S, #tile.fragment>

tile.kernel @cast[%N](%x[%N]: !X, %y[%N]: !Y) grid(%b) in (%N ceildiv $E) threads($T) disjoint(%x, %y) {
  %t = tile.alloc_fragment : !Tile
  tile.copy %x[%b * $E] to %t : !X to !Tile
  tile.copy %t to %y[%b * $E] cast : !Tile to !Y
}
