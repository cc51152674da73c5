// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c; a long row goes by twice in chunks of P groups of 8, one sum
// and one sum of squares a group's place; the second time backwards. Sums are taken about the row's first element, so that a
// large mean costs no precision.
//
// $T = 512
// $G = 4096
// $P = 2048
// $COUNT = 32768.0
!X = memref<?x$Gx8xbf16>
!W = memref<$Gx8xbf16>
!Chunk = memref<1x$Px8xf32, #tile.fragment>
!Groups = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @layernorm_groups[%M](%x[%M, $G, 8]: !X, %w: !W, %c: !W, %y[%M, $G, 8]: !X, %eps: f32)
    grid(%row) in (%M) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %shifted = tile.alloc_fragment : !Chunk
  %squares = tile.alloc_fragment : !Chunk
  %sums = tile.alloc_fragment : !Groups
  %seconds = tile.alloc_fragment : !Groups
  %sum = tile.alloc_fragment : !One
  %second = tile.alloc_fragment : !One
  tile.fill %sums with 0.0 : !Groups
  tile.fill %seconds with 0.0 : !Groups
  tile.serial %k in ($G floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %x[%row + %i, %k * $P + %g, %j] : !X
      %firstHalf = tile.load %x[%row + %i, 0, 0] : !X
      %v = arith.extf %h : bf16 to f32
      %first = arith.extf %firstHalf : bf16 to f32
      %d = arith.subf %v, %first : f32
      %q = arith.mulf %d, %d : f32
      tile.store %d, %shifted[%i, %g, %j] : !Chunk
      tile.store %q, %squares[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %shifted into %sums dim 2 accumulate : !Chunk into !Groups
    tile.reduce sum %squares into %seconds dim 2 accumulate : !Chunk into !Groups
  }
  tile.reduce sum %sums into %sum dim 1 : !Groups into !One
  tile.reduce sum %seconds into %second dim 1 : !Groups into !One
  tile.serial %k in ($G floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %x[%row + %i, $G - $P - %k * $P + %g, %j] : !X
      %firstHalf = tile.load %x[%row + %i, 0, 0] : !X
      %wh = tile.load %w[$G - $P - %k * $P + %g, %j] : !W
      %ch = tile.load %c[$G - $P - %k * $P + %g, %j] : !W
      %v = arith.extf %h : bf16 to f32
      %first = arith.extf %firstHalf : bf16 to f32
      %wf = arith.extf %wh : bf16 to f32
      %cf = arith.extf %ch : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %q = tile.load %second[%i] : !One
      %shift = arith.divf %s, %n : f32
      %moment = arith.divf %q, %n : f32
      %shift2 = arith.mulf %shift, %shift : f32
      %variance = arith.subf %moment, %shift2 : f32
      %a = arith.addf %variance, %eps : f32
      %scale = math.rsqrt %a : f32
      %mean = arith.addf %first, %shift : f32
      %d = arith.subf %v, %mean : f32
      %u = arith.mulf %d, %scale : f32
      %p = arith.mulf %u, %wf : f32
      %t = arith.addf %p, %cf : f32
      %o = arith.truncf %t : f32 to bf16
      tile.store %o, %y[%row + %i, $G - $P - %k * $P + %g, %j] : !X
    }
  }
}
