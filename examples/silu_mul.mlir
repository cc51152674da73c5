// y = silu(x) * w, with silu(x) = x / (1 + exp(-x)); w has one value a column.
//
// $T = 256
!X = memref<?x?xbf16>
!W = memref<?xbf16>

tile.kernel @silu_mul[%M, %N](%x[%M, %N]: !X, %w[%N]: !W, %y[%M, %N]: !X)
    grid(%bx, %by) in (%N ceildiv 512, %M ceildiv 8) threads($T) {
  tile.parallel (%i, %j) in (8, 512) {
    %one = arith.constant 1.0 : f32
    %xh = tile.load %x[%by * 8 + %i, %bx * 512 + %j] : !X
    %wh = tile.load %w[%bx * 512 + %j] : !W
    %xf = arith.extf %xh : bf16 to f32
    %wf = arith.extf %wh : bf16 to f32
    %minus = arith.negf %xf : f32
    %e = math.exp %minus : f32
    %d = arith.addf %one, %e : f32
    %s = arith.divf %xf, %d : f32
    %p = arith.mulf %s, %wf : f32
    %r = arith.truncf %p : f32 to bf16
    tile.store %r, %y[%by * 8 + %i, %bx * 512 + %j] : !X
  }
}
