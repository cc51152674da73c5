// y[row, :] = x[row, :] / sqrt(mean(x[row, :]^2) + eps) * w; R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>
!One = memref<$Rxf32, #tile.fragment>

tile.kernel @rmsnorm[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X, %eps: f32) grid(%b) in (%M ceildiv $R) threads($T)
    disjoint(%x, %w, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %squares = tile.alloc_fragment : !Row
  %mean = tile.alloc_fragment : !One
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %q = arith.mulf %v, %v : f32
    tile.store %q, %squares[%i, %j] : !Row
  }
  tile.reduce mean %squares into %mean dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %wh = tile.load %w[%j] : !W
    %wf = arith.extf %wh : bf16 to f32
    %a = arith.addf %m, %eps : f32
    %s = math.rsqrt %a : f32
    %n = arith.mulf %v, %s : f32
    %p = arith.mulf %n, %wf : f32
    %h = arith.truncf %p : f32 to bf16
    tile.store %h, %y[%b * $R + %i, %j] : !X
  }
}
