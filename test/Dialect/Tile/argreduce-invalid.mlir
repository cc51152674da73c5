// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Searches that do not fit, or have no meaning.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op searches dimension 2 of a tile of rank 2; dimensions count from 0 (argreduce-C1)}}
  tile.argreduce max %x into %v, %i dim 2 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op searches dimension -1 of a tile of rank 2; dimensions count from 0 (argreduce-C1)}}
  tile.argreduce max %x into %v, %i dim -1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.fragment>' defined here}}
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op searches dimension 0 of shape [4x8] into shape [4]; the target has shape [8] (argreduce-C2)}}
  tile.argreduce max %x into %v, %i dim 0 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<8xi32, #tile.fragment>' defined here}}
  %i = tile.alloc_fragment : memref<8xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op searches dimension 1 of shape [4x8] into shape [8]; the target has shape [4] (argreduce-C2)}}
  tile.argreduce max %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<8xi32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<4x8xf32>' defined here}}
tile.kernel @f(%A: memref<4x8xf32>) grid(%b) in (1) threads(32) {
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op has a global source; argreduces go between fragments and shared tiles (argreduce-C3)}}
  tile.argreduce max %A into %v, %i dim 1 : memref<4x8xf32> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.local>' defined here}}
  %v = tile.alloc_local : memref<4xf32, #tile.local>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op has a local value target; argreduces go between fragments and shared tiles (argreduce-C3)}}
  tile.argreduce max %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.local>, memref<4xi32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<4xi32>' defined here}}
tile.kernel @f(%A: memref<4xi32>) grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op has a global index target; argreduces go between fragments and shared tiles (argreduce-C3)}}
  tile.argreduce max %x into %v, %A dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf16, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op has a value target of type 'f16' and elements of type 'f32'; the types are equal (argreduce-C4)}}
  tile.argreduce max %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf16, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<4xi64, #tile.fragment>' defined here}}
  %i = tile.alloc_fragment : memref<4xi64, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op has an index target of type 'i64'; indices are i32 (argreduce-C5)}}
  tile.argreduce max %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi64, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xi1, #tile.fragment>
  %v = tile.alloc_fragment : memref<i1, #tile.fragment>
  %i = tile.alloc_fragment : memref<i32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op is 'min' of elements of type 'i1'; elements of i1 are copied with 'cast' to a wider type first (argreduce-C6)}}
  tile.argreduce min %x into %v, %i dim 0 : memref<8xi1, #tile.fragment> into memref<i1, #tile.fragment>, memref<i32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xi32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<4xi32, #tile.fragment>' defined here}}
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'tile.argreduce' op writes values and indices to one buffer; the indices would take the place of the values (argreduce-C7)}}
  tile.argreduce max %x into %i, %i dim 1 : memref<4x8xi32, #tile.fragment> into memref<4xi32, #tile.fragment>, memref<4xi32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %v = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  %i = tile.alloc_fragment : memref<4xi32, #tile.fragment>
  // expected-error @below {{'sum' is no argreduce; argreduces are max, min}}
  tile.argreduce sum %x into %v, %i dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>, memref<4xi32, #tile.fragment>
}
