// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s
// RUN: tile-run %s --kernel chunks --device sim --explain | FileCheck %s --check-prefix=EXPLAIN
// RUN: tile-run %s --kernel chunks --device sim --explain=json | FileCheck %s --check-prefix=JSON

// Four warps exchange once: every thread has walked all totals, and keeps what the row comes to.
// CHECK-LABEL: simt.kernel @chunks(
// CHECK: %[[ALL:all]] = simt.registers : memref<1xf32, #simt.register>
// CHECK: = simt.shared
// CHECK: simt.barrier
// CHECK: simt.store {{.*}} %[[ALL]][
// CHECK: simt.note "reduce sum r into carry: the total of exclusive scan sum r into s"
// CHECK-NOT: simt.shuffle
// CHECK-NOT: simt.shared
// CHECK-NOT: simt.barrier
// CHECK: %[[TOTAL:.+]] = simt.load %[[ALL]][
// CHECK: %[[OLD:.+]] = simt.load %carry[
// CHECK: %[[NEW:.+]] = arith.addf %[[OLD]], %[[TOTAL]]
// CHECK: simt.store %[[NEW]], %carry
// CHECK-LABEL: simt.kernel @chunks_careful(

// EXPLAIN: totals
// EXPLAIN-NEXT: line buffer reduction
// EXPLAIN-NEXT: {{[0-9]+}} carry the total of the scan in line {{[0-9]+}}
// EXPLAIN: verdict: right
// JSON: "totals": [
// JSON: "buffer": "carry"
// JSON: "scan_line": {{[1-9]}}
!X = memref<2048xf32>
!Chunk = memref<1x512xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @chunks(%x: !X, %y: memref<1xf32>) grid(%b) in (1) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  %carry = tile.alloc_fragment : !One
  tile.fill %carry with 0.0 : !One
  tile.serial %k in (4) {
    tile.parallel (%i, %j) in (1, 512) {
      %v = tile.load %x[%k * 512 + %j] : !X
      tile.store %v, %r[%i, %j] : !Chunk
    }
    tile.scan sum %r into %s dim 1 exclusive : !Chunk into !Chunk
    tile.reduce sum %r into %carry dim 1 accumulate : !Chunk into !One
  }
  tile.copy %carry to %y : !One to memref<1xf32>
}

// One warp: five shuffles of the scan, and one by which the last lane says the total.
// CHECK-LABEL: simt.kernel @warp(
// CHECK-COUNT-5: simt.shuffle up
// CHECK: simt.shuffle idx
// CHECK-NOT: simt.shuffle
// CHECK-LABEL: simt.kernel @warp_careful(
!Line = memref<1x128xf32, #tile.fragment>
tile.kernel @warp(%x: memref<1x128xf32>, %y: memref<1x128xf32>, %z: memref<1xf32>) grid(%b) in (1) threads(32) disjoint(%x, %y, %z) {
  %r = tile.alloc_fragment : !Line
  %s = tile.alloc_fragment : !Line
  %t = tile.alloc_fragment : !One
  tile.copy %x to %r : memref<1x128xf32> to !Line
  tile.scan max %r into %s dim 1 : !Line into !Line
  tile.reduce max %r into %t dim 1 : !Line into !One
  tile.copy %s to %y : !Line to memref<1x128xf32>
  tile.copy %t to %z : !One to memref<1xf32>
}

// The tile is overwritten in between, the scan leaves its results in it, the kind or the dimension is another, or the
// scan is in a loop: the reduction does its own work.
// CHECK-LABEL: simt.kernel @own
// CHECK-NOT: the total of
// CHECK: simt.note "reduce sum r into a"
// CHECK: simt.note "reduce max r into b"
// CHECK: simt.note "reduce min r into c"
// CHECK: simt.note "reduce min r into d"
// CHECK: simt.note "reduce sum r into e"
// CHECK-NOT: the total of
// CHECK-LABEL: simt.kernel @shared
tile.kernel @own(%x: !X, %y: !X) grid(%g) in (1) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  %a = tile.alloc_fragment : !One
  %b = tile.alloc_fragment : !One
  %c = tile.alloc_fragment : !One
  %d = tile.alloc_fragment : memref<512xf32, #tile.fragment>
  %e = tile.alloc_fragment : !One
  tile.fill %r with 1.0 : !Chunk
  tile.scan sum %r into %s dim 1 : !Chunk into !Chunk
  tile.fill %r with 2.0 : !Chunk
  tile.reduce sum %r into %a dim 1 : !Chunk into !One
  tile.scan max %r into %r dim 1 : !Chunk into !Chunk
  tile.reduce max %r into %b dim 1 : !Chunk into !One
  tile.scan max %r into %s dim 1 : !Chunk into !Chunk
  tile.reduce min %r into %c dim 1 : !Chunk into !One
  tile.scan min %r into %s dim 1 : !Chunk into !Chunk
  tile.reduce min %r into %d dim 0 : !Chunk into memref<512xf32, #tile.fragment>
  tile.serial %k in (2) {
    tile.scan sum %r into %s dim 1 : !Chunk into !Chunk
  }
  tile.reduce sum %r into %e dim 1 : !Chunk into !One
}

// A shared tile is read into a fragment for the scan, and into another for the reduction.
// CHECK: simt.note "reduce sum a tile into c"
!Shared = memref<1x512xf32, #tile.shared>
tile.kernel @shared(%x: !X) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared : !Shared
  %t = tile.alloc_shared : !Shared
  %c = tile.alloc_fragment : !One
  tile.fill %s with 1.0 : !Shared
  tile.scan sum %s into %t dim 1 : !Shared into !Shared
  tile.reduce sum %s into %c dim 1 : !Shared into !One
}
