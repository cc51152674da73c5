// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Scans that do not fit, or have no meaning.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.scan' op scans dimension 2 of a tile of rank 2; dimensions count from 0 (scan-C1)}}
  tile.scan sum %x into %x dim 2 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.scan' op scans dimension -1 of a tile of rank 2; dimensions count from 0 (scan-C1)}}
  tile.scan sum %x into %x dim -1 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<8x4xf32, #tile.fragment>' defined here}}
  %y = tile.alloc_fragment : memref<8x4xf32, #tile.fragment>
  // expected-error @below {{'tile.scan' op scans shape [4x8] into shape [8x4]; the shapes are equal (scan-C2)}}
  tile.scan sum %x into %y dim 0 : memref<4x8xf32, #tile.fragment> into memref<8x4xf32, #tile.fragment>
}

// -----

// expected-note @below {{buffer of type 'memref<4x8xf32>' defined here}}
tile.kernel @f(%A: memref<4x8xf32>) grid(%b) in (1) threads(32) {
  %y = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.scan' op has a global source; scans go between fragments and shared tiles (scan-C3)}}
  tile.scan sum %A into %y dim 1 : memref<4x8xf32> into memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.local>' defined here}}
  %y = tile.alloc_local : memref<4x8xf32, #tile.local>
  // expected-error @below {{'tile.scan' op has a local target; scans go between fragments and shared tiles (scan-C3)}}
  tile.scan sum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.local>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.fragment>' defined here}}
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %y = tile.alloc_fragment : memref<4x8xf16, #tile.fragment>
  // expected-error @below {{'tile.scan' op has a target of type 'f16' and elements of type 'f32'; the types are equal (scan-C4)}}
  tile.scan sum %x into %y dim 1 : memref<4x8xf32, #tile.fragment> into memref<4x8xf16, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xi1, #tile.fragment>
  // expected-error @below {{'tile.scan' op is 'max' of elements of type 'i1'; elements of i1 are copied with 'cast' to a wider type first (scan-C5)}}
  tile.scan max %x into %x dim 0 : memref<8xi1, #tile.fragment> into memref<8xi1, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<8xf8E4M3FN, #tile.fragment>
  // expected-error @below {{'tile.scan' op is 'sum' of elements of type 'f8E4M3FN'; 8-bit floats are copied with 'cast' to a wider type first (scan-C5)}}
  tile.scan sum %x into %x dim 0 : memref<8xf8E4M3FN, #tile.fragment> into memref<8xf8E4M3FN, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'mean' is no scan; scans are sum, prod, max, min}}
  tile.scan mean %x into %x dim 0 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-error @below {{'tile.scan' op is laid out by a layout of shape [8], its own shape is [4x8]; the shapes are equal (layout-C1)}}
  tile.scan sum %x into %x dim 0 layout(#tile.distributed<8 = [(8 thread)] threads 32>) : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (1) {
    // expected-error @below {{'tile.scan' op acts on the whole block inside 'tile.parallel'; its body acts on single elements (parallel-C3)}}
    tile.scan sum %x into %x dim 0 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %c0 = arith.constant 0 : index
  %c = arith.cmpi eq, %t, %c0 : index
  // expected-note @below {{the threads part here}}
  scf.if %c {
    // expected-error @below {{'tile.scan' op acts on the whole block and stands in 'scf.if', which threads may leave or skip at different times; all threads of the block reach it together (uniform-C1)}}
    tile.scan sum %x into %x dim 0 : memref<4x8xf32, #tile.fragment> into memref<4x8xf32, #tile.fragment>
  }
}
