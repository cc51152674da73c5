// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

// Accesses of one tile op that touch what their own points own do not meet, whatever their addresses.
// CHECK-LABEL: simt.kernel @own
// CHECK: scf.if
// CHECK-NEXT: simt.load
// CHECK-NEXT: simt.store
// CHECK-NOT: simt.barrier
simt.kernel @own(%x: f32, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c48 = arith.constant 48 : index
  %at = arith.muli %t, %n : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  simt.note "parallel (i)"
  %low = arith.cmpi slt, %t, %c48 : index
  scf.if %low {
    %y = simt.load %s[%at : index] {simt.own_point} : memref<128xf32, #simt.shared> -> f32
    simt.store %x, %s[%at : index] {simt.own_point} : f32, memref<128xf32, #simt.shared>
    simt.print "y" %y : f32
  }
}

// Two buffers in one place are no points of each other; nor is what the op before left.
// CHECK-LABEL: simt.kernel @places
// CHECK: simt.load
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.store
// CHECK: simt.note
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @places(%x: f32, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %at = arith.muli %t, %n : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %r = simt.shared at 0 : memref<128xf32, #simt.shared>
  simt.note "parallel (i)"
  %y = simt.load %s[%at : index] {simt.own_point} : memref<128xf32, #simt.shared> -> f32
  simt.store %x, %r[%t : index] {simt.own_point} : f32, memref<128xf32, #simt.shared>
  simt.note "parallel (j)"
  %z = simt.load %r[%at : index] {simt.own_point} : memref<128xf32, #simt.shared> -> f32
  simt.print "y" %y, %z : f32, f32
}
