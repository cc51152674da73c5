// y[row, c] = the running product of thread t's part of the row: elements T apart.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>

tile.kernel @row_prefix_striped[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) disjoint(%x, %y) {
  %t = tile.thread_id
  %acc = tile.alloc_local : memref<1xf32, #tile.local>
  tile.fill %acc with 1.0 : memref<1xf32, #tile.local>
  tile.unrolled %c in ($V) {
    %h = tile.load %x[%row, %c * $T + %t] : !X
    %f = arith.extf %h : bf16 to f32
    %a = tile.load %acc[0] : memref<1xf32, #tile.local>
    %p = arith.mulf %a, %f : f32
    tile.store %p, %acc[0] : memref<1xf32, #tile.local>
    %q = arith.truncf %p : f32 to bf16
    tile.store %q, %y[%row, %c * $T + %t] : !X
  }
}
