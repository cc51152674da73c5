// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What cannot be printed, and blocks that are not there.

tile.kernel @f() grid(%b) in (1) threads(32) {
  %x = "arith.constant"() <{value = dense<0> : vector<4xi32>}> : () -> vector<4xi32>
  // expected-error @below {{'tile.print' op prints a value of type 'vector<4xi32>'; a buffer, a scalar of an element type or an index is printed (print-C1)}}
  tile.print %x : vector<4xi32>
}

// -----

tile.kernel @f() grid(%b) in (4) threads(32) {
  // expected-error @below {{'tile.print' op chooses a block by 2 numbers in a grid of 1 axes; there is one an axis (print-C2)}}
  tile.print %b block [0, 0] : index
}

// -----

tile.kernel @f() grid(%b) in (4) threads(32) {
  // expected-error @below {{'tile.print' op chooses block 4 of grid axis 0; blocks count from 0 to the extent of the axis (print-C2)}}
  tile.print %b block [4] : index
}
