// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Index expressions that mean nothing, and indices that are certain to be outside.

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found 'floordiv 0'; divisors are positive constants (index-C1)}}
  %x = tile.load %A[%b floordiv 0] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found 'mod -4'; divisors are positive constants (index-C1)}}
  %x = tile.load %A[%b mod -4] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'affine.apply' op found a product of two values in an index expression; one factor is a constant (index-C1)}}
  %x = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%b)[%b]
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'affine.apply' op found 'ceildiv' by a value; divisors are positive constants (index-C1)}}
  %x = affine.apply affine_map<(d0)[s0] -> (d0 ceildiv s0)>(%b)[%b]
}

// -----

// expected-error @below {{'tile.kernel' op found 'ceildiv 0'; divisors are positive constants (index-C1)}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (%M ceildiv 0) threads(1) {
}

// -----

// expected-error @below {{'tile.kernel' op found 'mod 0'; divisors are positive constants (index-C1)}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (1) threads(1) where (%M mod 0 == 0) {
}

// -----

// expected-error @below {{argument 0 of the kernel found 'floordiv -1'; divisors are positive constants (index-C1)}}
tile.kernel @f[%M](%A[%M, %M floordiv -1]: memref<?x?xf32>) grid(%b) in (1) threads(1) {
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'affine.apply' op found 'mod' by a value; divisors are positive constants (index-C1)}}
  %x = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%b)[%b]
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found the constant 9007199254740992 in an index expression; constants stay below 2^53 in magnitude (index-C2)}}
  %x = tile.load %A[%b * 9007199254740992] : memref<4xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.serial' op found the constant -9007199254740992 in an index expression; constants stay below 2^53 in magnitude (index-C2)}}
  tile.serial %i in (-9007199254740992) {
  }
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found 2 indices for a buffer of rank 1; a bracket has one index a dimension (index-C3)}}
  %x = tile.load %A[%b, %b] : memref<4xf32>
}

// -----

// expected-note @below {{buffer of type 'memref<4xf32>' defined here}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op indexes dimension 0 at 4, its extent is 4; constant indices lie inside the extent (index-C4)}}
  %x = tile.load %A[4] : memref<4xf32>
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op indexes dimension 0 at -1; indices begin at 0 (index-C4)}}
  %x = tile.load %A[-1] : memref<?xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(1) {
  // expected-note @below {{buffer of type 'memref<4x8xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<4x8xf32, #tile.shared>
  %x = arith.constant 0.0 : f32
  // expected-error @below {{'tile.store' op indexes dimension 1 at 8, its extent is 8; indices of a tile lie inside its extent (index-C4)}}
  tile.store %x, %s[3, 8] : memref<4x8xf32, #tile.shared>
}

// -----

// expected-note @below {{buffer of type 'memref<0xi32>' defined here}}
tile.kernel @f(%A: memref<0xi32>, %v: i32) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.atomic' op indexes dimension 0 at 0, its extent is 0; constant indices lie inside the extent (index-C4)}}
  tile.atomic add %v, %A[0] : memref<0xi32>
}

// -----

// The points 6 ... 11 of a tile of 8.
tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<8xf32, #tile.fragment>' defined here}}
  %s = tile.alloc_fragment : memref<8xf32, #tile.fragment>
  tile.parallel %i in (6) {
    // expected-error @below {{'tile.load' op indexes dimension 0 at 6 to 11, its extent is 8; indices of a tile lie inside its extent (index-C5)}}
    %x = tile.load %s[%i + 6] : memref<8xf32, #tile.fragment>
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<8xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<8xf32, #tile.shared>
  tile.parallel (%i, %j) in (2, 4) {
    // expected-error @below {{'tile.load' op indexes dimension 0 at -2 to 5, its extent is 8; indices of a tile lie inside its extent (index-C5)}}
    %x = tile.load %s[%i * 4 - %j + 1] : memref<8xf32, #tile.shared>
  }
}

// -----

tile.kernel @f(%n: index) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<8xf32, #tile.local>' defined here}}
  %s = tile.alloc_local : memref<8xf32, #tile.local>
  tile.serial %k in (%n) {
    // expected-error @below {{'tile.load' op indexes dimension 0 at -1 to ..., its extent is 8; indices of a tile lie inside its extent (index-C5)}}
    %x = tile.load %s[%k - 1] : memref<8xf32, #tile.local>
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(64) {
  // expected-note @below {{buffer of type 'memref<32xf32, #tile.shared>' defined here}}
  %s = tile.alloc_shared : memref<32xf32, #tile.shared>
  %x = arith.constant 0.0 : f32
  %t = tile.thread_id
  // expected-error @below {{'tile.store' op indexes dimension 0 at 0 to 63, its extent is 32; indices of a tile lie inside its extent (index-C5)}}
  tile.store %x, %s[%t] : memref<32xf32, #tile.shared>
}

// -----

// A guard cannot help where every value is outside.
tile.kernel @f(%c: i1) grid(%b) in (1) threads(32) {
  // expected-note @below {{buffer of type 'memref<8xf32, #tile.local>' defined here}}
  %s = tile.alloc_local : memref<8xf32, #tile.local>
  tile.serial %k in (4) {
    scf.if %c {
      // expected-error @below {{'tile.load' op indexes dimension 0 at 8 to 11, its extent is 8; indices of a tile lie inside its extent (index-C5)}}
      %x = tile.load %s[%k + 8] : memref<8xf32, #tile.local>
    }
  }
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found 'symbol(...)' in an index expression; name the value alone (index-C6)}}
  %x = tile.load %A[symbol(%b)] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(1) {
  // expected-error @below {{'tile.load' op found 1 values for an expression over 2; there is one value an input (index-C7)}}
  %x = "tile.load"(%A, %b) <{map = affine_map<(d0, d1) -> (d0)>}> : (memref<4xf32>, index) -> f32
}
