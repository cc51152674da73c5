// y[row, :] = softmax(x[row, :]); a long row goes by twice in chunks of C: running maximum and sum, then, backwards, y.
//
// $T = 512
// $N = 32768
// $C = 8192
!X = memref<?x$Nxbf16>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @softmax_chunks[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %r = tile.alloc_fragment : !Chunk
  %old = tile.alloc_fragment : !One
  %max = tile.alloc_fragment : !One
  %part = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  // Lower than any number that is not infinite, so that a chunk of infinities counts nothing.
  tile.fill %max with -3.0e38 : !One
  tile.fill %sum with 0.0 : !One
  tile.serial %k in ($N floordiv $C) {
    tile.copy %x[%row, %k * $C] to %r cast : !X to !Chunk
    tile.copy %max to %old : !One to !One
    tile.reduce max %r into %max dim 1 accumulate : !Chunk into !One
    tile.parallel (%i, %j) in (1, $C) {
      %v = tile.load %r[%i, %j] : !Chunk
      %m = tile.load %max[%i] : !One
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      tile.store %e, %r[%i, %j] : !Chunk
    }
    tile.reduce sum %r into %part dim 1 : !Chunk into !One
    tile.parallel %i in (1) {
      %before = tile.load %old[%i] : !One
      %now = tile.load %max[%i] : !One
      %d = arith.subf %before, %now : f32
      %scale = math.exp %d : f32
      %s = tile.load %sum[%i] : !One
      %scaled = arith.mulf %s, %scale : f32
      %p = tile.load %part[%i] : !One
      %t = arith.addf %scaled, %p : f32
      tile.store %t, %sum[%i] : !One
    }
  }
  tile.serial %k in ($N floordiv $C) {
    tile.parallel (%i, %j) in (1, $C) {
      %h = tile.load %x[%row + %i, $N - $C - %k * $C + %j] : !X
      %v = arith.extf %h : bf16 to f32
      %m = tile.load %max[%i] : !One
      %s = tile.load %sum[%i] : !One
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %s : f32
      %o = arith.truncf %q : f32 to bf16
      tile.store %o, %y[%row + %i, $N - $C - %k * $C + %j] : !X
    }
  }
}
