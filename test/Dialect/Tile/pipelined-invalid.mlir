// RUN: tile-opt %s --split-input-file --verify-diagnostics
// A pipeline without stages.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.pipelined' op has stages(0); a pipeline has 1 to 64 stages, and stages(1) is 'tile.serial' (pipelined-C1)}}
  tile.pipelined %k in (4) stages(0) {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.pipelined' op has stages(65); a pipeline has 1 to 64 stages, and stages(1) is 'tile.serial' (pipelined-C1)}}
  tile.pipelined %k in (4) stages(65) {
  }
}
