// y[row, :] = softmax(x[row, :]); a long row is read once and held: the first H groups of 8 in shared memory, P at a time, the
// last P in registers; each place of P groups keeps a maximum and a sum of its own, put together once, at the end.
//
// $T = 1024
// $G = 4096
// $P = 2048
// $H = 2048
// $COUNT = 32768.0
!X = memref<?x$Gx8xbf16>
!Held = memref<$Hx8xbf16, #tile.shared>
!Last = memref<1x$Px8xbf16, #tile.fragment>
!Chunk = memref<1x$Px8xf32, #tile.fragment>
!Groups = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @softmax_held[%M](%x[%M, $G, 8]: !X, %y[%M, $G, 8]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %held = tile.alloc_shared : !Held
  %last = tile.alloc_fragment : !Last
  %r = tile.alloc_fragment : !Chunk
  %maxima = tile.alloc_fragment : !Groups
  %sums = tile.alloc_fragment : !Groups
  %new = tile.alloc_fragment : !Groups
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  // Lower than any number that is not infinite, so that a group of infinities counts nothing.
  tile.fill %maxima with -3.0e38 : !Groups
  tile.fill %sums with 0.0 : !Groups
  tile.serial %k in ($H floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %x[%row + %i, %k * $P + %g, %j] : !X
      %v = arith.extf %h : bf16 to f32
      tile.store %h, %held[%k * $P + %g, %j] : !Held
      tile.store %v, %r[%i, %g, %j] : !Chunk
    }
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
  tile.copy %x[%row, $H, 0] to %last : !X to !Last
  tile.copy %last to %r cast : !Last to !Chunk
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
  tile.reduce max %maxima into %max dim 1 : !Groups into !One
  tile.parallel (%i, %g) in (1, $P) {
    %m = tile.load %maxima[%i, %g] : !Groups
    %all = tile.load %max[%i] : !One
    %s = tile.load %sums[%i, %g] : !Groups
    %d = arith.subf %m, %all : f32
    %e = math.exp %d : f32
    %t = arith.mulf %s, %e : f32
    tile.store %t, %new[%i, %g] : !Groups
  }
  tile.reduce sum %new into %sum dim 1 : !Groups into !One
  tile.parallel (%i, %g, %j) in (1, $P, 8) {
    %h = tile.load %last[%i, %g, %j] : !Last
    %v = arith.extf %h : bf16 to f32
    %m = tile.load %max[%i] : !One
    %s = tile.load %sum[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    %q = arith.divf %e, %s : f32
    %o = arith.truncf %q : f32 to bf16
    tile.store %o, %y[%row + %i, $H + %g, %j] : !X
  }
  tile.serial %k in ($H floordiv $P) {
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %h = tile.load %held[%k * $P + %g, %j] : !Held
      %v = arith.extf %h : bf16 to f32
      %m = tile.load %max[%i] : !One
      %s = tile.load %sum[%i] : !One
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %s : f32
      %o = arith.truncf %q : f32 to bf16
      tile.store %o, %y[%row + %i, %k * $P + %g, %j] : !X
    }
  }
}
