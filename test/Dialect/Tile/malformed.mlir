// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Broken generic forms: a diagnostic each, never a crash.

// expected-error @below {{'tile.kernel' op requires attribute 'argShapes'}}
"tile.kernel"() ({}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32}> ({
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op has 1 block arguments for -1 size symbols, 1 arguments and 1 grid axes; there is one for each (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = -1, argShapes = [affine_map<() -> ()>], grid = affine_map<(d0)[s0] -> (d0)>, threads = 32}> ({
^bb0(%a: index):
}) : () -> ()

// -----

"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [affine_map<(d0) -> (d0)>], grid = affine_map<() -> (1)>, threads = 32}> ({
// expected-error @below {{argument 0 of the kernel found 0 values for an expression over 1; there is one value an input (index-C7)}}
^bb0(%A: memref<?xf32>, %a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.parallel' op requires one region}}
"tile.parallel"() : () -> ()

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "tile.parallel"() <{extents = affine_map<() -> (4)>}> ({}) : () -> ()
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op requires one result}}
  "tile.alloc_shared"() : () -> ()
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op is pinned to 4 : i32; a shared tile takes #tile.linear, #tile.padded, #tile.xor or #tile.swizzled (alloc-C2)}}
  %a = "tile.alloc_shared"() <{layout = 4 : i32, align = -8}> : () -> memref<4xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op result #0 must be memref of any type values, but got 'memref<*xf32, #tile.shared>'}}
  %a = "tile.alloc_shared"() : () -> memref<*xf32, #tile.shared>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op operand count (2) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
  "tile.copy"(%A, %A) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (memref<4xf32>, memref<4xf32>) -> ()
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "tile.copy"(%A, %A) <{operandSegmentSizes = array<i32: -1, 1, 1, 1>}> : (memref<4xf32>, memref<4xf32>) -> ()
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.load' op found 0 indices for a buffer of rank 1; a bracket has one index a dimension (index-C3)}}
  %x = "tile.load"(%A) <{map = affine_map<() -> ()>}> : (memref<4xf32>) -> f32
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.reduce' op requires attribute 'dim'}}
  "tile.reduce"(%A, %A) : (memref<4xf32>, memref<4xf32>) -> ()
}

// -----

// Values that depend on each other.
tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{operand #0 does not dominate this use}}
  %x = "tile.reshape"(%y) : (memref<4xf32>) -> memref<4xf32>
  // expected-note @below {{operand defined here (op in the same block)}}
  %y = "tile.reshape"(%x) : (memref<4xf32>) -> memref<4xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{operand #0 does not dominate this use}}
  %x = affine.apply affine_map<(d0) -> (d0)>(%y)
  // expected-note @below {{operand defined here (op in the same block)}}
  %y = affine.apply affine_map<(d0) -> (d0)>(%x)
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.load' op found 0 indices for a buffer of rank 1; a bracket has one index a dimension (index-C3)}}
  %x = tile.load %A[] : memref<4xf32>
}

// -----

// expected-error @below {{expected '='}}
#l = #tile.distributed<>

// -----

// expected-error @below {{expected integer value}}
// expected-error @below {{failed to parse Tile_PaddedAttr parameter 'elements' which is to be a `int64_t`}}
#l = #tile.padded<>
