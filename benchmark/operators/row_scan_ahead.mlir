// y[row, :] = the running sum or product of a row of x; a long row goes by in chunks of C, the total is carried on. While
// one chunk is scanned the next one flies to shared memory.
//
// $T = 512
// $N = 32768
// $C = 8192
// $KIND = sum
// $OP = arith.addf
// $INIT = 0.0
!X = memref<?x$Nxbf16>
!Next = memref<1x$Cxbf16, #tile.shared>
!Chunk = memref<1x$Cxf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @row_scan_ahead[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  %next = tile.alloc_shared : !Next
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  %carry = tile.alloc_fragment : !One
  tile.fill %carry with $INIT : !One
  tile.copy %x[%row, 0] to %next : !X to !Next
  tile.serial %k in ($N floordiv $C) {
    tile.copy %next to %r cast : !Next to !Chunk
    tile.copy %x[%row, %k * $C + $C] to %next : !X to !Next
    tile.scan $KIND %r into %s dim 1 : !Chunk into !Chunk
    tile.parallel (%i, %j) in (1, $C) {
      %v = tile.load %s[%i, %j] : !Chunk
      %c = tile.load %carry[%i] : !One
      %t = $OP %c, %v : f32
      %h = arith.truncf %t : f32 to bf16
      tile.store %h, %y[%row + %i, %k * $C + %j] : !X
    }
    tile.reduce $KIND %r into %carry dim 1 accumulate : !Chunk into !One
  }
}
