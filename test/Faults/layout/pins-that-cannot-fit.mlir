// A pin that contradicts its tile is refused with both.
// RUN: tile-opt %s --split-input-file --verify-diagnostics
tile.kernel @panel() grid(%g) in (1) threads(128) {
  // expected-error-re @below {{{{.*}}(alloc-C3)}}
  %s = tile.alloc_shared layout(#tile.swizzled<128>) : memref<8x96xi8, #tile.shared>
}

// -----

#wide = #tile.distributed<4x96 = [(4 reg * 4), (24 thread, 4 reg)] threads 32>
tile.kernel @shape() grid(%g) in (1) threads(32) {
  // expected-error-re @below {{{{.*}}(layout-C1)}}
  %f = tile.alloc_fragment layout(#wide) : memref<4x64xf32, #tile.fragment>
}
