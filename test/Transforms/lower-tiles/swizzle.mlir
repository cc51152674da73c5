// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles,simt.kernel(tile-simplify,cse,loop-invariant-code-motion))" | FileCheck %s
// Offsets under an XOR.

#part = #tile.distributed<64x32 = [(8 reg * 4, 8 thread * 8), (8 thread, 4 reg)] threads 64>

// The thread's part is computed before the loop; the register's is a constant once the loop is unrolled, and a part
// that the XOR does not read stays as it is. No division, no remainder.
// CHECK-LABEL: simt.kernel @parts(
// CHECK: %[[TID:.+]] = simt.thread_id
// CHECK: %[[S:.+]] = simt.shared align 128 : memref<2048xf32, #simt.shared>
// CHECK: arith.shrui
// CHECK: %[[THREAD:.+]] = arith.xori
// CHECK: scf.for %[[I:.+]] =
// CHECK-NOT: %[[TID]]
// CHECK: %[[REGISTER:.+]] = arith.xori
// CHECK: %[[OFFSET:.+]] = arith.xori {{.*}}%[[THREAD]]
// CHECK-NOT: div
// CHECK: simt.move {{.*}} to %[[S]][%[[OFFSET]] : index] bytes 16
tile.kernel @parts(%x: memref<64x32xf32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 9>) : memref<64x32xf32, #tile.shared>
  tile.parallel (%i, %j) in (64, 32) layout(#part) {
    %v = tile.load %x[%i, %j] : memref<64x32xf32>
    tile.store %v, %s[%i, %j] : memref<64x32xf32, #tile.shared>
  }
}

// Where parts of the sum share bits, the whole is taken through the XOR at once.
// CHECK-LABEL: simt.kernel @carries(
// CHECK: %[[SUM:.+]] = arith.addi
// CHECK: %[[HIGH:.+]] = arith.shrui %[[SUM]]
// CHECK: arith.xori %[[SUM]]
tile.kernel @carries(%x: memref<8x100xf32>) grid(%b) in (1) threads(100) {
  %s = tile.alloc_shared layout(#tile.xor<unit 4, bits 5, shift 7>) : memref<8x100xf32, #tile.shared>
  tile.parallel (%i, %j) in (8, 100) layout(#tile.distributed<8x100 = [(8 reg), (100 thread)] threads 100>) {
    %v = tile.load %x[%i, %j] : memref<8x100xf32>
    tile.store %v, %s[%i, %j] : memref<8x100xf32, #tile.shared>
  }
}
