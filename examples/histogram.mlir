// counts[v] += how often the byte v occurs in x: counted in shared memory first, then added to the whole.
//
// $T = 256
!Bytes = memref<?xi8>
!Bins = memref<256xi32, #tile.shared>
!Counts = memref<256xi32>

tile.kernel @histogram[%N](%x[%N]: !Bytes, %counts: !Counts) grid(%bx) in (%N ceildiv 8192) threads($T) {
  %bins = tile.alloc_shared : !Bins
  tile.fill %bins with 0 : !Bins
  tile.parallel %i in (8192) {
    %one = arith.constant 1 : i32
    %at = affine.apply affine_map<(b, i) -> (b * 8192 + i)>(%bx, %i)
    %v = tile.load %x[%bx * 8192 + %i] : !Bytes
    %isInside = arith.cmpi slt, %at, %N : index
    scf.if %isInside {
      %bin = arith.index_castui %v : i8 to index
      tile.atomic add %one, %bins[%bin] : !Bins
    }
  }
  tile.parallel %j in (256) {
    %n = tile.load %bins[%j] : !Bins
    tile.atomic add %n, %counts[%j] : !Counts
  }
}
