// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Windows that do not fit.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.slice' op turns shape [4x4] of 'f32' into shape [2x2] of 'i32'; the element type stays; 'tile.view' changes it (slice-C1)}}
  %s = tile.slice %a[0, 0] : memref<4x4xf32, #tile.shared> to memref<2x2xi32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.slice' op turns shape [4x4] of 'f32' into shape [2x5] of 'f32'; a window has constant extents of at least 1 that fit the buffer, aligned from the last dimension (slice-C2)}}
  %s = tile.slice %a[0, 0] : memref<4x4xf32, #tile.shared> to memref<2x5xf32, #tile.shared>
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.slice' op turns shape [?] of 'f32' into shape [?] of 'f32'; a window has constant extents of at least 1 that fit the buffer, aligned from the last dimension (slice-C2)}}
  %s = tile.slice %A[0] : memref<?xf32> to memref<?xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.slice' op moves 2 elements of dimension 1 from 3, its extent is 4; indices of a tile lie inside its extent (index-C4)}}
  %s = tile.slice %a[0, 3] : memref<4x4xf32, #tile.shared> to memref<4x2xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (2) threads(32) {
  %a = tile.alloc_fragment : memref<4x4xf32, #tile.fragment>
  // expected-error @below {{'tile.slice' op starts at an index known at run time only; a slice of a fragment starts at constants (slice-C3)}}
  %s = tile.slice %a[%b, 0] : memref<4x4xf32, #tile.fragment> to memref<1x4xf32, #tile.fragment>
}
