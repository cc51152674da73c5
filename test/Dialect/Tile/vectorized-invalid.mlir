// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Vectors of unknown length, and what is no vector operation.

tile.kernel @f(%n: index) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.vectorized' op has an extent known at run time only in dimension 1; vectorized extents are constants (vectorized-C1)}}
  tile.vectorized (%i, %j) in (2, %n) {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{the loop is here}}
  tile.vectorized %v in (4) {
    // expected-error @below {{'tile.sync' op acts on the whole block and stands in 'tile.vectorized'; its body holds operations on single elements (vectorized-C2)}}
    tile.sync
  }
}
