// RUN: tile-run %s --device sim --variant all --seed 1 | FileCheck %s
// CHECK: verdict: right

// A view of a tile in panels sees the same bytes as elements of another width, in one row and in several.
tile.kernel @view_panels(%x: memref<96xi16>, %y: memref<48xi32>, %u: memref<6x64xf32>, %w: memref<6x128xi16>)
    grid(%b) in (1) threads(96) {
  %s = tile.alloc_shared layout(#tile.swizzled<32>) : memref<96xi16, #tile.shared>
  tile.copy %x to %s : memref<96xi16> to memref<96xi16, #tile.shared>
  %v = tile.view %s : memref<96xi16, #tile.shared> to memref<48xi32, #tile.shared>
  tile.copy %v to %y : memref<48xi32, #tile.shared> to memref<48xi32>
  %p = tile.alloc_shared layout(#tile.swizzled<128>) : memref<6x64xf32, #tile.shared>
  tile.copy %u to %p : memref<6x64xf32> to memref<6x64xf32, #tile.shared>
  %q = tile.view %p : memref<6x64xf32, #tile.shared> to memref<6x128xi16, #tile.shared>
  tile.copy %q to %w : memref<6x128xi16, #tile.shared> to memref<6x128xi16>
}
