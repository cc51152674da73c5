// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Loads of another type, pads that are never read.

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.load' op has a result of type 'f64' and elements of type 'f32'; the types are equal (load-C1)}}
  %x = "tile.load"(%A, %b) <{map = affine_map<(d0) -> (d0)>}> : (memref<4xf32>, index) -> f64
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.load' op has a pad of type 'i32' and elements of type 'f32'; the types are equal (load-C1)}}
  %x = "tile.load"(%A, %b) <{map = affine_map<(d0) -> (d0)>, pad = 1 : i32}> : (memref<4xf32>, index) -> f32
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-error @below {{'tile.load' op has a pad and reads a shared buffer; only reads of global tensors may be out of range (load-C2)}}
  %x = tile.load %s[%b] pad 1.0 : memref<4xf32, #tile.shared>
}
