// y[row, :] = (x[row, :] - mean) / sqrt(variance + eps) * w + c, the variance about the mean; B blocks go through the rows,
// B apart. A long row is held: the first H groups of 8 in shared memory, P at a time, the last 2 P in registers. As soon
// as a piece has been written, the same piece of the block's next row is asked for. G is H + 2 P, and P divides H.
//
// $T = 1024
// $B = 132
// $G = 6144
// $P = 2048
// $H = 2048
// $COUNT = 49152.0
!X = memref<?x$Gx8xbf16>
!W = memref<$Gx8xbf16>
!Held = memref<$Hx8xbf16, #tile.shared>
!Last = memref<1x$Px8xbf16, #tile.fragment>
!Chunk = memref<1x$Px8xf32, #tile.fragment>
!Groups = memref<1x$Pxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @layernorm_ahead[%M](%x[%M, $G, 8]: !X, %w: !W, %c: !W, %y[%M, $G, 8]: !X, %eps: f32)
    grid(%b) in ($B) threads($T) disjoint(%x, %w, %c, %y) fastmath(contract, afn, arcp) {
  %held = tile.alloc_shared : !Held
  %last = tile.alloc_fragment : !Last
  %rest = tile.alloc_fragment : !Last
  %values = tile.alloc_fragment : !Chunk
  %sums = tile.alloc_fragment : !Groups
  %seconds = tile.alloc_fragment : !Groups
  %sum = tile.alloc_fragment : !One
  %second = tile.alloc_fragment : !One
  tile.serial %k in ($H floordiv $P) {
    tile.parallel (%g, %j) in ($P, 8) {
      %h = tile.load %x[%b, %k * $P + %g, %j] : !X
      tile.store %h, %held[%k * $P + %g, %j] : !Held
    }
  }
  tile.copy %x[%b, $H, 0] to %last : !X to !Last
  tile.copy %x[%b, $H + $P, 0] to %rest : !X to !Last
  tile.serial %r in ((%M - %b) ceildiv $B) {
    tile.fill %sums with 0.0 : !Groups
    tile.fill %seconds with 0.0 : !Groups
    tile.serial %k in ($H floordiv $P) {
      tile.parallel (%i, %g, %j) in (1, $P, 8) {
        %h = tile.load %held[%k * $P + %g, %j] : !Held
        %v = arith.extf %h : bf16 to f32
        tile.store %v, %values[%i, %g, %j] : !Chunk
      }
      tile.reduce sum %values into %sums dim 2 accumulate : !Chunk into !Groups
    }
    tile.copy %last to %values cast : !Last to !Chunk
    tile.reduce sum %values into %sums dim 2 accumulate : !Chunk into !Groups
    tile.copy %rest to %values cast : !Last to !Chunk
    tile.reduce sum %values into %sums dim 2 accumulate : !Chunk into !Groups
    tile.reduce sum %sums into %sum dim 1 : !Groups into !One
    tile.serial %k in ($H floordiv $P) {
      tile.parallel (%i, %g, %j) in (1, $P, 8) {
        %n = arith.constant $COUNT : f32
        %h = tile.load %held[%k * $P + %g, %j] : !Held
        %v = arith.extf %h : bf16 to f32
        %s = tile.load %sum[%i] : !One
        %mean = arith.divf %s, %n : f32
        %d = arith.subf %v, %mean : f32
        %q = arith.mulf %d, %d : f32
        tile.store %q, %values[%i, %g, %j] : !Chunk
      }
      tile.reduce sum %values into %seconds dim 2 accumulate : !Chunk into !Groups
    }
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %last[%i, %g, %j] : !Last
      %v = arith.extf %h : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %mean = arith.divf %s, %n : f32
      %d = arith.subf %v, %mean : f32
      %q = arith.mulf %d, %d : f32
      tile.store %q, %values[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %values into %seconds dim 2 accumulate : !Chunk into !Groups
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %rest[%i, %g, %j] : !Last
      %v = arith.extf %h : bf16 to f32
      %s = tile.load %sum[%i] : !One
      %mean = arith.divf %s, %n : f32
      %d = arith.subf %v, %mean : f32
      %q = arith.mulf %d, %d : f32
      tile.store %q, %values[%i, %g, %j] : !Chunk
    }
    tile.reduce sum %values into %seconds dim 2 accumulate : !Chunk into !Groups
    tile.reduce sum %seconds into %second dim 1 : !Groups into !One
    tile.serial %k in ($H floordiv $P) {
      tile.parallel (%i, %g, %j) in (1, $P, 8) {
        %n = arith.constant $COUNT : f32
        %h = tile.load %held[%k * $P + %g, %j] : !Held
        %wh = tile.load %w[%k * $P + %g, %j] : !W
        %ch = tile.load %c[%k * $P + %g, %j] : !W
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
        %u = arith.mulf %d, %scale : f32
        %p = arith.mulf %u, %wf : f32
        %t = arith.addf %p, %cf : f32
        %o = arith.truncf %t : f32 to bf16
        tile.store %o, %y[%b + %r * $B + %i, %k * $P + %g, %j] : !X
      }
      tile.parallel (%g, %j) in ($P, 8) {
        %h = tile.load %x[%b + %r * $B + $B, %k * $P + %g, %j] : !X
        tile.store %h, %held[%k * $P + %g, %j] : !Held
      }
    }
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %last[%i, %g, %j] : !Last
      %wh = tile.load %w[$H + %g, %j] : !W
      %ch = tile.load %c[$H + %g, %j] : !W
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
      %u = arith.mulf %d, %scale : f32
      %p = arith.mulf %u, %wf : f32
      %t = arith.addf %p, %cf : f32
      %o = arith.truncf %t : f32 to bf16
      tile.store %o, %y[%b + %r * $B + %i, $H + %g, %j] : !X
    }
    tile.parallel (%i, %g, %j) in (1, $P, 8) {
      %n = arith.constant $COUNT : f32
      %h = tile.load %rest[%i, %g, %j] : !Last
      %wh = tile.load %w[$H + $P + %g, %j] : !W
      %ch = tile.load %c[$H + $P + %g, %j] : !W
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
      %u = arith.mulf %d, %scale : f32
      %p = arith.mulf %u, %wf : f32
      %t = arith.addf %p, %cf : f32
      %o = arith.truncf %t : f32 to bf16
      tile.store %o, %y[%b + %r * $B + %i, $H + $P + %g, %j] : !X
    }
    tile.copy %x[%b + %r * $B + $B, $H, 0] to %last : !X to !Last
    tile.copy %x[%b + %r * $B + $B, $H + $P, 0] to %rest : !X to !Last
  }
}
