// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Atomics that the hardware lacks.

// expected-note @below {{buffer of type 'memref<4xi32>' defined here}}
tile.kernel @f(%A: memref<4xi32>, %x: i32) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.atomic' op has a result of type 'i64' and elements of type 'i32'; the types are equal (atomic-C1)}}
  %y = "tile.atomic"(%x, %A, %b) <{kind = #tile<atomic_kind add>, map = affine_map<(d0) -> (d0)>}> : (i32, memref<4xi32>, index) -> i64
}

// -----

// expected-note @below {{buffer of type 'memref<4xi32>' defined here}}
tile.kernel @f(%A: memref<4xi32>, %x: i64) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.atomic' op has a value of type 'i64' and elements of type 'i32'; the types are equal (atomic-C1)}}
  "tile.atomic"(%x, %A, %b) <{kind = #tile<atomic_kind add>, map = affine_map<(d0) -> (d0)>}> : (i64, memref<4xi32>, index) -> ()
}

// -----

tile.kernel @f(%x: i32) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<4xi32, #tile.local>' defined here}}
  %p = tile.alloc_local : memref<4xi32, #tile.local>
  // expected-error @below {{'tile.atomic' op combines an element of a local buffer; atomics act on global and shared memory (atomic-C2)}}
  tile.atomic add %x, %p[0] : memref<4xi32, #tile.local>
}

// -----

tile.kernel @f(%A: memref<4xi8>, %x: i8) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.atomic' op is 'add' of elements of type 'i8'; the hardware has it for i32, i64, f16, bf16, f32, f64 (atomic-C3)}}
  tile.atomic add %x, %A[0] : memref<4xi8>
}

// -----

tile.kernel @f(%A: memref<4xf32>, %x: f32) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.atomic' op is 'max' of elements of type 'f32'; the hardware has it for i32, i64 (atomic-C3)}}
  tile.atomic max %x, %A[0] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf16>, %x: f16) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.atomic' op is 'exchange' of elements of type 'f16'; the hardware has it for i32, i64, f32, f64 (atomic-C3)}}
  tile.atomic exchange %x, %A[0] : memref<4xf16>
}
