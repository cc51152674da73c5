// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-choose-residency))" | FileCheck %s
// RUN: tile-run %s --dim M=3 --explain | FileCheck %s --check-prefix=EXPLAIN
// RUN: tile-run %s --dim M=3 --explain=json --device sim | FileCheck %s --check-prefix=JSON

// A row of 131072 would take 128 registers of each of 1024 threads. 12 of its 16 chunks wait in shared memory, four in
// registers, as bf16; each of the three phases computes anew what it needs of them.
// CHECK: %[[HELD:.*]] = tile.alloc_shared : memref<1x98304xbf16, #tile.shared>
// CHECK-COUNT-4: tile.alloc_fragment : memref<1x8192xbf16, #tile.fragment>
// CHECK: tile.fill %[[ACC:.*]] with -inf
// CHECK: tile.serial %[[K:.*]] in (3) {
// CHECK-NEXT: tile.unrolled %[[U:.*]] in (4) {
// CHECK: tile.copy %x[%b, (%[[K]] * 4 + %[[U]]) * 8192] to %[[PIECE:.*]] :
// CHECK-NEXT: tile.copy %[[PIECE]] to %[[HELD]][0, (%[[K]] * 4 + %[[U]]) * 8192]
// CHECK: arith.maximumf
// CHECK-COUNT-4: tile.copy %x[%b, {{[0-9]+}}] to
// CHECK: tile.reduce max %[[ACC]] into %max dim 1
// CHECK-NOT: tile.copy %x[
// CHECK: tile.copy %[[HELD]][0, {{.*}}] to %{{.*}} cast
// CHECK: math.exp
// CHECK: tile.reduce sum %{{.*}} into %sum dim 1
// CHECK-NOT: tile.copy %x[
// CHECK: tile.copy %[[HELD]][0, {{.*}}] to %{{.*}} cast
// CHECK: math.exp
// CHECK: tile.store %{{.*}}, %y[%b + %{{.*}}, %{{.*}} + (%{{.*}} * 4 + %{{.*}}) * 8192]

// EXPLAIN: residency
// EXPLAIN-NEXT: line  buffer  would take              passes  a pass reads of a row
// EXPLAIN-NEXT: 43    r       128 registers a thread  3       98304 from shared memory, 32768 from registers, in chunks of 8192
// EXPLAIN: verdict: right

// JSON: "residency": [
// JSON: "chunk": 8192,
// JSON: "held_registers": 32768,
// JSON: "held_shared": 98304,
// JSON: "passes": 3,
// JSON: "read_again": 0,
// JSON: "registers": 128
!X = memref<?x131072xbf16>
!Row = memref<1x131072xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

tile.kernel @softmax[%M](%x[%M, 131072]: !X, %y[%M, 131072]: !X) grid(%b) in (%M) threads(1024) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r cast : !X to !Row
  tile.reduce max %r into %max dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 131072) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %max[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    tile.store %e, %r[%i, %j] : !Row
  }
  tile.reduce sum %r into %sum dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 131072) {
    %e = tile.load %r[%i, %j] : !Row
    %s = tile.load %sum[%i] : !One
    %q = arith.divf %e, %s : f32
    %h = arith.truncf %q : f32 to bf16
    tile.store %h, %y[%b + %i, %j] : !X
  }
}
