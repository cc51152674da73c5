// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Values that are the same in all threads may steer what all threads do together.

// CHECK-LABEL: tile.kernel @f(%A: memref<64xi32>, %n: index) grid(%b) in (4) threads(64)
tile.kernel @f(%A: memref<64xi32>, %n: index) grid(%b) in (4) threads(64) {
  // CHECK: %s = tile.alloc_shared : memref<64xi32, #tile.shared>
  %s = tile.alloc_shared : memref<64xi32, #tile.shared>
  // CHECK: %t = tile.thread_id
  %t = tile.thread_id
  // CHECK: %e = tile.load %A[%b] : memref<64xi32>
  %e = tile.load %A[%b] : memref<64xi32>
  %k = arith.index_cast %e : i32 to index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : index
  %c = arith.cmpi sgt, %e, %zero : i32
  scf.if %c {
    // CHECK: tile.sync
    tile.sync
  }
  // CHECK: tile.fill %s with %e : memref<64xi32, #tile.shared>
  tile.fill %s with %e : memref<64xi32, #tile.shared>
  scf.for %i = %one to %k step %one {
    // CHECK: tile.copy %A[%i] to %s : memref<64xi32> to memref<64xi32, #tile.shared>
    tile.copy %A[%i] to %s : memref<64xi32> to memref<64xi32, #tile.shared>
  }
  // CHECK: tile.serial %i in (%t mod 4)
  tile.serial %i in (%t mod 4) {
    // CHECK: tile.store %e, %s[%i * 16 + %t floordiv 4] : memref<64xi32, #tile.shared>
    tile.store %e, %s[%i * 16 + %t floordiv 4] : memref<64xi32, #tile.shared>
  }
  // CHECK: tile.parallel %i in (%k)
  tile.parallel %i in (%k) {
    // CHECK: %x = tile.load %s[%i] : memref<64xi32, #tile.shared>
    %x = tile.load %s[%i] : memref<64xi32, #tile.shared>
  }
}
