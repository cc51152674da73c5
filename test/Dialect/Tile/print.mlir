// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// What a program says to its reader.

// CHECK-LABEL: tile.kernel @f(%A: memref<4xf32>, %x: f32, %c: i1) grid(%b, %d) in (2, 2) threads(32)
tile.kernel @f(%A: memref<4xf32>, %x: f32, %c: i1) grid(%b, %d) in (2, 2) threads(32) {
  // CHECK: tile.print %A : memref<4xf32>
  tile.print %A : memref<4xf32>
  // CHECK: tile.print %x block [1, 0] : f32
  tile.print %x block [1, 0] : f32
  // CHECK: tile.print %b : index
  tile.print %b : index
  // CHECK: tile.assert %c, "c holds"
  tile.assert %c, "c holds"
  // CHECK: tile.sync
  tile.sync
}
