// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// How wide a loop or copy moves may be asked for, next to the other clauses.

// CHECK-LABEL: tile.kernel @f
tile.kernel @f(%A: memref<64x32xf16>, %n: index) grid(%b) in (4) threads(64) {
  %s = tile.alloc_shared : memref<64x32xf16, #tile.shared>
  // CHECK: tile.parallel %i in (%n) width(8) {
  tile.parallel %i in (%n) width(8) {
  }
  // CHECK: tile.parallel (%i, %j) in (4, 16) width(2) layout(#tile.distributed<4x16 = [(4 thread * 16), (16 thread)] threads 64>) {
  tile.parallel (%i, %j) in (4, 16) width(2) layout(#tile.distributed<4x16 = [(4 thread * 16), (16 thread)] threads 64>) {
  }
  // CHECK: tile.copy %A to %s pad 1.000000e+00 width(4) : memref<64x32xf16> to memref<64x32xf16, #tile.shared>
  tile.copy %A to %s pad 1.0 width(4) : memref<64x32xf16> to memref<64x32xf16, #tile.shared>
  // CHECK: tile.copy %s to %A width(2) layout(#tile.distributed<64x32 = [(64 thread), (32 reg)] threads 64>)
  tile.copy %s to %A width(2) layout(#tile.distributed<64x32 = [(64 thread), (32 reg)] threads 64>) : memref<64x32xf16, #tile.shared> to memref<64x32xf16>
}
