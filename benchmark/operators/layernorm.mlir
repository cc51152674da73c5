// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c, the variance about the mean; R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>
!One = memref<$Rxf32, #tile.fragment>

tile.kernel @layernorm[%M](%x[%M, $N]: !X, %w: !W, %c: !W, %y[%M, $N]: !X, %eps: f32)
    grid(%b) in (%M ceildiv $R) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %squares = tile.alloc_fragment : !Row
  %mean = tile.alloc_fragment : !One
  %variance = tile.alloc_fragment : !One
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.reduce mean %r into %mean dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %d = arith.subf %v, %m : f32
    %q = arith.mulf %d, %d : f32
    tile.store %q, %squares[%i, %j] : !Row
  }
  tile.reduce mean %squares into %variance dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %q = tile.load %variance[%i] : !One
    %wh = tile.load %w[%j] : !W
    %ch = tile.load %c[%j] : !W
    %wf = arith.extf %wh : bf16 to f32
    %cf = arith.extf %ch : bf16 to f32
    %a = arith.addf %q, %eps : f32
    %s = math.rsqrt %a : f32
    %d = arith.subf %v, %m : f32
    %n = arith.mulf %d, %s : f32
    %p = arith.mulf %n, %wf : f32
    %t = arith.addf %p, %cf : f32
    %h = arith.truncf %t : f32 to bf16
    tile.store %h, %y[%b * $R + %i, %j] : !X
  }
}
