// b = the transpose of a, B by B tiles through shared memory.
//
// $T = 512
// $B = 128
!A = memref<?x?xbf16>
!Tile = memref<$Bx$Bxbf16, #tile.shared>

tile.kernel @transpose[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A)
    grid(%bx, %by) in (%N ceildiv $B, %M ceildiv $B) threads($T) disjoint(%a, %b) {
  %s = tile.alloc_shared : !Tile
  tile.copy %a[%by * $B, %bx * $B] to %s : !A to !Tile
  tile.parallel (%j, %i) in ($B, $B) {
    %x = tile.load %s[%i, %j] : !Tile
    tile.store %x, %b[%bx * $B + %j, %by * $B + %i] : !A
  }
}
