// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Loops whose heads do not fit together.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has 2 induction variables and 1 extents; a loop has at least one, and one extent each (loop-C1)}}
  tile.parallel (%i, %j) in (4) {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.serial' op has 0 induction variables and 0 extents; a loop has at least one, and one extent each (loop-C1)}}
  tile.serial () in () {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.unrolled' op has an induction variable of type 'i32'; induction variables are of type index (loop-C2)}}
  "tile.unrolled"() <{extents = affine_map<() -> (4)>}> ({
  ^bb0(%i: i32):
  }) : () -> ()
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.vectorized' op found 0 values for an expression over 1; there is one value an input (index-C7)}}
  "tile.vectorized"() <{extents = affine_map<(d0) -> (4)>}> ({
  ^bb0(%i: index):
  }) : () -> ()
}
