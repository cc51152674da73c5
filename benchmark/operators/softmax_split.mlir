// y[row, :] = softmax(x[row, :]), for few, long rows: maximum and sum of parts of C elements first, one a block, then y.
//
// $T = 256
// $N = 102400
// $C = 4096
// $P = 25
!X = memref<?x$Nxbf16>
!Parts = memref<?x$Pxf32>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!Row = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @part_sums[%M](%x[%M, $N]: !X, %maxima[%M, $P]: !Parts, %sums[%M, $P]: !Parts) grid(%p, %row) in ($P, %M)
    threads($T) disjoint(%x, %maxima, %sums) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%row, %p * $C] to %r cast : !X to !Chunk
  tile.reduce max %r into %max dim 1 : !Chunk into !One
  tile.parallel (%i, %j) in (1, $C) {
    %v = tile.load %r[%i, %j] : !Chunk
    %m = tile.load %max[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    tile.store %e, %r[%i, %j] : !Chunk
  }
  tile.reduce sum %r into %sum dim 1 : !Chunk into !One
  tile.parallel %i in (1) {
    %m = tile.load %max[%i] : !One
    %s = tile.load %sum[%i] : !One
    tile.store %m, %maxima[%row, %p + %i] : !Parts
    tile.store %s, %sums[%row, %p + %i] : !Parts
  }
}

tile.kernel @part_softmax[%M](%x[%M, $N]: !X, %maxima[%M, $P]: !Parts, %sums[%M, $P]: !Parts, %y[%M, $N]: !X)
    grid(%p, %row) in ($P, %M) threads($T) disjoint(%x, %maxima, %sums, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %maxima_of_row = tile.alloc_fragment : !Row
  %scaled = tile.alloc_fragment : !Row
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%row, %p * $C] to %r cast : !X to !Chunk
  tile.copy %maxima[%row, 0] to %maxima_of_row : !Parts to !Row
  tile.reduce max %maxima_of_row into %max dim 1 : !Row into !One
  tile.parallel (%i, %q) in (1, $P) {
    %v = tile.load %maxima_of_row[%i, %q] : !Row
    %m = tile.load %max[%i] : !One
    %s = tile.load %sums[%row + %i, %q] : !Parts
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    %t = arith.mulf %e, %s : f32
    tile.store %t, %scaled[%i, %q] : !Row
  }
  tile.reduce sum %scaled into %sum dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, $C) {
    %v = tile.load %r[%i, %j] : !Chunk
    %m = tile.load %max[%i] : !One
    %s = tile.load %sum[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    %q = arith.divf %e, %s : f32
    %h = arith.truncf %q : f32 to bf16
    tile.store %h, %y[%row + %i, %p * $C + %j] : !X
  }
}
