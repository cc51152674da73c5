// 32 points that store to one element are refused, with the element and two of the points.
// RUN: not tile-opt %s 2>&1 | FileCheck %s
// CHECK: folded-columns-refused.mlir:[[#@LINE+10]]:5: error: {{.*}}[0, 0]{{.*}}(parallel-C4)
!A = memref<16x14xi32, #tile.fragment>
!B = memref<16x448xi32, #tile.fragment>
tile.kernel @fold() grid(%g) in (1) threads(128) {
  %a = tile.alloc_fragment : !A
  %b = tile.alloc_fragment : !B
  tile.parallel (%i, %j) in (16, 448) {
    %x = tile.load %a[%i, %j floordiv 32] : !A
    %y = tile.load %b[%i, %j] : !B
    %z = arith.addi %x, %y : i32
    tile.store %z, %a[%i, %j floordiv 32] : !A
  }
}
