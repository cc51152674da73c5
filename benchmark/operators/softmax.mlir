// y[row, :] = softmax(x[row, :]); R rows a block.
//
// $T = 256
// $R = 1
// $N = 4096
!X = memref<?x$Nxbf16>
!Row = memref<$Rx$Nxf32, #tile.fragment>
!One = memref<$Rxf32, #tile.fragment>

tile.kernel @softmax[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Row
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%b * $R, 0] to %r cast : !X to !Row
  tile.reduce max %r into %max dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %max[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    tile.store %e, %r[%i, %j] : !Row
  }
  tile.reduce sum %r into %sum dim 1 : !Row into !One
  tile.parallel (%i, %j) in ($R, $N) {
    %e = tile.load %r[%i, %j] : !Row
    %s = tile.load %sum[%i] : !One
    %q = arith.divf %e, %s : f32
    %h = arith.truncf %q : f32 to bf16
    tile.store %h, %y[%b * $R + %i, %j] : !X
  }
}
