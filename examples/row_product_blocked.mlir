// o[row, t] = the product of thread t's part of the row: neighbours, one element at a time.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>
!O = memref<?x$Txf32>

tile.kernel @row_product_blocked[%M](%x[%M, $N]: !X, %o[%M, $T]: !O) grid(%row) in (%M) threads($T) disjoint(%x, %o) {
  %t = tile.thread_id
  %acc = tile.alloc_local : memref<1xf32, #tile.local>
  tile.fill %acc with 1.0 : memref<1xf32, #tile.local>
  tile.unrolled %c in ($V) {
    %h = tile.load %x[%row, %t * $V + %c] : !X
    %f = arith.extf %h : bf16 to f32
    %a = tile.load %acc[0] : memref<1xf32, #tile.local>
    %p = arith.mulf %a, %f : f32
    tile.store %p, %acc[0] : memref<1xf32, #tile.local>
  }
  %r = tile.load %acc[0] : memref<1xf32, #tile.local>
  tile.store %r, %o[%row, %t] : !O
}
