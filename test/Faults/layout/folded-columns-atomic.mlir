// Groups of columns that do not divide the threads, summed by atomics.
// RUN: tile-run %s --device sim --variant all --dim N=448 -DROWS=16 -DCOLUMNS=14 -DGROUP=32 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=1568 -DROWS=1 -DCOLUMNS=224 -DGROUP=7 | FileCheck %s
// CHECK: max error 0, ok
// CHECK: verdict: right
!A = memref<$ROWSx$COLUMNSxi32>
!B = memref<$ROWSx?xi32>
!S = memref<$ROWSx$COLUMNSxi32, #tile.shared>
tile.kernel @fold[%N](%b[$ROWS, %N]: !B, %a: !A) grid(%g) in (1) threads(128) where (%N == $COLUMNS * $GROUP) {
  %s = tile.alloc_shared : !S
  tile.fill %s with 0 : !S
  tile.parallel (%i, %j) in ($ROWS, $COLUMNS * $GROUP) {
    %v = tile.load %b[%i, %j] : !B
    tile.atomic add %v, %s[%i, %j floordiv $GROUP] : !S
  }
  tile.copy %s to %a : !S to !A
}
