// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Numbers that the element type cannot hold.

tile.kernel @f(%A: memref<4xi8>) grid(%b) in (1) threads(32) {
  // expected-error @below {{custom op 'tile.fill' this number does not fit 'i8'; a literal must be representable after rounding (literal-C1)}}
  tile.fill %A with 256 : memref<4xi8>
}

// -----

tile.kernel @f(%A: memref<4xf16>) grid(%b) in (1) threads(32) {
  // expected-error @below {{custom op 'tile.fill' this number does not fit 'f16'; a literal must be representable after rounding (literal-C1)}}
  tile.fill %A with 65520.0 : memref<4xf16>
}

// -----

tile.kernel @f(%A: memref<4xvector<2xf32>>) grid(%b) in (1) threads(32) {
  // expected-error @below {{custom op 'tile.fill' a literal cannot be of type 'vector<2xf32>'; element types are integers and floats (literal-C2)}}
  tile.fill %A with 1 : memref<4xvector<2xf32>>
}

// -----

tile.kernel @f(%A: memref<4xi32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{custom op 'tile.fill' found a floating-point number for elements of type 'i32'; write an integer (literal-C3)}}
  tile.fill %A with 1.5 : memref<4xi32>
}
