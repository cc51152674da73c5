// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Names for storage that is elsewhere, or has gaps.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4x4xf32, #tile.shared>' defined here}}
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-error @below {{'tile.reshape' op turns a shared buffer into a fragment one; both name the same storage (storage-C1)}}
  %r = tile.reshape %a : memref<4x4xf32, #tile.shared> to memref<16xf32, #tile.fragment>
}

// -----

tile.kernel @f(%A: memref<4x4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.slice' op has result layout strided<[4, 1]>; the result is a plain memref (storage-C2)}}
  %r = tile.slice %A[0, 0] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
}

// -----

// expected-note @below {{buffer of type 'memref<4x4xf32, strided<[8, 1]>>' defined here}}
tile.kernel @f(%A: memref<4x4xf32, strided<[8, 1]>>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.view' op applies to a strided tensor; only storage without gaps has another shape or element type (storage-C3)}}
  %r = tile.view %A : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xi32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  %a = tile.alloc_shared : memref<4x4xf32, #tile.shared>
  // expected-note @below {{buffer of type 'memref<4x2xf32, #tile.shared>' defined here}}
  %s = tile.slice %a[0, 2] : memref<4x4xf32, #tile.shared> to memref<4x2xf32, #tile.shared>
  // expected-error @below {{'tile.reshape' op applies to a slice; only storage without gaps has another shape or element type (storage-C3)}}
  %r = tile.reshape %s : memref<4x2xf32, #tile.shared> to memref<8xf32, #tile.shared>
}
