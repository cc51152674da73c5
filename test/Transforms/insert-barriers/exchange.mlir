// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

// Each thread reads what its neighbour wrote: one barrier, right before the load.
// CHECK-LABEL: simt.kernel @exchange
// CHECK: simt.store
// CHECK-NEXT: affine.apply
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
// CHECK-NOT: simt.barrier
simt.kernel @exchange(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
  %other = affine.apply affine_map<(d0) -> ((d0 + 1) mod 128)>(%t)
  %y = simt.load %s[%other : index] : memref<128xf32, #simt.shared> -> f32
  simt.print "y" %y : f32
}

// A thread that reads what it wrote itself needs none, whatever the expression and the width.
// CHECK-LABEL: simt.kernel @own
// CHECK-NOT: simt.barrier
simt.kernel @own(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<512xf32, #simt.shared>
  %r = simt.registers : memref<4xf32, #simt.register>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %u = %c0 to %c4 step %c1 {
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%t, %u)
    simt.store %x, %s[%i : index] : f32, memref<512xf32, #simt.shared>
  } {simt.unroll}
  %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
  simt.move %s[%j : index] to %r[%c0 : index] bytes 16 : memref<512xf32, #simt.shared> to memref<4xf32, #simt.register>
}

// The same addresses dealt out in another way do need one, ahead of the loop that reads.
// CHECK-LABEL: simt.kernel @dealt
// CHECK: simt.store
// CHECK: simt.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: simt.barrier
simt.kernel @dealt(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<512xf32, #simt.shared>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %u = %c0 to %c4 step %c1 {
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%t, %u)
    simt.store %x, %s[%i : index] : f32, memref<512xf32, #simt.shared>
  } {simt.unroll}
  scf.for %u = %c0 to %c4 step %c1 {
    %i = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 128)>(%t, %u)
    %y = simt.load %s[%i : index] : memref<512xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  } {simt.unroll}
}

// Two buffers at the same bytes of the arena are one.
// CHECK-LABEL: simt.kernel @arena
// CHECK: simt.load
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.store
// CHECK-NEXT: simt.store
// CHECK-NOT: simt.barrier
simt.kernel @arena(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %a = simt.shared at 0 : memref<128xf32, #simt.shared>
  %b = simt.shared at 256 : memref<128xf32, #simt.shared>
  %c = simt.shared at 768 : memref<128xf32, #simt.shared>
  %y = simt.load %a[%t : index] : memref<128xf32, #simt.shared> -> f32
  simt.store %y, %b[%t : index] : f32, memref<128xf32, #simt.shared>
  simt.store %x, %c[%t : index] : f32, memref<128xf32, #simt.shared>
}

// Barriers of the program stay and count; two accesses that the program placed on threads are its own affair.
// CHECK-LABEL: simt.kernel @present
// CHECK: simt.store
// CHECK-NEXT: simt.barrier user
// CHECK-NEXT: simt.load
// CHECK-NEXT: simt.store
// CHECK-NOT: simt.barrier
simt.kernel @present(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %c0 = arith.constant 0 : index
  simt.store %x, %s[%t : index] : f32, memref<128xf32, #simt.shared>
  simt.barrier user
  %y = simt.load %s[%c0 : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
  simt.store %y, %s[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
}

// Atomics do not disturb each other.
// CHECK-LABEL: simt.kernel @atomics
// CHECK: simt.atomic
// CHECK-NEXT: simt.atomic
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @atomics(%x: f32) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<128xf32, #simt.shared>
  %c0 = arith.constant 0 : index
  simt.atomic add %x, %s[%c0 : index] : f32, memref<128xf32, #simt.shared>
  simt.atomic add %x, %s[%c0 : index] : f32, memref<128xf32, #simt.shared>
  %y = simt.load %s[%c0 : index] : memref<128xf32, #simt.shared> -> f32
  simt.print "y" %y : f32
}

// An exchange whose trips take two halves in turn: its own barrier is the only one of a trip.
// CHECK-LABEL: simt.kernel @turns
// CHECK: scf.for
// CHECK-NOT: simt.barrier
// CHECK: simt.store
// CHECK: simt.barrier
// CHECK-NOT: simt.barrier
simt.kernel @turns(%x: f32, %n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = simt.shared at 0 {simt.alternates} : memref<256xf32, #simt.shared>
  scf.for %k = %c0 to %n step %c1 {
    %own = affine.apply affine_map<(d0, d1) -> (d0 + d1 mod 2 * 128)>(%t, %k)
    %other = affine.apply affine_map<(d0, d1) -> (127 - d0 + d1 mod 2 * 128)>(%t, %k)
    simt.store %x, %s[%own : index] : f32, memref<256xf32, #simt.shared>
    simt.barrier
    %y = simt.load %s[%other : index] : memref<256xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}
