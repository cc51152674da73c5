// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Another number of bytes.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.view' op turns shape [4x4] of 'f32' into shape [4x4] of 'f16'; the number of bytes stays, and only leading '?' may be kept (view-C1)}}
  %r = tile.view %a : memref<4x4xf32, #tile.shared> to memref<4x4xf16, #tile.shared>
}

// -----
// Other rows of a padded tile, and of one in panels, through a reshape too.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared layout(#tile.padded<4>) : memref<4x8xf32, #tile.shared>
  // expected-error @below {{'tile.view' op turns shape [4x8] of 'f32' into shape [8x8] of 'f16'; rows of a tile with padding or panels keep their place: all extents but the last stay (view-C2)}}
  %r = tile.view %a : memref<4x8xf32, #tile.shared> to memref<8x8xf16, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x32xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared layout(#tile.swizzled<64>) : memref<4x32xf32, #tile.shared>
  %f = tile.reshape %a : memref<4x32xf32, #tile.shared> to memref<128xf32, #tile.shared>
  // expected-error @below {{'tile.view' op turns shape [4x32] of 'f32' into shape [256] of 'i16'; rows of a tile with padding or panels keep their place: all extents but the last stay (view-C2)}}
  %r = tile.view %f : memref<128xf32, #tile.shared> to memref<256xi16, #tile.shared>
}

// -----
// Rows that begin in the middle of an element, and an XOR that takes elements apart.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf16, #tile.shared>' defined here}}
  %a = tile.alloc_shared layout(#tile.padded<1>) : memref<4x8xf16, #tile.shared>
  // expected-error @below {{'tile.view' op looks at elements of 4 bytes in rows at distances of 18 bytes; elements of a view stay whole (view-C3)}}
  %r = tile.view %a : memref<4x8xf16, #tile.shared> to memref<4x4xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf16, #tile.shared>' defined here}}
  %a = tile.alloc_shared layout(#tile.xor<unit 2, bits 2, shift 4>) : memref<4x8xf16, #tile.shared>
  // expected-error @below {{'tile.view' op looks at elements of 4 bytes in a tile whose XOR moves pieces of 2 bytes; elements of a view stay whole (view-C3)}}
  %r = tile.view %a : memref<4x8xf16, #tile.shared> to memref<4x4xf32, #tile.shared>
}
