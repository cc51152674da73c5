// RUN: tile-translate --tile-to-cuda --checked %s | FileCheck %s --implicit-check-not=printf
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=PLAIN --implicit-check-not=printf --implicit-check-not=claim_fault

// One thread of all that find a fault says so; what ranges prove, here the index %i and the divisor 50, is not tested.
// CHECK: __device__ unsigned fault_count;
// CHECK: void claim_fault() {
// CHECK-LABEL: {{^}}extern "C" {{.*}} place(
// CHECK: if (!(n >= 0 && n < 32)) {
// CHECK-NEXT: claim_fault();
// CHECK-NEXT: printf("{{.*}}checked.mlir:[[#@LINE+20]]: error: accesses element [%lld] of shared tile %%s, whose shape is [32]\n", {{.*}}n);
// CHECK-NEXT: __trap();
// CHECK-NEXT: }
// CHECK: s[n] = 1.0f;
// CHECK: if (!(d != 0)) {
// CHECK: printf("{{.*}}checked.mlir:[[#@LINE+18]]: error: division by zero\n");
// CHECK: if (!(e != -2147483648ll || d != -1)) {
// CHECK: printf("{{.*}}checked.mlir:[[#@LINE+16]]: error: lowest integer divided by -1\n");
// CHECK: if (!(h < 50)) {
// CHECK: printf("{{.*}}checked.mlir:[[#@LINE+18]]: error: assertion failed: below 50%%\n");
// PLAIN: if (!(h < 50))
// PLAIN-NEXT: __trap(); // below 50%
tile.kernel @place(%o: memref<32xi32>, %n: index, %e: i32, %d: i32) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<32xf32, #tile.shared>
  %one = arith.constant 1.0 : f32
  tile.parallel %i in (32) {
    tile.store %one, %s[%i] : memref<32xf32, #tile.shared>
  }
  tile.parallel %i in (1) {
    // The line of the access.
    tile.store %one, %s[%n] : memref<32xf32, #tile.shared>
  }
  tile.parallel %i in (32) {
    %q = arith.divsi %e, %d : i32
    %fifty = arith.constant 50 : i32
    %h = arith.divsi %q, %fifty : i32
    %small = arith.cmpi slt, %h, %fifty : i32
    tile.assert %small, "below 50%"
    tile.store %h, %o[%i] : memref<32xi32>
  }
}
