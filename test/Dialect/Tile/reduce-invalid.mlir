// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Reductions that do not fit, or have no meaning.

!F = memref<4x8xf32, #tile.fragment>
tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : !F
  %y = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op reduces dimension 2 of a tile of rank 2; dimensions count from 0 (reduce-C1)}}
  tile.reduce sum %x into %y dim 2 : !F into memref<4xf32, #tile.fragment>
}

// -----

!F = memref<4x8xf32, #tile.fragment>
tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : !F
  %y = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op reduces dimension -1 of a tile of rank 2; dimensions count from 0 (reduce-C1)}}
  tile.reduce sum %x into %y dim -1 : !F into memref<4xf32, #tile.fragment>
}

// -----

!F = memref<4x8xf32, #tile.fragment>
tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : !F
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.fragment>' defined here}}
  %y = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op reduces dimension 0 of shape [4x8] into shape [4]; the target has shape [8] (reduce-C2)}}
  tile.reduce sum %x into %y dim 0 : !F into memref<4xf32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<4x8xf32>' defined here}}
tile.kernel @f(%A: memref<4x8xf32>) grid(%b) in (1) threads(32) {
  %y = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op has a global source; reductions go between fragments and shared tiles (reduce-C3)}}
  tile.reduce sum %A into %y dim 1 : memref<4x8xf32> into memref<4xf32, #tile.fragment>
}

// -----

!F = memref<4x8xf32, #tile.fragment>
tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : !F
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.local>' defined here}}
  %y = tile.alloc_local : memref<4xf32, #tile.local>
  // expected-error @below {{'tile.reduce' op has a local target; reductions go between fragments and shared tiles (reduce-C3)}}
  tile.reduce sum %x into %y dim 1 : !F into memref<4xf32, #tile.local>
}

// -----

!F = memref<4x8xf32, #tile.fragment>
tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : !F
  %y = tile.alloc_fragment : memref<4xf16, #tile.fragment>
  // expected-error @below {{'tile.reduce' op has a target of type 'f16' and elements of type 'f32'; the types are equal (reduce-C4)}}
  tile.reduce sum %x into %y dim 1 : !F into memref<4xf16, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xi1, #tile.fragment>
  %y = tile.alloc_fragment : memref<i1, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'sum' of elements of type 'i1'; i1 has umax, umin, and, or, xor (reduce-C5)}}
  tile.reduce sum %x into %y dim 0 : memref<8xi1, #tile.fragment> into memref<i1, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xi32, #tile.fragment>
  %y = tile.alloc_fragment : memref<i32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'mean' of elements of type 'i32'; a mean is for floats (reduce-C5)}}
  tile.reduce mean %x into %y dim 0 : memref<8xi32, #tile.fragment> into memref<i32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xi32, #tile.fragment>
  %y = tile.alloc_fragment : memref<i32, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'maxnum' of elements of type 'i32'; maxnum and minnum are for floats (reduce-C5)}}
  tile.reduce maxnum %x into %y dim 0 : memref<8xi32, #tile.fragment> into memref<i32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xf16, #tile.fragment>
  %y = tile.alloc_fragment : memref<f16, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'xor' of elements of type 'f16'; umax, umin, and, or, xor are for integers (reduce-C5)}}
  tile.reduce xor %x into %y dim 0 : memref<8xf16, #tile.fragment> into memref<f16, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xf8E5M2, #tile.fragment>
  %y = tile.alloc_fragment : memref<f8E5M2, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'max' of elements of type 'f8E5M2'; 8-bit floats are copied with 'cast' to a wider type first (reduce-C5)}}
  tile.reduce max %x into %y dim 0 : memref<8xf8E5M2, #tile.fragment> into memref<f8E5M2, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xf16, #tile.fragment>
  %y = tile.alloc_fragment : memref<f16, #tile.fragment>
  // expected-error @below {{'tile.reduce' op is 'mean' with 'accumulate'; a mean is of one tile (reduce-C6)}}
  tile.reduce mean %x into %y dim 0 accumulate : memref<8xf16, #tile.fragment> into memref<f16, #tile.fragment>
}
