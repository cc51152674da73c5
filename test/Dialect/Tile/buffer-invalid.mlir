// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Types that no buffer has.

// expected-error @below {{argument 0 of the kernel is no buffer: found memory space 3 : i64; spaces are none (global), #tile.shared, #tile.fragment and #tile.local (buffer-C1)}}
tile.kernel @f(%A: memref<4xf32, 3>) grid(%b) in (1) threads(32) {
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op found memory space "shared"; spaces are none (global), #tile.shared, #tile.fragment and #tile.local (buffer-C1)}}
  %a = tile.alloc_shared : memref<4xf32, "shared">
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found elements of type 'i7'; element types are i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 (buffer-C2)}}
tile.kernel @f(%A: memref<4xi7>) grid(%b) in (1) threads(32) {
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op found elements of type 'index'; element types are i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 (buffer-C2)}}
  %a = tile.alloc_shared : memref<4xindex, #tile.shared>
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found elements of type 'f8E4M3FNUZ'; element types are i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 (buffer-C2)}}
tile.kernel @f(%A: memref<4xf8E4M3FNUZ>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found elements of type 'ui8'; element types are i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2 (buffer-C2)}}
tile.kernel @f(%A: memref<4xui8>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found layout affine_map<(d0, d1) -> (d1, d0)> on a global buffer; only global tensors have one, strided<[...]> without an offset (buffer-C3)}}
tile.kernel @f(%A: memref<4x4xf32, affine_map<(i, j) -> (j, i)>>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found layout strided<[1], offset: 4> on a global buffer; only global tensors have one, strided<[...]> without an offset (buffer-C3)}}
tile.kernel @f(%A: memref<4xf32, strided<[1], offset: 4>>) grid(%b) in (1) threads(32) {
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op found layout strided<[5, 1]> on a shared buffer; only global tensors have one, strided<[...]> without an offset (buffer-C3)}}
  %a = tile.alloc_shared : memref<4x4xf32, strided<[5, 1]>, #tile.shared>
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found stride -1; strides lie in 0 ... 2^53 - 1 (buffer-C4)}}
tile.kernel @f(%A: memref<4xf32, strided<[-1]>>) grid(%b) in (1) threads(32) {
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op found shape [?] of a shared tile; extents of tiles are numbers (buffer-C5)}}
  %a = tile.alloc_shared : memref<?xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_fragment' op found shape [4x0] of a fragment tile; extents of tiles are at least 1 (buffer-C5)}}
  %a = tile.alloc_fragment : memref<4x0xf32, #tile.fragment>
}

// -----

// expected-error @below {{argument 0 of the kernel is no buffer: found extents [9223372036854775807x9223372036854775807], 9007199254740992 elements or more; a global buffer holds fewer (buffer-C6)}}
tile.kernel @f(%A: memref<9223372036854775807x9223372036854775807xf32>) grid(%b) in (1) threads(32) {
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op found extents [65536x65536], 2147483648 elements or more; a shared buffer holds fewer (buffer-C6)}}
  %a = tile.alloc_shared : memref<65536x65536xf32, #tile.shared>
}
