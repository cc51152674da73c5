// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c, the variance about the mean; B blocks go through the rows,
// B apart. A row is S pieces of P groups of 8: the first H are held in shared memory, the last L in registers. As soon as a
// piece has been written, U at a time, the same piece of the block's next row is asked for. What is held is read once for
// both moments: each place of a piece keeps the mean of its groups and the sum of squares about that mean, as Chan, Golub
// and LeVeque join them (1979), and the moments of the places are joined about the mean of the row.
//
// $T = 1024
// $B = 132
// $P = 1024
// $S = 6
// $H = 4
// $L = 2
// $U = 2
// $COUNT = 49152.0
!X = memref<?x$Sx$Px8xbf16>
!W = memref<$Sx$Px8xbf16>
!Held = memref<$Hx$Px8xbf16, #tile.shared>
!Last = memref<1x$Lx$Px8xbf16, #tile.fragment>
!Rest = memref<1x$Lx$Px8xf32, #tile.fragment>
!Sums = memref<1x$Lx$Pxf32, #tile.fragment>
!Piece = memref<1x$Px8xf32, #tile.fragment>
!Places = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @layernorm_ahead[%M](%x[%M, $S, $P, 8]: !X, %w: !W, %c: !W, %y[%M, $S, $P, 8]: !X, %eps: f32)
    grid(%b) in ($B) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %held = tile.alloc_shared : !Held
  %last = tile.alloc_fragment : !Last
  %rest = tile.alloc_fragment : !Rest
  %sums = tile.alloc_fragment : !Sums
  %values = tile.alloc_fragment : !Piece
  %total = tile.alloc_fragment : !Places
  %squares = tile.alloc_fragment : !Places
  %means = tile.alloc_fragment : !Places
  %moments = tile.alloc_fragment : !Places
  %sum = tile.alloc_fragment : !One
  %second = tile.alloc_fragment : !One
  tile.serial %k in ($H) {
    tile.parallel (%g, %j) in ($P, 8) {
      %h = tile.load %x[%b, %k, %g, %j] : !X
      tile.store %h, %held[%k, %g, %j] : !Held
    }
  }
  tile.copy %x[%b, $H, 0, 0] to %last : !X to !Last
  tile.serial %r in ((%M - %b) ceildiv $B) {
    tile.fill %means with 0.0 : !Places
    tile.fill %moments with 0.0 : !Places
    tile.unrolled %k in ($H) {
      tile.parallel (%i, %g, %j) in (1, $P, 8) {
        %h = tile.load %held[%k, %g, %j] : !Held
        %v = arith.extf %h : bf16 to f32
        tile.store %v, %values[%i, %g, %j] : !Piece
      }
      tile.reduce sum %values into %total dim 2 : !Piece into !Places
      tile.parallel (%i, %g, %j) in (1, $P, 8) {
        %eighth = arith.constant 0.125 : f32
        %v = tile.load %values[%i, %g, %j] : !Piece
        %t = tile.load %total[%i, %g] : !Places
        %mean = arith.mulf %t, %eighth : f32
        %d = arith.subf %v, %mean : f32
        %q = arith.mulf %d, %d : f32
        tile.store %q, %values[%i, %g, %j] : !Piece
      }
      tile.reduce sum %values into %squares dim 2 : !Piece into !Places
      tile.parallel (%i, %g) in (1, $P) {
        %eighth = arith.constant 0.125 : f32
        %eight = arith.constant 8.0 : f32
        %one = arith.constant 1.0 : f32
        %before = arith.index_cast %k : index to i32
        %n = arith.sitofp %before : i32 to f32
        %n1 = arith.addf %n, %one : f32
        %part = arith.divf %one, %n1 : f32
        %t = tile.load %total[%i, %g] : !Places
        %q = tile.load %squares[%i, %g] : !Places
        %m = tile.load %means[%i, %g] : !Places
        %m2 = tile.load %moments[%i, %g] : !Places
        %mean = arith.mulf %t, %eighth : f32
        %d = arith.subf %mean, %m : f32
        %step = arith.mulf %d, %part : f32
        %new = arith.addf %m, %step : f32
        %n8 = arith.mulf %n, %eight : f32
        %weight = arith.mulf %n8, %part : f32
        %dd = arith.mulf %d, %d : f32
        %apart = arith.mulf %dd, %weight : f32
        %more = arith.addf %q, %apart : f32
        %new2 = arith.addf %m2, %more : f32
        tile.store %new, %means[%i, %g] : !Places
        tile.store %new2, %moments[%i, %g] : !Places
      }
    }
    tile.copy %last to %rest cast : !Last to !Rest
    tile.reduce sum %rest into %sums dim 3 : !Rest into !Sums
    tile.reduce sum %sums into %total dim 1 : !Sums into !Places
    tile.parallel (%i, %g) in (1, $P) {
      %n = arith.constant $H.0 : f32
      %eight = arith.constant 8.0 : f32
      %count = arith.mulf %n, %eight : f32
      %t = tile.load %total[%i, %g] : !Places
      %m = tile.load %means[%i, %g] : !Places
      %p = arith.mulf %m, %count : f32
      %a = arith.addf %t, %p : f32
      tile.store %a, %total[%i, %g] : !Places
    }
    tile.reduce sum %total into %sum dim 1 : !Places into !One
    tile.parallel (%i, %l, %g, %j) in (1, $L, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %last[%i, %l, %g, %j] : !Last
      %v = arith.extf %h : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %mean = arith.divf %s, %n : f32
      %d = arith.subf %v, %mean : f32
      %q = arith.mulf %d, %d : f32
      tile.store %q, %rest[%i, %l, %g, %j] : !Rest
    }
    tile.reduce sum %rest into %sums dim 3 : !Rest into !Sums
    tile.reduce sum %sums into %squares dim 1 : !Sums into !Places
    tile.parallel (%i, %g) in (1, $P) {
      %n = arith.constant $COUNT : f32
      %held_n = arith.constant $H.0 : f32
      %eight = arith.constant 8.0 : f32
      %count = arith.mulf %held_n, %eight : f32
      %s = tile.load %sum[%i] : !One
      %q = tile.load %squares[%i, %g] : !Places
      %m = tile.load %means[%i, %g] : !Places
      %m2 = tile.load %moments[%i, %g] : !Places
      %mean = arith.divf %s, %n : f32
      %d = arith.subf %m, %mean : f32
      %dd = arith.mulf %d, %d : f32
      %apart = arith.mulf %dd, %count : f32
      %a = arith.addf %m2, %apart : f32
      %t = arith.addf %q, %a : f32
      tile.store %t, %squares[%i, %g] : !Places
    }
    tile.reduce sum %squares into %second dim 1 : !Places into !One
    tile.serial %ku in ($H floordiv $U) {
      tile.unrolled %u in ($U) {
        tile.parallel (%i, %g, %j) in (1, $P, 8) {
          %n = arith.constant $COUNT : f32
          %h = tile.load %held[%ku * $U + %u, %g, %j] : !Held
          %wh = tile.load %w[%ku * $U + %u, %g, %j] : !W
          %ch = tile.load %c[%ku * $U + %u, %g, %j] : !W
          %v = arith.extf %h : bf16 to f32
          %wf = arith.extf %wh : bf16 to f32
          %cf = arith.extf %ch : bf16 to f32
          %s = tile.load %sum[%i] : !One
          %q = tile.load %second[%i] : !One
          %mean = arith.divf %s, %n : f32
          %variance = arith.divf %q, %n : f32
          %a = arith.addf %variance, %eps : f32
          %scale = math.rsqrt %a : f32
          %d = arith.subf %v, %mean : f32
          %f = arith.mulf %d, %scale : f32
          %p = arith.mulf %f, %wf : f32
          %t = arith.addf %p, %cf : f32
          %o = arith.truncf %t : f32 to bf16
          tile.store %o, %y[%b + %r * $B + %i, %ku * $U + %u, %g, %j] : !X
        }
        tile.parallel (%g, %j) in ($P, 8) {
          %h = tile.load %x[%b + %r * $B + $B, %ku * $U + %u, %g, %j] : !X
          tile.store %h, %held[%ku * $U + %u, %g, %j] : !Held
        }
      }
    }
    tile.parallel (%i, %l, %g, %j) in (1, $L, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %last[%i, %l, %g, %j] : !Last
      %wh = tile.load %w[$H + %l, %g, %j] : !W
      %ch = tile.load %c[$H + %l, %g, %j] : !W
      %v = arith.extf %h : bf16 to f32
      %wf = arith.extf %wh : bf16 to f32
      %cf = arith.extf %ch : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %q = tile.load %second[%i] : !One
      %mean = arith.divf %s, %n : f32
      %variance = arith.divf %q, %n : f32
      %a = arith.addf %variance, %eps : f32
      %scale = math.rsqrt %a : f32
      %d = arith.subf %v, %mean : f32
      %f = arith.mulf %d, %scale : f32
      %p = arith.mulf %f, %wf : f32
      %t = arith.addf %p, %cf : f32
      %o = arith.truncf %t : f32 to bf16
      tile.store %o, %y[%b + %r * $B + %i, $H + %l, %g, %j] : !X
    }
    tile.copy %x[%b + %r * $B + $B, $H, 0, 0] to %last : !X to !Last
  }
}
