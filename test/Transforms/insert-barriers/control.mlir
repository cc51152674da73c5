// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

// A tile refilled in each trip: one barrier before the loads, one over the back edge before the refill (B79).
// CHECK-LABEL: simt.kernel @refill
// CHECK: scf.for
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.store
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
// CHECK-NOT: simt.barrier
simt.kernel @refill(%x: f32, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %other = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  scf.for %k = %c0 to %n step %c1 {
    simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}

// Bytes decide, not buffers: the other half of a buffer is no hazard.
// CHECK-LABEL: simt.kernel @halves
// CHECK-NOT: simt.barrier
simt.kernel @halves(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<256xf32, #simt.shared>
  %high = affine.apply affine_map<(d0) -> (255 - d0)>(%t)
  simt.store %x, %s[%t : index] : f32, memref<256xf32, #simt.shared>
  %y = simt.load %s[%high : index] : memref<256xf32, #simt.shared> -> f32
  simt.print "y" %y : f32
}

// Threads differ in the condition: the barrier stands outside (B83).
// CHECK-LABEL: simt.kernel @branch
// CHECK: simt.store
// CHECK: arith.cmpi
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: scf.if
// CHECK-NOT: simt.barrier
simt.kernel @branch(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %c48 = arith.constant 48 : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %other = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
  %low = arith.cmpi slt, %t, %c48 : index
  scf.if %low {
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}

// All threads agree on the condition: the barrier stands inside, where it is needed.
// CHECK-LABEL: simt.kernel @agreed
// CHECK: scf.if
// CHECK: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @agreed(%x: f32, %c: i1) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<scalar 1>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %other = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
  scf.if %c {
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}

// One thread writes, then all read; that thread's own second access under the same condition is no hazard.
// CHECK-LABEL: simt.kernel @single
// CHECK: scf.if
// CHECK-NEXT: simt.store
// CHECK-NEXT: simt.load
// CHECK: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @single(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    simt.store %x, %s[%c0 : index] : f32, memref<128xf32, #simt.shared>
    %own = simt.load %s[%c0 : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "own" %own : f32
  }
  %y = simt.load %s[%c0 : index] : memref<128xf32, #simt.shared> -> f32
  simt.print "y" %y : f32
}

// In a while loop that all threads run alike the barriers stand inside.
// CHECK-LABEL: simt.kernel @while
// CHECK: scf.while
// CHECK: do
// CHECK: simt.barrier
// CHECK-NEXT: simt.store
// CHECK: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @while(%x: f32, %n: i32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<scalar 1>], requirements = []} {
  %t = simt.thread_id : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %other = affine.apply affine_map<(d0) -> (127 - d0)>(%t)
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
    %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
}
