// y[row, c] = x[row, 0] * ... * x[row, c]: each thread a part of neighbours, as 16-byte accesses.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>
!Part = memref<$Vxbf16, #tile.local>
!Totals = memref<$Txf32, #tile.shared>
!Run = memref<1xf32, #tile.local>

tile.kernel @row_prefix_vector[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %t = tile.thread_id
  %part = tile.alloc_local : !Part
  %totals = tile.alloc_shared : !Totals
  %before = tile.alloc_shared : !Totals
  %run = tile.alloc_local : !Run
  %one = arith.constant 1.0 : f32
  tile.vectorized %v in ($V) {
    %h = tile.load %x[%row, %t * $V + %v] : !X
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
    tile.store %h, %y[%row, %t * $V + %v] : !X
  }
}
