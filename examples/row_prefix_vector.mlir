// y[row, c] = the running product of thread t's part of the row: neighbours, as 16-byte accesses.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>
!Part = memref<$Vxbf16, #tile.local>

tile.kernel @row_prefix_vector[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) {
  %t = tile.thread_id
  %part = tile.alloc_local : !Part
  %acc = tile.alloc_local : memref<1xf32, #tile.local>
  tile.fill %acc with 1.0 : memref<1xf32, #tile.local>
  tile.vectorized %v in ($V) {
    %h = tile.load %x[%row, %t * $V + %v] : !X
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
    tile.store %h, %y[%row, %t * $V + %v] : !X
  }
}
