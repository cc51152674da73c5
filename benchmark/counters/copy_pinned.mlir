// y = x in a loop layout that is given: E elements a block.
//
// $T = 128
// $E = 512
// $S = f32
// $LAYOUT = #tile.distributed<512 = [(4 thread * 32, 16 thread, 2 thread * 16, 4 reg)] threads 128>
!X = memref<?x$S>

tile.kernel @copy_pinned[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv $E) threads($T) disjoint(%x, %y) {
  tile.parallel %i in ($E) layout($LAYOUT) {
    %v = tile.load %x[%b * $E + %i] : !X
    tile.store %v, %y[%b * $E + %i] : !X
  }
}
