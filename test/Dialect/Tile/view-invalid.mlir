// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Another number of bytes.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.view' op turns shape [4x4] of 'f32' into shape [4x4] of 'f16'; the number of bytes stays, and only leading '?' may be kept (view-C1)}}
  %r = tile.view %a : memref<4x4xf32, #tile.shared> to memref<4x4xf16, #tile.shared>
}
