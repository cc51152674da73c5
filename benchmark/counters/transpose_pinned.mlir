// b = the transpose of a, 64 by 64 tiles through shared memory in a layout that is given, good or bad.
//
// $T = 256
// $S = bf16
// $LAYOUT = #tile.linear
!A = memref<?x?x$S>
!Tile = memref<64x64x$S, #tile.shared>

tile.kernel @transpose_pinned[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A)
    grid(%bx, %by) in (%N ceildiv 64, %M ceildiv 64) threads($T) disjoint(%a, %b) {
  %s = tile.alloc_shared layout($LAYOUT) : !Tile
  tile.copy %a[%by * 64, %bx * 64] to %s : !A to !Tile
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %s[%i, %j] : !Tile
    tile.store %x, %b[%bx * 64 + %j, %by * 64 + %i] : !A
  }
}
