// y[row, c] = x[row, 0] * ... * x[row, c]: each thread a part of neighbours; the row goes through shared memory both ways.
//
// $T = 128
// $V = 32
// $N = 4096
// $PAD = 8
!X = memref<?x$Nxbf16>
!Part = memref<$Vxbf16, #tile.local>
!Stage = memref<$Tx$Vxbf16, #tile.shared>
!Totals = memref<$Txf32, #tile.shared>
!Run = memref<1xf32, #tile.local>

tile.kernel @row_prefix_staged[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %t = tile.thread_id
  %stage = tile.alloc_shared layout(#tile.padded<$PAD>) : !Stage
  %part = tile.alloc_local : !Part
  %totals = tile.alloc_shared : !Totals
  %before = tile.alloc_shared : !Totals
  %run = tile.alloc_local : !Run
  %one = arith.constant 1.0 : f32
  tile.unrolled %i in ($V floordiv 8) {
    tile.vectorized %v in (8) {
      %h = tile.load %x[%row, (%i * $T + %t) * 8 + %v] : !X
      tile.store %h, %stage[((%i * $T + %t) * 8 + %v) floordiv $V, ((%i * $T + %t) * 8 + %v) mod $V] : !Stage
    }
  }
  tile.sync
  tile.vectorized %v in ($V) {
    %h = tile.load %stage[%t, %v] : !Stage
    tile.store %h, %part[%v] : !Part
  }

  // The product of the thread's own part.
  tile.store %one, %run[0] : !Run
  tile.unrolled %c in ($V) {
    %h = tile.load %part[%c] : !Part
    %f = arith.extf %h : bf16 to f32
    %r = tile.load %run[0] : !Run
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
  }
  %total = tile.load %run[0] : !Run

  // What the threads before this one multiplied to.
  tile.store %total, %totals[%t] : !Totals
  tile.scan prod %totals into %before dim 0 exclusive : !Totals into !Totals
  %start = tile.load %before[%t] : !Totals
  tile.store %start, %run[0] : !Run

  // The running product of the part, continued from there.
  tile.unrolled %c in ($V) {
    %h = tile.load %part[%c] : !Part
    %f = arith.extf %h : bf16 to f32
    %r = tile.load %run[0] : !Run
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
    %q = arith.truncf %p : f32 to bf16
    tile.store %q, %part[%c] : !Part
  }
  tile.vectorized %v in ($V) {
    %h = tile.load %part[%v] : !Part
    tile.store %h, %stage[%t, %v] : !Stage
  }
  tile.sync
  tile.unrolled %i in ($V floordiv 8) {
    tile.vectorized %v in (8) {
      %h = tile.load %stage[((%i * $T + %t) * 8 + %v) floordiv $V, ((%i * $T + %t) * 8 + %v) mod $V] : !Stage
      tile.store %h, %y[%row, (%i * $T + %t) * 8 + %v] : !X
    }
  }
}
