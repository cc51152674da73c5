// Every value of a byte survives vectors of 4 and 16, uniform fills and 16-bit words: no sign leaks into a neighbour.
// RUN: tile-run %s --device sim --variant all -DV=4 -DFILL=-128 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=16 -DFILL=-1 | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DV=2 -DFILL=127 | FileCheck %s
// CHECK: o: 256 i8, max error 0, ok
// CHECK: u: 256 i8, max error 0, ok
// CHECK: w: 256 i16, max error 0, ok
// CHECK: verdict: right
tile.kernel @bytes(%o: memref<256xi8>, %u: memref<256xi8>, %w: memref<256xi16>) grid(%g) in (1) threads(16) {
  %f = tile.alloc_fragment : memref<256xi8, #tile.fragment>
  %t = tile.thread_id
  tile.fill %f with $FILL : memref<256xi8, #tile.fragment>
  tile.copy %f to %u : memref<256xi8, #tile.fragment> to memref<256xi8>
  tile.serial %k in (16 floordiv $V) {
    tile.vectorized %v in ($V) {
      %n = affine.apply affine_map<(d0, d1, d2) -> (d0 * 16 + d1 * $V + d2 - 128)>(%t, %k, %v)
      %b = arith.index_cast %n : index to i8
      tile.store %b, %o[%t * 16 + %k * $V + %v] : memref<256xi8>
      %h = arith.extsi %b : i8 to i16
      tile.store %h, %w[%t * 16 + %k * $V + %v] : memref<256xi16>
    }
  }
}
