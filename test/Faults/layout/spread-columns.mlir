// An element of a small fragment that 32 or 7 points read reaches all of them.
// RUN: tile-run %s --device sim --variant all -DCOLUMNS=14 -DGROUP=32 -DALL=448 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DCOLUMNS=24 -DGROUP=7 -DALL=168 | FileCheck %s
// CHECK: b: 16x{{[0-9]+}} i32, max error 0, ok
// CHECK: verdict: right
!A = memref<16x$COLUMNSxi32, #tile.fragment>
!G = memref<16x$COLUMNSxi32>
!B = memref<16x$ALLxi32>
tile.kernel @spread(%a: !G, %b: !B) grid(%g) in (1) threads(128) {
  %f = tile.alloc_fragment : !A
  tile.copy %a to %f : !G to !A
  tile.parallel (%i, %j) in (16, $ALL) {
    %v = tile.load %f[%i, %j floordiv $GROUP] : !A
    tile.store %v, %b[%i, %j] : !B
  }
}
