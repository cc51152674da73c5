// A loop that is certain to leave a tile of constant extent is refused when it is compiled.
// RUN: tile-opt %s --split-input-file --verify-diagnostics
!S = memref<8xf32, #tile.shared>
tile.kernel @shared() grid(%g) in (1) threads(32) {
  // expected-note @below {{defined here}}
  %s = tile.alloc_shared : !S
  %one = arith.constant 1.0 : f32
  tile.parallel %i in (6) {
    // expected-error-re @below {{{{.*}}(index-C5)}}
    tile.store %one, %s[%i + 6] : !S
  }
}

// -----

!F = memref<8xf32, #tile.fragment>
tile.kernel @fragment(%o: memref<8xf32>) grid(%g) in (1) threads(32) {
  // expected-note @below {{defined here}}
  %f = tile.alloc_fragment : !F
  tile.fill %f with 0.0 : !F
  tile.parallel %i in (8) {
    // expected-error-re @below {{{{.*}}(index-C5)}}
    %v = tile.load %f[%i - 1] : !F
    tile.store %v, %o[%i] : memref<8xf32>
  }
}

// -----

!S = memref<8xf32, #tile.shared>
tile.kernel @constant() grid(%g) in (1) threads(1) {
  // expected-note @below {{defined here}}
  %s = tile.alloc_shared : !S
  %one = arith.constant 1.0 : f32
  // expected-error-re @below {{{{.*}}(index-C4)}}
  tile.store %one, %s[8] : !S
}
