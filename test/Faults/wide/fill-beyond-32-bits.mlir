// A fill of a tensor of more than 2^31 elements, or of sizes known at launch only, counts in 64 bits.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// CHECK-LABEL: void {{.*}} fixed(
// CHECK: for (long long i = 0; i < 3000000000ll; i +=
// CHECK: store16(&x[
// CHECK-LABEL: void {{.*}} any(
// CHECK: for (long long i = 0; i < M;
// CHECK: store16(&x[
tile.kernel @fixed(%x: memref<3000000000xi8>) grid(%b) in (1) threads(256) {
  tile.fill %x with -7 : memref<3000000000xi8>
}
tile.kernel @any[%M, %N](%x[%M, %N]: memref<?x?xi8>) grid(%b) in (1) threads(256) {
  tile.fill %x with -7 : memref<?x?xi8>
}
