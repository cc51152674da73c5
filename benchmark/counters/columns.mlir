// o[row, t] = the sum of column t of a T by T tile in shared memory, whose layout is given: T threads, one a column, then
// one a row.
//
// $T = 32
// $S = f32
// $LAYOUT = #tile.linear
!A = memref<?x$Tx$Tx$S>
!O = memref<?x$Tx$S>
!Tile = memref<$Tx$Tx$S, #tile.shared>
!Acc = memref<1x$S, #tile.local>

tile.kernel @columns[%M](%a[%M, $T, $T]: !A, %o[%M, $T]: !O) grid(%m) in (%M) threads($T) disjoint(%a, %o) {
  %t = tile.thread_id
  %s = tile.alloc_shared layout($LAYOUT) : !Tile
  %acc = tile.alloc_local : !Acc
  tile.fill %acc with 0.0 : !Acc
  tile.unrolled %i in ($T) {
    %x = tile.load %a[%m, %i, %t] : !A
    tile.store %x, %s[%i, %t] : !Tile
  }
  tile.sync
  tile.unrolled %j in ($T) {
    %x = tile.load %s[%t, %j] : !Tile
    %y = tile.load %acc[0] : !Acc
    %z = arith.addf %x, %y : $S
    tile.store %z, %acc[0] : !Acc
  }
  %r = tile.load %acc[0] : !Acc
  tile.store %r, %o[%m, %t] : !O
}
