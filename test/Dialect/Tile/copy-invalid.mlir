// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Copies that do not fit.

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>, %B[%M]: memref<?xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op copies shape [?] into shape [?]; one side has constant extents (copy-C1)}}
  tile.copy %A to %B : memref<?xf32> to memref<?xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %r = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.copy' op copies shape [4x4] into shape [4x8]; shapes match up to leading extents of 1, or a bracket says where the smaller one lies (copy-C2)}}
  tile.copy %s to %r : memref<4x4xf32, #tile.shared> to memref<4x8xf32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op copies shape [?] into shape [4x4]; shapes match up to leading extents of 1, or a bracket says where the smaller one lies (copy-C2)}}
  tile.copy %A[0] to %s : memref<?xf32> to memref<4x4xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %r = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.copy' op copies shape [4x4] into shape [4x8]; shapes match up to leading extents of 1, or a bracket says where the smaller one lies (copy-C2)}}
  tile.copy %s[0, 0] to %r : memref<4x4xf32, #tile.shared> to memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xf16, #tile.shared>
  // expected-error @below {{'tile.copy' op copies elements of type 'f32' into elements of type 'f16'; write 'cast' to convert them (copy-C3)}}
  tile.copy %A to %s : memref<4xf32> to memref<4xf16, #tile.shared>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op has a pad and a shared source; only reads of global tensors may be out of range (copy-C4)}}
  tile.copy %s to %A pad 1.0 : memref<4xf32, #tile.shared> to memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op has a pad of type 'i32' for elements of type 'f32'; the pad has the target's element type (copy-C5)}}
  "tile.copy"(%A, %s) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, pad = 1 : i32}> : (memref<4xf32>, memref<4xf32, #tile.shared>) -> ()
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op has 1 indices without a bracket; indices stand in one (copy-C6)}}
  "tile.copy"(%A, %b, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<4xf32>, index, memref<4xf32, #tile.shared>) -> ()
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.local>' defined here}}
  %p = tile.alloc_local : memref<4xf32, #tile.local>
  %r = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // expected-error @below {{'tile.copy' op copies a private array into a fragment; each thread has its own values, an element of a fragment has one (copy-C7)}}
  tile.copy %p to %r : memref<4xf32, #tile.local> to memref<4xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %p = tile.alloc_local : memref<4xf32, #tile.local>
  // expected-note @below {{buffer of type 'memref<4xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op every thread would copy its private array to one place; let the place depend on the thread or guard it by the thread (copy-C8)}}
  tile.copy %p to %s : memref<4xf32, #tile.local> to memref<4xf32, #tile.shared>
}

// -----

// A copy starts inside its tensor, though it may overhang the end.
// expected-note @below {{buffer of type 'memref<100xf32>' defined here}}
tile.kernel @f(%A: memref<100xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<64xf32, #tile.shared>
  tile.copy %A[64] to %s : memref<100xf32> to memref<64xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op moves 64 elements of dimension 0 from 100, its extent is 100; a copy starts inside its tensor (index-C4)}}
  tile.copy %A[100] to %s : memref<100xf32> to memref<64xf32, #tile.shared>
}

// -----

tile.kernel @f(%A: memref<64xf32>) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<100xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<100xf32, #tile.shared>
  tile.serial %i in (2) {
    // expected-error @below {{'tile.copy' op moves 64 elements of dimension 0 from 0 to 40, its extent is 100; indices of a tile lie inside its extent (index-C5)}}
    tile.copy %A to %s[%i * 40] : memref<64xf32> to memref<100xf32, #tile.shared>
  }
}
