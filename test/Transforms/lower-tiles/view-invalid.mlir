// RUN: tile-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(tile-lower-tiles)"
// A view as other elements of a tile that is pinned to a layout that would tear them.

tile.kernel @torn() grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.xor<unit 4, bits 5, shift 7>) : memref<8x64xf32, #tile.shared>
  // expected-error @below {{'tile.view' op looks at elements of 8 bytes in a tile whose XOR moves pieces of 4 bytes; a view's elements stay whole}}
  %v = tile.view %s : memref<8x64xf32, #tile.shared> to memref<8x32xf64, #tile.shared>
}

// -----

tile.kernel @odd_rows() grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.padded<1>) : memref<8x64xf16, #tile.shared>
  // expected-error @below {{'tile.view' op looks at elements of 4 bytes in a tile whose rows lie 130 bytes apart; rows are whole elements}}
  %v = tile.view %s : memref<8x64xf16, #tile.shared> to memref<8x32xf32, #tile.shared>
}

// -----

tile.kernel @other_rows() grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.padded<4>) : memref<8x64xf32, #tile.shared>
  %r = tile.reshape %s : memref<8x64xf32, #tile.shared> to memref<512xf32, #tile.shared>
  // expected-error @below {{'tile.view' op looks at a padded tile in other rows; a view of a padded tile keeps its rows}}
  %v = tile.view %r : memref<512xf32, #tile.shared> to memref<512xi32, #tile.shared>
}
