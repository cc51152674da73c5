// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// The head of a kernel in all its clauses.

// CHECK-LABEL: tile.kernel @plain() grid(%b) in (1) threads(1)
tile.kernel @plain() grid(%b) in (1) threads(1) {
}

// CHECK-LABEL: tile.kernel @sizes[%M, %N](%A[%M, %N]: memref<?x?xf32>, %B[%M * 2 + 1, 16]: memref<?x16xbf16>, %n: index, %s: f8E5M2) grid(%x, %y, %z) in (%M ceildiv 128, %n floordiv 2, 3) threads(1024) where (%N mod 64 == 0, %M < %N, %n <= 4, %n > -1, %M + %N >= 2) disjoint(%A, %B) disjoint(%A) fastmath(contract,afn) min_blocks(2) block_order(%y, %z, %x)
tile.kernel @sizes[%M, %N](%A[%M, %N]: memref<?x?xf32>, %B[%M * 2 + 1, 16]: memref<?x16xbf16>, %n: index, %s: f8E5M2) grid(%x, %y, %z) in (%M ceildiv 128, %n floordiv 2, 3) threads(1024) where (%N mod 64 == 0, %M < %N, %n <= 4, %n > -1, %M + %N >= 2) disjoint(%A, %B) disjoint(%A) fastmath(contract,afn) min_blocks(2) block_order(%y, %z, %x) {
}

// CHECK-LABEL: tile.kernel @strided[%M, %N](%A[%M, %N]: memref<?x?xf32, strided<[?, 1]>>, %B: memref<0x7xi1>) grid(%b) in (0) threads(31)
tile.kernel @strided[%M, %N](%A[%M, %N]: memref<?x?xf32, strided<[?, 1]>>, %B: memref<0x7xi1>) grid(%b) in (0) threads(31) {
}
