// c = a * b in plain scalar arithmetic: 32x32 tiles of c, k in steps of 16 through shared memory.
//
// $T = 256
!F = memref<?x?xf32>
!ATile = memref<32x16xf32, #tile.shared>
!BTile = memref<16x32xf32, #tile.shared>
!Acc = memref<32x32xf32, #tile.fragment>

tile.kernel @matmul[%M, %N, %K](%a[%M, %K]: !F, %b[%K, %N]: !F, %c[%M, %N]: !F)
    grid(%bx, %by) in (%N ceildiv 32, %M ceildiv 32) threads($T) {
  %as = tile.alloc_shared : !ATile
  %bs = tile.alloc_shared : !BTile
  %acc = tile.alloc_fragment : !Acc
  tile.fill %acc with 0.0 : !Acc
  tile.serial %k in (%K ceildiv 16) {
    tile.copy %a[%by * 32, %k * 16] to %as : !F to !ATile
    tile.copy %b[%k * 16, %bx * 32] to %bs : !F to !BTile
    tile.parallel (%i, %j) in (32, 32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %old = tile.load %acc[%i, %j] : !Acc
      %sum = scf.for %l = %c0 to %c16 step %c1 iter_args(%s = %old) -> f32 {
        %x = tile.load %as[%i, %l] : !ATile
        %y = tile.load %bs[%l, %j] : !BTile
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %s, %p : f32
        scf.yield %q : f32
      }
      tile.store %sum, %acc[%i, %j] : !Acc
    }
  }
  tile.copy %acc to %c[%by * 32, %bx * 32] : !Acc to !F
}
