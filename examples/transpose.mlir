// b = the transpose of a, tile by tile through shared memory.
//
// $T = 256
!A = memref<?x?xbf16>
!Tile = memref<64x64xbf16, #tile.shared>

tile.kernel @transpose[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A)
    grid(%bx, %by) in (%N ceildiv 64, %M ceildiv 64) threads($T) {
  %s = tile.alloc_shared : !Tile
  tile.copy %a[%by * 64, %bx * 64] to %s : !A to !Tile
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %s[%i, %j] : !Tile
    tile.store %x, %b[%bx * 64 + %j, %by * 64 + %i] : !A
  }
}
