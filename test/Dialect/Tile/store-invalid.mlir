// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Stores of another type, and stores that every thread makes.

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>, %x: f64) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.store' op has a value of type 'f64' and elements of type 'f32'; the types are equal (store-C1)}}
  "tile.store"(%x, %A, %b) <{map = affine_map<(d0) -> (d0)>}> : (f64, memref<4xf32>, index) -> ()
}

// -----

tile.kernel @f(%x: f32) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.fragment>' defined here}}
  %r = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.store' op writes an element of a fragment outside 'tile.parallel'; fragments are written inside one, or by copy, fill and reduce (store-C2)}}
  tile.store %x, %r[0] : memref<4xf32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>, %x: f32) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.store' op every thread would store to one element; write 'tile.parallel (%i) in (1)' or guard it by the thread (store-C3)}}
  tile.store %x, %A[0] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>, %x: f32, %c: i1) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  scf.if %c {
    tile.serial %i in (4) {
      // expected-error @below {{'tile.store' op every thread would store to one element; write 'tile.parallel (%i) in (1)' or guard it by the thread (store-C3)}}
      tile.store %x, %s[%i] : memref<4xf32, #tile.shared>
    }
  }
}
