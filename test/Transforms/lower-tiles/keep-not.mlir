// Loads that do not ask the L2 to keep anything: no later op of the block is known to read all of it again.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s --implicit-check-not=keep

!X = memref<?x4096xf32>
!Row = memref<4096xf32, #tile.fragment>
!Part = memref<1024xf32, #tile.fragment>

// Read once.
// CHECK-LABEL: simt.kernel @once(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @once[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
}

// Every block reads the same.
// CHECK-LABEL: simt.kernel @shared(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @shared[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[0, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
  tile.copy %x[0, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
}

// The kernel writes the tensor, under this name or another that is not promised apart.
// CHECK-LABEL: simt.kernel @written(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @written[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %x[%row, 0] : !Row to !X
}
// CHECK-LABEL: simt.kernel @undecided(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @undecided[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
}

// Another row, another part, every other element, places that depend on data.
// CHECK-LABEL: simt.kernel @elsewhere(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @elsewhere[%M](%x[%M, 4096]: !X, %at[%M, 4096]: memref<?x4096xi32>, %y[%M, 4096]: !X) grid(%row) in (%M)
    threads(128) disjoint(%x, %at, %y) {
  %r = tile.alloc_fragment : !Row
  %p = tile.alloc_fragment : !Part
  tile.copy %x[%row, 0] to %p : !X to !Part
  tile.copy %p to %y[%row, 0] : !Part to !X
  tile.copy %x[%row + 1, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
  tile.copy %x[%row, 512] to %p : !X to !Part
  tile.copy %p to %y[%row, 0] : !Part to !X
  tile.parallel %j in (2048) {
    %h = tile.load %x[%row, %j * 2] : !X
    tile.store %h, %y[%row, %j] : !X
  }
  tile.parallel %j in (4096) {
    %place = tile.load %at[%row, %j] : memref<?x4096xi32>
    %index = arith.index_cast %place : i32 to index
    %h = tile.load %x[%row, %index] : !X
    tile.store %h, %y[%row, %j] : !X
  }
}

// What the next trip of the same loop reads again.
// CHECK-LABEL: simt.kernel @ahead(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @ahead[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %y) {
  %p = tile.alloc_fragment : !Part
  tile.serial %k in (3) {
    tile.copy %x[%row, %k * 1024 + 1024] to %p : !X to !Part
    tile.copy %p to %y[%row, %k * 1024] : !Part to !X
    tile.copy %x[%row, %k * 1024] to %p : !X to !Part
    tile.copy %p to %y[%row, %k * 1024] : !Part to !X
  }
}

// The later read happens under a condition, in another branch, or as often as nobody knows.
// CHECK-LABEL: simt.kernel @perhaps(
// CHECK: simt.move %x[{{.*}} bytes 16 :
tile.kernel @perhaps[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X, %is: i1, %n: index) grid(%row) in (%M) threads(128)
    disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.if %is {
    tile.copy %x[%row, 0] to %r : !X to !Row
    tile.copy %r to %y[%row, 0] : !Row to !X
  } else {
    tile.copy %x[%row, 0] to %r : !X to !Row
    tile.copy %r to %y[%row + 1, 0] : !Row to !X
  }
  scf.for %i = %zero to %n step %one {
    tile.copy %x[%row, 0] to %r : !X to !Row
    tile.copy %r to %y[%row + %i, 0] : !Row to !X
  }
}
