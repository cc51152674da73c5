// y = x, for elements of type S; E elements a block.
//
// $T = 256
// $E = 8192
// $S = i8
!X = memref<?x$S>

tile.kernel @copy[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv $E) threads($T) disjoint(%x, %y) {
  tile.parallel %i in ($E) {
    %v = tile.load %x[%b * $E + %i] : !X
    tile.store %v, %y[%b * $E + %i] : !X
  }
}
