// A pipelined loop that reads a tile and then copies the next one into it equals its serial twin.
// RUN: tile-run %s --device sim --variant all --dim N=300 -DS=1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=300 -DS=2 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=300 -DS=3 | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim N=31 -DS=4 | FileCheck %s
// CHECK: o: {{.*}} f32, max error 0, ok
// CHECK: verdict: right
!X = memref<?xf32>
!T = memref<32xf32, #tile.shared>
tile.kernel @shift[%N](%x[%N]: !X, %o[%N]: !X) grid(%b) in (1) threads(48) {
  %t = tile.alloc_shared : !T
  tile.copy %x[0] to %t : !X to !T
  tile.pipelined %k in (%N ceildiv 32) stages($S) {
    tile.parallel %i in (32) {
      %v = tile.load %t[31 - %i] : !T
      tile.store %v, %o[%k * 32 + %i] : !X
    }
    tile.copy %x[%k * 32 + 32] to %t : !X to !T
  }
}
