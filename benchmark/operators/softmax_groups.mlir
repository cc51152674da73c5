// y[row, :] = softmax(x[row, :]); a long row goes by twice in chunks of P groups of 8: each group's place keeps a maximum
// and a sum of its own, put together once, at the end; then, backwards, y.
//
// $T = 512
// $G = 4096
// $P = 2048
!X = memref<?x$Gx8xbf16>
!Chunk = memref<1x$Px8xf32, #tile.fragment>
!Groups = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @softmax_groups[%M](%x[%M, $G, 8]: !X, %y[%M, $G, 8]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %maxima = tile.alloc_fragment : !Groups
  %sums = tile.alloc_fragment : !Groups
  %new = tile.alloc_fragment : !Groups
  %part = tile.alloc_fragment : !Groups
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  // Lower than any number that is not infinite, so that a group of infinities counts nothing.
  tile.fill %maxima with -3.0e38 : !Groups
  tile.fill %sums with 0.0 : !Groups
  tile.serial %k in ($G floordiv $P) {
    tile.copy %x[%row, %k * $P, 0] to %r cast : !X to !Chunk
    tile.reduce max %r into %new dim 2 : !Chunk into !Groups
    tile.parallel (%i, %g) in (1, $P) {
      %old = tile.load %maxima[%i, %g] : !Groups
      %here = tile.load %new[%i, %g] : !Groups
      %s = tile.load %sums[%i, %g] : !Groups
      %m = arith.maximumf %old, %here : f32
      %d = arith.subf %old, %m : f32
      %e = math.exp %d : f32
      %t = arith.mulf %s, %e : f32
      tile.store %m, %maxima[%i, %g] : !Groups
      tile.store %t, %sums[%i, %g] : !Groups
    }
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %v = tile.load %r[%i, %g, %j] : !Chunk
      %m = tile.load %maxima[%i, %g] : !Groups
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      tile.store %e, %r[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %r into %sums dim 2 accumulate : !Chunk into !Groups
  }
  tile.reduce max %maxima into %max dim 1 : !Groups into !One
  tile.parallel (%i, %g) in (1, $P) {
    %m = tile.load %maxima[%i, %g] : !Groups
    %all = tile.load %max[%i] : !One
    %s = tile.load %sums[%i, %g] : !Groups
    %d = arith.subf %m, %all : f32
    %e = math.exp %d : f32
    %t = arith.mulf %s, %e : f32
    tile.store %t, %part[%i, %g] : !Groups
  }
  tile.reduce sum %part into %sum dim 1 : !Groups into !One
  tile.serial %k in ($G floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %x[%row + %i, $G - $P - %k * $P + %g, %j] : !X
      %v = arith.extf %h : bf16 to f32
      %m = tile.load %max[%i] : !One
      %s = tile.load %sum[%i] : !One
      %log = math.log %s : f32
      %shift = arith.addf %m, %log : f32
      %d = arith.subf %v, %shift : f32
      %e = math.exp %d : f32
      %o = arith.truncf %e : f32 to bf16
      tile.store %o, %y[%row + %i, $G - $P - %k * $P + %g, %j] : !X
    }
  }
}
