// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Another element type, another number of elements.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.reshape' op turns shape [4x4] of 'f32' into shape [16] of 'i32'; the element type stays; 'tile.view' changes it (reshape-C1)}}
  %r = tile.reshape %a : memref<4x4xf32, #tile.shared> to memref<16xi32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.reshape' op turns shape [4x4] of 'f32' into shape [15] of 'f32'; the number of elements stays, and only a leading '?' may be kept (reshape-C2)}}
  %r = tile.reshape %a : memref<4x4xf32, #tile.shared> to memref<15xf32, #tile.shared>
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.reshape' op turns shape [?] of 'f32' into shape [16] of 'f32'; the number of elements stays, and only a leading '?' may be kept (reshape-C2)}}
  %r = tile.reshape %A : memref<?xf32> to memref<16xf32>
}
