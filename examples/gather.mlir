// out[i, :] = table[index[i], :]; a row that does not exist reads as zeros.
//
// $T = 128
!Table = memref<?x?xf16>
!Index = memref<?xi32>

tile.kernel @gather[%R, %D, %M](%table[%R, %D]: !Table, %index[%M]: !Index, %out[%M, %D]: !Table)
    grid(%bx, %i) in (%D ceildiv 512, %M) threads($T) {
  %narrow = tile.load %index[%i] : !Index
  %row = arith.index_cast %narrow : i32 to index
  tile.parallel %j in (512) {
    %x = tile.load %table[%row, %bx * 512 + %j] : !Table
    tile.store %x, %out[%i, %bx * 512 + %j] : !Table
  }
}
