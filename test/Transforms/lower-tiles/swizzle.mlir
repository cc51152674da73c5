// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles,simt.kernel(tile-simplify,cse,loop-invariant-code-motion))" | FileCheck %s
// Offsets under an XOR.

#part = #tile.distributed<64x32 = [(8 reg * 4, 8 thread * 8), (8 thread, 4 reg)] threads 64>

// The thread's part is computed before the loop; the register's is a constant once the loop is unrolled, and a part
// that is a multiple of all the XOR reads is added behind it.
// CHECK-LABEL: simt.kernel @parts(
// CHECK: %[[TID:.+]] = simt.thread_id
// CHECK: %[[LINEAR:.+]] = affine.apply {{.*}}()[%[[TID]]]
// CHECK-NEXT: %[[HIGH:.+]] = arith.shrui %[[LINEAR]]
// CHECK: %[[THREAD:.+]] = arith.xori %[[LINEAR]]
// CHECK: scf.for
// CHECK: simt.move %x
// CHECK: scf.for %[[R:.+]] =
// CHECK: affine.apply {{.*}}(%[[R]])
// CHECK-NEXT: %[[PART:.+]] = affine.apply {{.*}}(%[[R]])
// CHECK-NEXT: arith.shrui %[[PART]]
// CHECK: %[[REGISTER:.+]] = arith.xori %[[PART]]
// CHECK-NEXT: %[[BOTH:.+]] = arith.xori %[[THREAD]], %[[REGISTER]]
// CHECK-NEXT: %[[OFFSET:.+]] = arith.addi %[[BOTH]]
// CHECK-NEXT: simt.move {{.*}} to %s[%[[OFFSET]] : index] bytes 16
tile.kernel @parts(%x: memref<64x32xf32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 9>) : memref<64x32xf32, #tile.shared>
  tile.parallel (%i, %j) in (64, 32) layout(#part) {
    %v = tile.load %x[%i, %j] : memref<64x32xf32>
    tile.store %v, %s[%i, %j] : memref<64x32xf32, #tile.shared>
  }
}

// Where parts of the sum share bits, the whole is taken through the XOR at once.
// CHECK-LABEL: simt.kernel @carries(
// CHECK: arith.addi
// CHECK-NEXT: %[[SUM:.+]] = arith.addi
// CHECK-NEXT: arith.shrui %[[SUM]]
// CHECK: arith.xori %[[SUM]]
tile.kernel @carries(%x: memref<8x100xf32>) grid(%b) in (1) threads(100) {
  %s = tile.alloc_shared layout(#tile.xor<unit 4, bits 5, shift 7>) : memref<8x100xf32, #tile.shared>
  tile.parallel (%i, %j) in (8, 100) layout(#tile.distributed<8x100 = [(8 reg), (100 thread)] threads 100>) {
    %v = tile.load %x[%i, %j] : memref<8x100xf32>
    tile.store %v, %s[%i, %j] : memref<8x100xf32, #tile.shared>
  }
}

// The XOR may move pieces into what is left of the last turn of the banks: the buffer has room for them.
// CHECK-LABEL: simt.kernel @size(
// CHECK: simt.shared align 128 : memref<128xf32, #simt.shared>
tile.kernel @size(%x: memref<5x25xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 7>) : memref<5x25xf32, #tile.shared>
  tile.copy %x to %s : memref<5x25xf32> to memref<5x25xf32, #tile.shared>
}
