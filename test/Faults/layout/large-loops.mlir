// Loops of half a million points and more are accepted at once: what writes what is decided in closed form.
// RUN: tile-opt %s -DROWS=64 -DCOLUMNS=8192 -o /dev/null
// RUN: tile-opt %s -DROWS=128 -DCOLUMNS=4096 -o /dev/null
// RUN: tile-opt %s -DROWS=1024 -DCOLUMNS=1024 -o /dev/null
// RUN: tile-translate --tile-to-cuda %s -DROWS=1024 -DCOLUMNS=1024 | FileCheck %s
// CHECK: void __launch_bounds__(256) twice(
!T = memref<$ROWSx$COLUMNSxf32>
tile.kernel @twice(%x: !T, %y: !T) grid(%g) in (1) threads(256) {
  tile.parallel (%i, %j) in ($ROWS, $COLUMNS) {
    %v = tile.load %x[%i, %j] : !T
    %w = arith.addf %v, %v : f32
    tile.store %w, %y[%i, %j] : !T
  }
}
