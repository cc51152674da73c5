// o[column] = the sum of a column of x, in f32, rounded once: sums of P rows first, U times R at a time, one strip of E
// columns a block, then the sums of those, A2 parts at a time.
//
// $T = 256
// $P = 1024
// $R = 2
// $E = 1024
// $U = 8
// $T2 = 256
// $A2 = 32
// $E2 = 32
!X = memref<?x?xbf16>
!Part = memref<?x?xf32>
!O = memref<?xbf16>
!Acc = memref<$Rx$Exf32, #tile.fragment>
!Strip = memref<$Exf32, #tile.fragment>
!Acc2 = memref<$A2x$E2xf32, #tile.fragment>
!Strip2 = memref<$E2xf32, #tile.fragment>

tile.kernel @column_parts[%M, %N, %K](%x[%M, %N]: !X, %part[%K, %N]: !Part) grid(%bx, %by) in (%N ceildiv $E, %K) threads($T)
    disjoint(%x, %part) fastmath(contract, afn, arcp) {
  %acc = tile.alloc_fragment : !Acc
  %sum = tile.alloc_fragment : !Strip
  tile.fill %acc with 0.0 : !Acc
  tile.serial %k in ($P floordiv $R floordiv $U) {
    tile.unrolled %u in ($U) {
      tile.parallel (%i, %j) in ($R, $E) {
        %h = tile.load %x[%by * $P + (%k * $U + %u) * $R + %i, %bx * $E + %j] : !X
        %v = arith.extf %h : bf16 to f32
        %a = tile.load %acc[%i, %j] : !Acc
        %s = arith.addf %a, %v : f32
        tile.store %s, %acc[%i, %j] : !Acc
      }
    }
  }
  tile.reduce sum %acc into %sum dim 0 : !Acc into !Strip
  tile.copy %sum to %part[%by, %bx * $E] : !Strip to !Part
}

tile.kernel @column_total[%K, %N](%part[%K, %N]: !Part, %o[%N]: !O) grid(%bx) in (%N ceildiv $E2) threads($T2)
    disjoint(%part, %o) fastmath(contract, afn, arcp) {
  %acc = tile.alloc_fragment : !Acc2
  %sum = tile.alloc_fragment : !Strip2
  tile.fill %acc with 0.0 : !Acc2
  tile.serial %k in (%K ceildiv $A2) {
    tile.parallel (%i, %j) in ($A2, $E2) {
      %v = tile.load %part[%k * $A2 + %i, %bx * $E2 + %j] : !Part
      %a = tile.load %acc[%i, %j] : !Acc2
      %s = arith.addf %a, %v : f32
      tile.store %s, %acc[%i, %j] : !Acc2
    }
  }
  tile.reduce sum %acc into %sum dim 0 : !Acc2 into !Strip2
  tile.copy %sum to %o[%bx * $E2] cast : !Strip2 to !O
}
