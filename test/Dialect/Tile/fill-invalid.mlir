// RUN: tile-opt %s --split-input-file --verify-diagnostics
// One value, of the element type.

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.fill' op has 0 values; a fill has one, a number or a scalar (fill-C1)}}
  "tile.fill"(%A) : (memref<4xf32>) -> ()
}

// -----

tile.kernel @f(%A: memref<4xf32>, %x: f32) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.fill' op has 2 values; a fill has one, a number or a scalar (fill-C1)}}
  "tile.fill"(%A, %x) <{value = 1.0 : f32}> : (memref<4xf32>, f32) -> ()
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.fill' op fills elements of type 'f32' with a value of type 'f64'; the types are equal (fill-C2)}}
  "tile.fill"(%A) <{value = 1.0 : f64}> : (memref<4xf32>) -> ()
}
