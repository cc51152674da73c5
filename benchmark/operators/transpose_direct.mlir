// b = the transpose of a, B by B tiles: the compiler decides how an element gets from its row to its column.
//
// $T = 512
// $B = 128
!A = memref<?x?xbf16>
!Tile = memref<$Bx$Bxbf16, #tile.fragment>

tile.kernel @transpose_direct[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A)
    grid(%bx, %by) in (%N ceildiv $B, %M ceildiv $B) threads($T) disjoint(%a, %b) {
  %f = tile.alloc_fragment : !Tile
  tile.copy %a[%by * $B, %bx * $B] to %f : !A to !Tile
  tile.parallel (%j, %i) in ($B, $B) {
    %x = tile.load %f[%i, %j] : !Tile
    tile.store %x, %b[%bx * $B + %j, %by * $B + %i] : !A
  }
}
