// y[row, :] = x[row, :] / sqrt(mean(x[row, :]^2) + eps) * w; the row is held as it came, in bf16.
//
// $T = 512
// $N = 32768
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Row = memref<1x$Nxbf16, #tile.fragment>
!Squares = memref<1x$Nxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @rmsnorm_narrow[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X, %eps: f32) grid(%row) in (%M) threads($T)
    disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %squares = tile.alloc_fragment : !Squares
  %mean = tile.alloc_fragment : !One
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %v = arith.extf %h : bf16 to f32
    %q = arith.mulf %v, %v : f32
    tile.store %q, %squares[%i, %j] : !Squares
  }
  tile.reduce mean %squares into %mean dim 1 : !Squares into !One
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %wh = tile.load %w[%j] : !W
    %v = arith.extf %h : bf16 to f32
    %wf = arith.extf %wh : bf16 to f32
    %a = arith.addf %m, %eps : f32
    %s = math.rsqrt %a : f32
    %n = arith.mulf %v, %s : f32
    %p = arith.mulf %n, %wf : f32
    %o = arith.truncf %p : f32 to bf16
    tile.store %o, %y[%row + %i, %j] : !X
  }
}
