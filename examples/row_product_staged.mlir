// o[row, t] = the product of thread t's part of the row; the row goes through shared memory, so that the loads from
// global memory are those of neighbouring threads. `PAD` elements keep the parts of different threads in different
// banks.
//
// $T = 128
// $V = 32
// $N = 4096
// $PAD = 8
!X = memref<?x$Nxbf16>
!O = memref<?x$Txf32>
!Part = memref<$Vxbf16, #tile.local>
!Stage = memref<$Tx$Vxbf16, #tile.shared>

tile.kernel @row_product_staged[%M](%x[%M, $N]: !X, %o[%M, $T]: !O) grid(%row) in (%M) threads($T) disjoint(%x, %o) {
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
  }
  %r = tile.load %acc[0] : memref<1xf32, #tile.local>
  tile.store %r, %o[%row, %t] : !O
}
