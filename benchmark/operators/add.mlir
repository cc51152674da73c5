// z = x + y, E elements a block.
//
// $T = 256
// $E = 4096
!X = memref<?xbf16>

tile.kernel @add[%N](%x[%N]: !X, %y[%N]: !X, %z[%N]: !X) grid(%b) in (%N ceildiv $E) threads($T) disjoint(%x, %y, %z) {
  tile.parallel %i in ($E) {
    %p = tile.load %x[%b * $E + %i] : !X
    %q = tile.load %y[%b * $E + %i] : !X
    %v = arith.extf %p : bf16 to f32
    %w = arith.extf %q : bf16 to f32
    %s = arith.addf %v, %w : f32
    %o = arith.truncf %s : f32 to bf16
    tile.store %o, %z[%b * $E + %i] : !X
  }
}
