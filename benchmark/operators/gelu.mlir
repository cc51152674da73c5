// y = x / 2 * (1 + erf(x / sqrt(2))), E elements a block.
//
// $T = 256
// $E = 4096
!X = memref<?xbf16>

tile.kernel @gelu[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv $E) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  tile.parallel %i in ($E) {
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.70710678 : f32
    %h = tile.load %x[%b * $E + %i] : !X
    %v = arith.extf %h : bf16 to f32
    %u = arith.mulf %v, %root : f32
    %e = math.erf %u : f32
    %s = arith.addf %e, %one : f32
    %p = arith.mulf %v, %half : f32
    %q = arith.mulf %p, %s : f32
    %o = arith.truncf %q : f32 to bf16
    tile.store %o, %y[%b * $E + %i] : !X
  }
}
