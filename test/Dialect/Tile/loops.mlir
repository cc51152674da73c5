// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Every loop, by one and by several induction variables, constant and run-time extents.

// CHECK-LABEL: tile.kernel @f[%M](%A[%M]: memref<?xi32>, %n: index) grid(%b) in (%M ceildiv 4) threads(48)
tile.kernel @f[%M](%A[%M]: memref<?xi32>, %n: index) grid(%b) in (%M ceildiv 4) threads(48) {
  // CHECK: tile.parallel %i in (%M - %b * 4)
  tile.parallel %i in (%M - %b * 4) {
  }
  // CHECK: tile.parallel (%i, %j) in (4, 12) layout(#tile.distributed<4x12 = [(4 thread * 12), (12 thread)] threads 48>)
  tile.parallel (%i, %j) in (4, 12) layout(#tile.distributed<4x12 = [(4 thread * 12), (12 thread)] threads 48>) {
  }
  // CHECK: tile.vectorized (%v, %w) in (2, 4)
  tile.vectorized (%v, %w) in (2, 4) {
  }
  // CHECK: tile.serial %k in (-3)
  tile.serial %k in (-3) {
    // CHECK: tile.unrolled (%u, %w) in (4, %k)
    tile.unrolled (%u, %w) in (4, %k) {
    }
  }
  // CHECK: tile.pipelined %k in (%n ceildiv 32) stages(1)
  tile.pipelined %k in (%n ceildiv 32) stages(1) {
  }
  // CHECK: tile.pipelined %k in (%M floordiv 32) stages(3)
  tile.pipelined %k in (%M floordiv 32) stages(3) {
  }
}
