// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c; the row is held as it came, in bf16.
//
// $T = 512
// $N = 32768
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!Row = memref<1x$Nxbf16, #tile.fragment>
!Wide = memref<1x$Nxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @layernorm_narrow[%M](%x[%M, $N]: !X, %w: !W, %c: !W, %y[%M, $N]: !X, %eps: f32)
    grid(%row) in (%M) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %wide = tile.alloc_fragment : !Wide
  %squares = tile.alloc_fragment : !Wide
  %mean = tile.alloc_fragment : !One
  %variance = tile.alloc_fragment : !One
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %wide cast : !Row to !Wide
  tile.reduce mean %wide into %mean dim 1 : !Wide into !One
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %v = arith.extf %h : bf16 to f32
    %d = arith.subf %v, %m : f32
    %q = arith.mulf %d, %d : f32
    tile.store %q, %squares[%i, %j] : !Wide
  }
  tile.reduce mean %squares into %variance dim 1 : !Wide into !One
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %q = tile.load %variance[%i] : !One
    %wh = tile.load %w[%j] : !W
    %ch = tile.load %c[%j] : !W
    %v = arith.extf %h : bf16 to f32
    %wf = arith.extf %wh : bf16 to f32
    %cf = arith.extf %ch : bf16 to f32
    %a = arith.addf %q, %eps : f32
    %s = math.rsqrt %a : f32
    %d = arith.subf %v, %m : f32
    %n = arith.mulf %d, %s : f32
    %p = arith.mulf %n, %wf : f32
    %t = arith.addf %p, %cf : f32
    %o = arith.truncf %t : f32 to bf16
    tile.store %o, %y[%row + %i, %j] : !X
  }
}
