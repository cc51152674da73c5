// A static tensor of more than 2^32 elements is indexed in 64 bits, with each kind of access.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// CHECK: const long long {{.*}} = (long long)b * 65536
// CHECK: move16(&x
!X = memref<65600x65536xf16>
tile.kernel @negate(%x: !X, %y: !X) grid(%b) in (65600) threads(128) {
  tile.parallel %j in (1024) {
    %v = tile.load %x[%b, %j] : !X
    %w = arith.negf %v : f16
    tile.store %w, %y[%b, %j] : !X
  }
}
