// A block number is widened before it is multiplied by the pitch of a tensor of any size.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// CHECK-LABEL: void {{.*}} rows(
// CHECK: const long long {{.*}} = b * N
!X = memref<?x?xi8>
tile.kernel @rows[%M, %N](%x[%M, %N]: !X, %y[%M, %N]: !X) grid(%b) in (%M) threads(128) {
  tile.parallel %j in (%N) {
    %v = tile.load %x[%b, %j] : !X
    tile.store %v, %y[%b, %j] : !X
  }
}
