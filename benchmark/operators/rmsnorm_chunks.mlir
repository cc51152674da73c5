// y[row, :] = x[row, :] / sqrt(mean(x[row, :]^2) + eps) * w; a long row goes by twice in chunks of C, the second time backwards.
//
// $T = 512
// $N = 32768
// $C = 8192
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @rmsnorm_chunks[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X, %eps: f32) grid(%row) in (%M) threads($T)
    disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  %squares = tile.alloc_fragment : !Chunk
  %sum = tile.alloc_fragment : !One
  tile.fill %squares with 0.0 : !Chunk
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %h = tile.load %x[%row + %i, %k * $C + %j] : !X
      %v = arith.extf %h : bf16 to f32
      %q = arith.mulf %v, %v : f32
      %a = tile.load %squares[%i, %j] : !Chunk
      %s = arith.addf %a, %q : f32
      tile.store %s, %squares[%i, %j] : !Chunk
    }
  }
  tile.reduce sum %squares into %sum dim 1 : !Chunk into !One
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %n = arith.constant $N.0 : f32
      %h = tile.load %x[%row + %i, $N - $C - %k * $C + %j] : !X
      %v = arith.extf %h : bf16 to f32
      %q = tile.load %sum[%i] : !One
      %wh = tile.load %w[$N - $C - %k * $C + %j] : !W
      %wf = arith.extf %wh : bf16 to f32
      %m = arith.divf %q, %n : f32
      %a = arith.addf %m, %eps : f32
      %s = math.rsqrt %a : f32
      %u = arith.mulf %v, %s : f32
      %p = arith.mulf %u, %wf : f32
      %o = arith.truncf %p : f32 to bf16
      tile.store %o, %y[%row + %i, $N - $C - %k * $C + %j] : !X
    }
  }
}
