// y[row, :] = x[row, :] / sqrt(mean(x[row, :] ^ 2) + eps) * w; a long row is read once and held: the first H groups of 8 in
// shared memory, P at a time, the last P in registers; one sum of squares a place of P groups, put together once, at the end.
//
// $T = 1024
// $G = 4096
// $P = 2048
// $H = 2048
// $COUNT = 32768.0
!X = memref<?x$Gx8xbf16>
!W = memref<$Gx8xbf16>
!Held = memref<$Hx8xbf16, #tile.shared>
!Last = memref<1x$Px8xbf16, #tile.fragment>
!Chunk = memref<1x$Px8xf32, #tile.fragment>
!Groups = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @rmsnorm_held[%M](%x[%M, $G, 8]: !X, %w: !W, %y[%M, $G, 8]: !X, %eps: f32)
    grid(%row) in (%M) threads($T) disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  %held = tile.alloc_shared : !Held
  %last = tile.alloc_fragment : !Last
  %squares = tile.alloc_fragment : !Chunk
  %sums = tile.alloc_fragment : !Groups
  %sum = tile.alloc_fragment : !One
  tile.fill %sums with 0.0 : !Groups
  tile.serial %k in ($H floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %x[%row + %i, %k * $P + %g, %j] : !X
      %v = arith.extf %h : bf16 to f32
      %q = arith.mulf %v, %v : f32
      tile.store %h, %held[%k * $P + %g, %j] : !Held
      tile.store %q, %squares[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %squares into %sums dim 2 accumulate : !Chunk into !Groups
  }
  tile.copy %x[%row, $H, 0] to %last : !X to !Last
  tile.parallel (%i, %g, %j) in (1, $P, 8) {
    %h = tile.load %last[%i, %g, %j] : !Last
    %v = arith.extf %h : bf16 to f32
    %q = arith.mulf %v, %v : f32
    tile.store %q, %squares[%i, %g, %j] : !Chunk
  }
  tile.reduce sum %squares into %sums dim 2 accumulate : !Chunk into !Groups
  tile.reduce sum %sums into %sum dim 1 : !Groups into !One
  tile.parallel (%i, %g, %j) in (1, $P, 8) {
    %n = arith.constant $COUNT : f32
    %h = tile.load %last[%i, %g, %j] : !Last
    %wh = tile.load %w[$H + %g, %j] : !W
    %v = arith.extf %h : bf16 to f32
    %wf = arith.extf %wh : bf16 to f32
    %s = tile.load %sum[%i] : !One
    %mean = arith.divf %s, %n : f32
    %a = arith.addf %mean, %eps : f32
    %scale = math.rsqrt %a : f32
    %u = arith.mulf %v, %scale : f32
    %p = arith.mulf %u, %wf : f32
    %o = arith.truncf %p : f32 to bf16
    tile.store %o, %y[%row + %i, $H + %g, %j] : !X
  }
  tile.serial %k in ($H floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %held[%k * $P + %g, %j] : !Held
      %wh = tile.load %w[%k * $P + %g, %j] : !W
      %v = arith.extf %h : bf16 to f32
      %wf = arith.extf %wh : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %mean = arith.divf %s, %n : f32
      %a = arith.addf %mean, %eps : f32
      %scale = math.rsqrt %a : f32
      %u = arith.mulf %v, %scale : f32
      %p = arith.mulf %u, %wf : f32
      %o = arith.truncf %p : f32 to bf16
      tile.store %o, %y[%row + %i, %k * $P + %g, %j] : !X
    }
  }
}
