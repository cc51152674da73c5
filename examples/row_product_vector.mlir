// o[row, t] = the product of thread t's part of the row: neighbours, as 16-byte loads.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>
!O = memref<?x$Txf32>
!Part = memref<$Vxbf16, #tile.local>

tile.kernel @row_product_vector[%M](%x[%M, $N]: !X, %o[%M, $T]: !O) grid(%row) in (%M) threads($T) disjoint(%x, %o) {
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
  }
  %r = tile.load %acc[0] : memref<1xf32, #tile.local>
  tile.store %r, %o[%row, %t] : !O
}
