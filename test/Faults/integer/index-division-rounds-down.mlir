// `floordiv`, `ceildiv` and `mod` of brackets round down, up and to a remainder that is never negative.
// RUN: tile-run %s --device sim --variant all --arg x=iota | FileCheck %s
// CHECK: o: 3x64 i64, max error 0, ok
// CHECK: verdict: right
tile.kernel @round(%x: memref<64xi64>, %o: memref<3x64xi64>) grid(%g) in (1) threads(32) {
  %c33 = arith.constant 33 : i64
  tile.parallel %i in (64) {
    %v = tile.load %x[%i] : memref<64xi64>
    %w = arith.subi %v, %c33 : i64
    %n = arith.index_cast %w : i64 to index
    %a = affine.apply affine_map<(d0) -> (d0 floordiv 7)>(%n)
    %b = affine.apply affine_map<(d0) -> (d0 ceildiv 7)>(%n)
    %c = affine.apply affine_map<(d0) -> (d0 mod 7 + d0 mod 8 * 100)>(%n)
    %p = arith.index_cast %a : index to i64
    %q = arith.index_cast %b : index to i64
    %r = arith.index_cast %c : index to i64
    tile.store %p, %o[0, %i] : memref<3x64xi64>
    tile.store %q, %o[1, %i] : memref<3x64xi64>
    tile.store %r, %o[2, %i] : memref<3x64xi64>
  }
}
