// y = silu(x) * w, with silu(x) = x / (1 + exp(-x)); w has one value a column. R rows by E columns a block.
//
// $T = 256
// $R = 2
// $E = 2048
// $N = 4096
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>

tile.kernel @silu_mul[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X)
    grid(%by, %bx) in (%M ceildiv $R, $N ceildiv $E) threads($T) disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  tile.parallel (%i, %j) in ($R, $E) {
    %one = arith.constant 1.0 : f32
    %xh = tile.load %x[%by * $R + %i, %bx * $E + %j] : !X
    %wh = tile.load %w[%bx * $E + %j] : !W
    %xf = arith.extf %xh : bf16 to f32
    %wf = arith.extf %wh : bf16 to f32
    %minus = arith.negf %xf : f32
    %e = math.exp %minus : f32
    %d = arith.addf %one, %e : f32
    %s = arith.divf %xf, %d : f32
    %p = arith.mulf %s, %wf : f32
    %r = arith.truncf %p : f32 to bf16
    tile.store %r, %y[%by * $R + %i, %bx * $E + %j] : !X
  }
}
