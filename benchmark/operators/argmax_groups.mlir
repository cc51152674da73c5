// o[row] = the column of the largest value of x[row, :], the first of several; a long row goes by in chunks of C, each place
// of a chunk keeps a maximum and a column of its own, put together once, at the end. A NaN is larger than any number.
//
// $T = 512
// $N = 32768
// $C = 4096
!X = memref<?x$Nxbf16>
!O = memref<?xi32>
!Values = memref<1x$Cxf32, #tile.fragment>
!Columns = memref<1x$Cxi32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
!Column = memref<1xi32, #tile.fragment>

tile.kernel @argmax_groups[%M](%x[%M, $N]: !X, %o[%M]: !O) grid(%row) in (%M) threads($T)
    disjoint(%x, %o) {
  %values = tile.alloc_fragment : !Values
  %columns = tile.alloc_fragment : !Columns
  %largest = tile.alloc_fragment : !One
  %first = tile.alloc_fragment : !Column
  tile.parallel (%i, %j) in (1, $C) {
    %h = tile.load %x[%row + %i, %j] : !X
    %v = arith.extf %h : bf16 to f32
    %c = arith.index_cast %j : index to i32
    tile.store %v, %values[%i, %j] : !Values
    tile.store %c, %columns[%i, %j] : !Columns
  }
  tile.serial %k in ($N floordiv $C - 1) {
    tile.parallel (%i, %j) in (1, $C) {
      %h = tile.load %x[%row + %i, %k * $C + $C + %j] : !X
      %v = arith.extf %h : bf16 to f32
      %best = tile.load %values[%i, %j] : !Values
      %at = tile.load %columns[%i, %j] : !Columns
      %place = affine.apply affine_map<(d0, d1) -> (d0 * $C + $C + d1)>(%k, %j)
      %c = arith.index_cast %place : index to i32
      %isNumber = arith.cmpf ord, %best, %best : f32
      %isLarger = arith.cmpf ugt, %v, %best : f32
      %isNew = arith.andi %isNumber, %isLarger : i1
      %w = arith.select %isNew, %v, %best : f32
      %d = arith.select %isNew, %c, %at : i32
      tile.store %w, %values[%i, %j] : !Values
      tile.store %d, %columns[%i, %j] : !Columns
    }
  }
  tile.reduce max %values into %largest dim 1 : !Values into !One
  tile.parallel (%i, %j) in (1, $C) {
    %never = arith.constant 2147483647 : i32
    %v = tile.load %values[%i, %j] : !Values
    %m = tile.load %largest[%i] : !One
    %c = tile.load %columns[%i, %j] : !Columns
    %isLess = arith.cmpf one, %v, %m : f32
    %isNumber = arith.cmpf ord, %v, %v : f32
    %isNan = arith.cmpf uno, %m, %m : f32
    %isOut = arith.andi %isNan, %isNumber : i1
    %isOther = arith.ori %isLess, %isOut : i1
    %d = arith.select %isOther, %never, %c : i32
    tile.store %d, %columns[%i, %j] : !Columns
  }
  tile.reduce min %columns into %first dim 1 : !Columns into !Column
  tile.copy %first to %o[%row] : !Column to !O
}
