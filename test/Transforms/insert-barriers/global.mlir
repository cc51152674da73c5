// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

// In place, element by element, in two tile ops: the same thread has the same element, in a loop of any length too.
// CHECK-LABEL: simt.kernel @in_place
// CHECK-NOT: simt.barrier
simt.kernel @in_place(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<tensor 1>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = arith.muli %bx, %n : index
  simt.note "x += 1"
  scf.for %k = %c0 to %n step %c1 {
    %i = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 * 128 + d2)>(%row, %k, %t)
    %v = simt.load %X[%i : index] : memref<?xf32> -> f32
    simt.store %v, %X[%i : index] : f32, memref<?xf32>
  }
  simt.note "x *= 2"
  scf.for %k = %c0 to %n step %c1 {
    %i = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 * 128 + d2)>(%row, %k, %t)
    %v = simt.load %X[%i : index] : memref<?xf32> -> f32
    simt.store %v, %X[%i : index] : f32, memref<?xf32>
  }
}

// The second tile op reads what other threads wrote in the first.
// CHECK-LABEL: simt.kernel @shifted
// CHECK: simt.note "read"
// CHECK: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @shifted(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<tensor 1>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0f = arith.constant 0.0 : f32
  %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%bx, %t)
  %j = affine.apply affine_map<(d0, d1) -> (d0 * 128 + 127 - d1)>(%bx, %t)
  simt.note "write"
  simt.store %c0f, %X[%i : index] : f32, memref<?xf32>
  simt.note "read"
  %v = simt.load %X[%j : index] : memref<?xf32> -> f32
  simt.print "v" %v : f32
}

// Inside one tile op the order of points is nobody's business; parameters that were promised to be disjoint never meet.
// CHECK-LABEL: simt.kernel @one_op
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @promised
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @may_alias
// CHECK: simt.load
// CHECK: simt.barrier
// CHECK-NEXT: simt.store
simt.kernel @one_op(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<tensor 1>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%bx, %t)
  simt.note "one"
  %v = simt.load %X[%i : index] : memref<?xf32> -> f32
  simt.store %v, %Y[%i : index] : f32, memref<?xf32>
}
simt.kernel @promised(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<tensor 1>, #simt.parameter<symbol 0>], requirements = [], restrictParameters = array<i64: 0, 1>} {
  %t = simt.thread_id : index
  %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%bx, %t)
  simt.note "one"
  %v = simt.load %X[%i : index] : memref<?xf32> -> f32
  simt.note "two"
  simt.store %v, %Y[%i : index] : f32, memref<?xf32>
}
simt.kernel @may_alias(%X: memref<?xf32>, %Y: memref<?xf32>, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<tensor 1>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %i = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%bx, %t)
  simt.note "one"
  %v = simt.load %X[%i : index] : memref<?xf32> -> f32
  simt.note "two"
  simt.store %v, %Y[%i : index] : f32, memref<?xf32>
}
