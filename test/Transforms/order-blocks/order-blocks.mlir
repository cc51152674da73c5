// Which block index changes first: the one that moves along contiguous memory, what is written before what is read.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-order-blocks))" | FileCheck %s

!A = memref<?x?xbf16>
!B = memref<?x?x?xf32>

// A transposition writes along %by.
// CHECK-LABEL: tile.kernel @transpose
// CHECK-SAME: block_order(%by, %bx)
tile.kernel @transpose[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A) grid(%bx, %by) in (%N ceildiv 64, %M ceildiv 64)
    threads(128) disjoint(%a, %b) {
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %a[%by * 64 + %i, %bx * 64 + %j] : !A
    tile.store %x, %b[%bx * 64 + %j, %by * 64 + %i] : !A
  }
}

// Reads and writes go along %bx, which is in front already.
// CHECK-LABEL: tile.kernel @copy
// CHECK-NOT: block_order
tile.kernel @copy[%M, %N](%a[%M, %N]: !A, %b[%M, %N]: !A) grid(%bx, %by) in (%N ceildiv 64, %M) threads(64) {
  %f = tile.alloc_fragment : memref<64xbf16, #tile.fragment>
  tile.copy %a[%by, %bx * 64] to %f : !A to memref<64xbf16, #tile.fragment>
  tile.copy %f to %b[%by, %bx * 64] : memref<64xbf16, #tile.fragment> to !A
}

// The others keep their order behind it, and an index may go through affine.apply.
// CHECK-LABEL: tile.kernel @deep
// CHECK-SAME: block_order(%k, %i, %j)
tile.kernel @deep[%L, %M, %N](%a[%L, %M, %N]: !B) grid(%i, %j, %k) in (%L, %M, %N ceildiv 32) threads(32) {
  %from = affine.apply affine_map<(d0) -> (d0 * 32)>(%k)
  tile.parallel %e in (32) {
    %zero = arith.constant 0.0 : f32
    tile.store %zero, %a[%i, %j, %from + %e] : !B
  }
}

// What the program says stays; what moves along no index does not matter.
// CHECK-LABEL: tile.kernel @given
// CHECK-SAME: block_order(%bx, %by)
tile.kernel @given[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A) grid(%bx, %by) in (%N ceildiv 64, %M ceildiv 64)
    threads(128) block_order(%bx, %by) {
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %a[%by * 64 + %i, %bx * 64 + %j] : !A
    tile.store %x, %b[%bx * 64 + %j, %by * 64 + %i] : !A
  }
}

// CHECK-LABEL: tile.kernel @rows
// CHECK-NOT: block_order
tile.kernel @rows[%L, %M](%a[%L, %M, 32]: memref<?x?x32xf32>) grid(%i, %j) in (%L, %M) threads(32) {
  tile.parallel %e in (32) {
    %zero = arith.constant 0.0 : f32
    tile.store %zero, %a[%i, %j, %e] : memref<?x?x32xf32>
  }
}
