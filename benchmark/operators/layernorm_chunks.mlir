// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c; a long row goes by twice in chunks of C, the second
// time backwards. Sums are taken about the row's first element, so that a large mean costs no precision.
//
// $T = 512
// $N = 32768
// $C = 8192
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @layernorm_chunks[%M](%x[%M, $N]: !X, %w: !W, %c: !W, %y[%M, $N]: !X, %eps: f32)
    grid(%row) in (%M) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %sums = tile.alloc_fragment : !Chunk
  %squares = tile.alloc_fragment : !Chunk
  %sum = tile.alloc_fragment : !One
  %square = tile.alloc_fragment : !One
  tile.fill %sums with 0.0 : !Chunk
  tile.fill %squares with 0.0 : !Chunk
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %h = tile.load %x[%row + %i, %k * $C + %j] : !X
      %firstHalf = tile.load %x[%row + %i, 0] : !X
      %v = arith.extf %h : bf16 to f32
      %first = arith.extf %firstHalf : bf16 to f32
      %d = arith.subf %v, %first : f32
      %a = tile.load %sums[%i, %j] : !Chunk
      %s = arith.addf %a, %d : f32
      tile.store %s, %sums[%i, %j] : !Chunk
      %q = arith.mulf %d, %d : f32
      %b = tile.load %squares[%i, %j] : !Chunk
      %t = arith.addf %b, %q : f32
      tile.store %t, %squares[%i, %j] : !Chunk
    }
  }
  tile.reduce sum %sums into %sum dim 1 : !Chunk into !One
  tile.reduce sum %squares into %square dim 1 : !Chunk into !One
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %n = arith.constant $N.0 : f32
      %h = tile.load %x[%row + %i, $N - $C - %k * $C + %j] : !X
      %firstHalf = tile.load %x[%row + %i, 0] : !X
      %v = arith.extf %h : bf16 to f32
      %first = arith.extf %firstHalf : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %q = tile.load %square[%i] : !One
      %shift = arith.divf %s, %n : f32
      %second = arith.divf %q, %n : f32
      %shift2 = arith.mulf %shift, %shift : f32
      %variance = arith.subf %second, %shift2 : f32
      %a = arith.addf %variance, %eps : f32
      %scale = math.rsqrt %a : f32
      %mean = arith.addf %first, %shift : f32
      %wh = tile.load %w[$N - $C - %k * $C + %j] : !W
      %ch = tile.load %c[$N - $C - %k * $C + %j] : !W
      %wf = arith.extf %wh : bf16 to f32
      %cf = arith.extf %ch : bf16 to f32
      %d = arith.subf %v, %mean : f32
      %u = arith.mulf %d, %scale : f32
      %p = arith.mulf %u, %wf : f32
      %t = arith.addf %p, %cf : f32
      %o = arith.truncf %t : f32 to bf16
      tile.store %o, %y[%row + %i, $N - $C - %k * $C + %j] : !X
    }
  }
}
