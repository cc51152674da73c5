// Which loads ask the L2 to keep what they read: those of elements that a later op of the block reads again.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s

!X = memref<?x4096xbf16>
!W = memref<4096xbf16>
!Row = memref<1x4096xbf16, #tile.fragment>
!Half = memref<1x2048xbf16, #tile.fragment>

// The second time backwards in chunks of another size: 4 * 1024 elements and 2 * 2048 are the same ones. What all blocks
// read, %w, is not marked.
// CHECK-LABEL: simt.kernel @chunks(
// CHECK: simt.move %w[{{.*}} bytes 16 :
// CHECK: simt.move %x[{{.*}} bytes 16 keep [[#@LINE+16]] :
// CHECK: simt.move %x[{{.*}} bytes 16 :
// CHECK: simt.move %w[{{.*}} bytes 16 :
// CHECK-LABEL: simt.kernel @chunks_careful(
// CHECK-NOT: keep
tile.kernel @chunks[%M](%x[%M, 4096]: !X, %w: !W, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %w, %y) {
  tile.serial %k in (4) {
    tile.parallel (%i, %j) in (1, 1024) {
      %g = tile.load %w[%k * 1024 + %j] : !W
      %h = tile.load %x[%row + %i, %k * 1024 + %j] : !X
      %s = arith.addf %g, %h : bf16
      tile.store %s, %y[%row + %i, %k * 1024 + %j] : !X
    }
  }
  tile.serial %k in (2) {
    tile.parallel (%i, %j) in (1, 2048) {
      %h = tile.load %x[%row + %i, 2048 - %k * 2048 + %j] : !X
      %g = tile.load %w[2048 - %k * 2048 + %j] : !W
      %s = arith.mulf %g, %h : bf16
      tile.store %s, %y[%row + %i, 2048 - %k * 2048 + %j] : !X
    }
  }
}

// A copy, and a loop over the same row; both inside a loop that neither of them is. The first of three reads is repeated
// by the second, the second by the third.
// CHECK-LABEL: simt.kernel @copied(
// CHECK: simt.move %x[{{.*}} bytes 16 keep [[#@LINE+10]] :
// CHECK: simt.move %x[{{.*}} bytes 16 keep [[#@LINE+14]] :
// CHECK: simt.move %x[{{.*}} bytes 8 :
// CHECK-LABEL: simt.kernel @copied_careful(
tile.kernel @copied[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%b) in (%M ceildiv 4) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  tile.serial %m in (4) {
    %row = affine.apply affine_map<(b, m) -> (b * 4 + m)>(%b, %m)
    tile.copy %x[%row, 0] to %r : !X to !Row
    tile.parallel (%i, %j) in (1, 4096) {
      %h = tile.load %x[%b * 4 + %m + %i, %j] : !X
      tile.store %h, %y[%row + %i, %j] : !X
    }
    tile.serial %k in (8) {
      tile.parallel %j in (512) {
        %h = tile.load %x[%row, %k * 512 + %j] : !X
        tile.store %h, %y[%row, %k * 512 + %j] : !X
      }
    }
    tile.copy %r to %y[%row, 0] : !Row to !X
  }
}

// A part, read again with the whole row; the whole row is not read again with a part.
// CHECK-LABEL: simt.kernel @part(
// CHECK: simt.move %x[{{.*}} bytes 16 keep [[#@LINE+9]] :
// CHECK: simt.move %x[{{.*}} bytes 16 :
// CHECK: simt.move %x[{{.*}} bytes 16 :
// CHECK-LABEL: simt.kernel @part_careful(
tile.kernel @part[%M](%x[%M, 4096]: !X, %y[%M, 4096]: !X) grid(%row) in (%M) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %h = tile.alloc_fragment : !Half
  tile.copy %x[%row, 1024] to %h : !X to !Half
  tile.copy %h to %y[%row, 0] : !Half to !X
  tile.copy %x[%row, 0] to %r : !X to !Row
  tile.copy %r to %y[%row, 0] : !Row to !X
  tile.copy %x[%row, 2048] to %h : !X to !Half
  tile.copy %h to %y[%row, 2048] : !Half to !X
}

// Rows of a length known at run time only: the same number of chunks of it, and 4-byte pieces.
// CHECK-LABEL: simt.kernel @dynamic(
// CHECK: simt.move %x[{{.*}} bytes 4 keep [[#@LINE+13]] :
// CHECK: simt.move %x[{{.*}} bytes 4 :
// CHECK-LABEL: simt.kernel @dynamic_careful(
tile.kernel @dynamic[%M, %N](%x[%M, %N]: memref<?x?xi16>, %y[%M, %N]: memref<?x?xi16>) grid(%row) in (%M) threads(64)
    where(%N mod 2 == 0) disjoint(%x, %y) {
  tile.serial %k in (%N ceildiv 128) {
    tile.parallel %j in (128) width(2) {
      %h = tile.load %x[%row, %k * 128 + %j] : memref<?x?xi16>
      tile.store %h, %y[%row, %k * 128 + %j] : memref<?x?xi16>
    }
  }
  tile.serial %k in (%N ceildiv 128) {
    tile.parallel %j in (128) width(2) {
      %h = tile.load %x[%row, %k * 128 + %j] : memref<?x?xi16>
      tile.store %h, %y[%row, %k * 128 + %j] : memref<?x?xi16>
    }
  }
}
