// c = a + b, for vectors of any length.
//
// $T = 128
!V = memref<?xf32>

tile.kernel @vector_add[%N](%a[%N]: !V, %b[%N]: !V, %c[%N]: !V) grid(%bx) in (%N ceildiv 1024) threads($T) {
  tile.parallel %i in (1024) {
    %x = tile.load %a[%bx * 1024 + %i] : !V
    %y = tile.load %b[%bx * 1024 + %i] : !V
    %s = arith.addf %x, %y : f32
    tile.store %s, %c[%bx * 1024 + %i] : !V
  }
}
