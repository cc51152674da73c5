// RUN: tile-opt %s --tile-insert-barriers --split-input-file --verify-diagnostics

// Both accesses stand under one condition in which threads differ: no barrier can come between.
simt.kernel @inside(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %c48 = arith.constant 48 : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %other = affine.apply affine_map<(d0) -> (47 - d0)>(%t)
  %low = arith.cmpi slt, %t, %c48 : index
  // expected-note @below {{threads differ in this condition or in these bounds}}
  scf.if %low {
    // expected-note @below {{the other access}}
    simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
    // expected-error @below {{'simt.load' op reads memory that another thread may use under the same condition; a barrier between the two would not be reached by every thread}}
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}

// -----

// Two branches that run at once.
simt.kernel @sides(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %low = arith.cmpi slt, %t, %c48 : index
  // expected-note @below {{threads differ in this condition or in these bounds}}
  scf.if %low {
    // expected-note @below {{the other access}}
    simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
  } else {
    // expected-error @below {{'simt.load' op reads memory that another thread may use under the same condition; a barrier between the two would not be reached by every thread}}
    %y = simt.load %s[%c0 : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}

// -----

// A barrier that not every thread reaches (B82).
simt.kernel @hangs() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %odd = affine.apply affine_map<(d0) -> (d0 mod 2)>(%t)
  %c = arith.cmpi eq, %odd, %c0 : index
  // expected-note @below {{threads differ in this condition or in these bounds}}
  scf.if %c {
    // expected-error @below {{'simt.barrier' op stands where threads may not all come; every thread of the block must reach a barrier}}
    simt.barrier user
  }
}
