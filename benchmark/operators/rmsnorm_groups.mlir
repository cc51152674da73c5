// y[row, :] = x[row, :] / sqrt(mean(x[row, :]^2) + eps) * w; a long row goes by twice in chunks of P groups of 8, one sum a
// group's place; the second time backwards.
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

tile.kernel @rmsnorm_groups[%M](%x[%M, $G, 8]: !X, %w: !W, %y[%M, $G, 8]: !X, %eps: f32) grid(%row) in (%M) threads($T)
    disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  %squares = tile.alloc_fragment : !Chunk
  %sums = tile.alloc_fragment : !Groups
  %sum = tile.alloc_fragment : !One
  tile.fill %sums with 0.0 : !Groups
  tile.serial %k in ($G floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %x[%row + %i, %k * $P + %g, %j] : !X
      %v = arith.extf %h : bf16 to f32
      %q = arith.mulf %v, %v : f32
      tile.store %q, %squares[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %squares into %sums dim 2 accumulate : !Chunk into !Groups
  }
  tile.reduce sum %sums into %sum dim 1 : !Groups into !One
  tile.serial %k in ($G floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %x[%row + %i, $G - $P - %k * $P + %g, %j] : !X
      %wh = tile.load %w[$G - $P - %k * $P + %g, %j] : !W
      %q = tile.load %sum[%i] : !One
      %v = arith.extf %h : bf16 to f32
      %wf = arith.extf %wh : bf16 to f32
      %m = arith.divf %q, %n : f32
      %a = arith.addf %m, %eps : f32
      %s = math.rsqrt %a : f32
      %u = arith.mulf %v, %s : f32
      %p = arith.mulf %u, %wf : f32
      %o = arith.truncf %p : f32 to bf16
      tile.store %o, %y[%row + %i, $G - $P - %k * $P + %g, %j] : !X
    }
  }
}
