// A block that walks the rows by a constant stride asks about none of them: the loop's bound says that they exist. What
// lies a step ahead it asks about.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s

!X = memref<?x256xf32>
!Row = memref<1x256xf32, #tile.fragment>

// CHECK: __launch_bounds__(64) walk(
// CHECK: for (
// CHECK-NOT: if (
// CHECK: move16(
// CHECK-NOT: if (
// CHECK: store16(
// CHECK: __launch_bounds__(64) walk_careful(
tile.kernel @walk[%M](%x[%M, 256]: !X, %y[%M, 256]: !X) grid(%b) in (16) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.serial %k in ((%M - %b) ceildiv 16) {
    tile.copy %x[%b + %k * 16, 0] to %r : !X to !Row
    tile.copy %r to %y[%b + %k * 16, 0] : !Row to !X
  }
}

// CHECK: __launch_bounds__(64) rounded(
// CHECK: for (
// CHECK-NOT: if (
// CHECK: move16(
// CHECK: __launch_bounds__(64) rounded_careful(
tile.kernel @rounded[%M](%x[%M, 256]: !X, %y[%M, 256]: !X) grid(%b) in (16) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.serial %k in ((%M - %b + 15) floordiv 16) {
    tile.copy %x[%b + %k * 16, 0] to %r : !X to !Row
    tile.copy %r to %y[%b + %k * 16, 0] : !Row to !X
  }
}

// CHECK: __launch_bounds__(64) ahead(
// CHECK: for (
// CHECK: if (
// CHECK: move16(
// CHECK: __launch_bounds__(64) ahead_careful(
tile.kernel @ahead[%M](%x[%M, 256]: !X, %y[%M, 256]: !X) grid(%b) in (16) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.serial %k in ((%M - %b) ceildiv 16) {
    tile.copy %x[%b + %k * 16 + 16, 0] to %r : !X to !Row
    tile.copy %r to %y[%b + %k * 16, 0] : !Row to !X
  }
}

// A bound that is one too large proves nothing.
// CHECK: __launch_bounds__(64) beyond(
// CHECK: for (
// CHECK: if (
// CHECK: move16(
tile.kernel @beyond[%M](%x[%M, 256]: !X, %y[%M, 256]: !X) grid(%b) in (16) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.serial %k in ((%M - %b + 1) ceildiv 16) {
    tile.copy %x[%b + %k * 16, 0] to %r : !X to !Row
    tile.copy %r to %y[%b + %k * 16, 0] : !Row to !X
  }
}
