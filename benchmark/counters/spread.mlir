// y[row, :] = w, through shared memory, in a loop layout that is given: neighbouring lanes read the same 16 bytes.
//
// $T = 128
// $LAYOUT = #tile.distributed<16x32 = [(8 thread * 16, 2 thread), (8 thread * 2, 4 reg)] threads 128>
!W = memref<32xf32>
!Y = memref<?x32xf32>
!S = memref<32xf32, #tile.shared>

tile.kernel @spread[%M](%w: !W, %y[%M, 32]: !Y) grid(%b) in (%M ceildiv 16) threads($T) disjoint(%w, %y) {
  %s = tile.alloc_shared : !S
  tile.copy %w[0] to %s : !W to !S
  tile.parallel (%i, %j) in (16, 32) layout($LAYOUT) {
    %x = tile.load %s[%j] : !S
    tile.store %x, %y[%b * 16 + %i, %j] : !Y
  }
}
