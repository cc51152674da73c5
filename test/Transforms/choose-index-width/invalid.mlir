// RUN: tile-opt %s --tile-choose-index-width --verify-diagnostics

// An operation without a width to choose is named.
simt.kernel @unknown(%X: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>], requirements = []} {
  // expected-error @below {{'math.absi' op computes with values of type index; affine.apply and the integer operations of arith are the ones that have a width to choose}}
  %a = math.absi %n : index
  simt.print "a" %a : index
}
