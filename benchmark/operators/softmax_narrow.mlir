// y[row, :] = softmax(x[row, :]); the row is held as it came, in bf16, and y = exp(x - (max + log(sum))).
//
// $T = 512
// $N = 32768
!X = memref<?x$Nxbf16>
!Row = memref<1x$Nxbf16, #tile.fragment>
!Powers = memref<1x$Nxf32, #tile.fragment>
!Half = memref<1xbf16, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @softmax_narrow[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %powers = tile.alloc_fragment : !Powers
  %max = tile.alloc_fragment : !Half
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.reduce max %r into %max dim 1 : !Row into !Half
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %mh = tile.load %max[%i] : !Half
    %v = arith.extf %h : bf16 to f32
    %m = arith.extf %mh : bf16 to f32
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    tile.store %e, %powers[%i, %j] : !Powers
  }
  tile.reduce sum %powers into %sum dim 1 : !Powers into !One
  tile.parallel (%i, %j) in (1, $N) {
    %h = tile.load %r[%i, %j] : !Row
    %mh = tile.load %max[%i] : !Half
    %s = tile.load %sum[%i] : !One
    %v = arith.extf %h : bf16 to f32
    %m = arith.extf %mh : bf16 to f32
    %log = math.log %s : f32
    %shift = arith.addf %m, %log : f32
    %d = arith.subf %v, %shift : f32
    %e = math.exp %d : f32
    %o = arith.truncf %e : f32 to bf16
    tile.store %o, %y[%row + %i, %j] : !X
  }
}
