// y[row, c] = the running product of thread t's part of the row: the row goes through shared memory both ways.
//
// $T = 128
// $V = 32
// $N = 4096
// $PAD = 8
!X = memref<?x$Nxbf16>
!Part = memref<$Vxbf16, #tile.local>
!Stage = memref<$Tx$Vxbf16, #tile.shared>

tile.kernel @row_prefix_staged[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %t = tile.thread_id
  %stage = tile.alloc_shared layout(#tile.padded<$PAD>) : !Stage
  %part = tile.alloc_local : !Part
  %acc = tile.alloc_local : memref<1xf32, #tile.local>
  tile.fill %acc with 1.0 : memref<1xf32, #tile.local>
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
  tile.unrolled %c in ($V) {
    %h = tile.load %part[%c] : !Part
    %f = arith.extf %h : bf16 to f32
    %a = tile.load %acc[0] : memref<1xf32, #tile.local>
    %p = arith.mulf %a, %f : f32
    tile.store %p, %acc[0] : memref<1xf32, #tile.local>
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
