// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s

// What a thread brought for itself it awaits; what it brought for others it awaits before the barrier.
// CHECK-LABEL: simt.kernel @own
// CHECK: simt.move {{.*}} async
// CHECK-NOT: simt.barrier
// CHECK: simt.await
// CHECK-NEXT: simt.load
// CHECK-NOT: simt.barrier
simt.kernel @own(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<64xf32, #simt.shared>
  simt.move %x[%t : index] to %s[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
  %v = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
  simt.print "v" %v : f32
}

// CHECK-LABEL: simt.kernel @others
// CHECK: simt.move {{.*}} async
// CHECK-NEXT: affine.apply
// CHECK-NEXT: simt.await
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @others(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<64xf32, #simt.shared>
  simt.move %x[%t : index] to %s[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
  %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  %v = simt.load %s[%m : index] : memref<64xf32, #simt.shared> -> f32
  simt.print "v" %v : f32
}

// A barrier alone does not bring the bytes: one that stands between is followed by another, behind the await.
// CHECK-LABEL: simt.kernel @barrier
// CHECK: simt.move {{.*}} async
// CHECK: simt.barrier user
// CHECK-NEXT: simt.await
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.load
simt.kernel @barrier(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %t = simt.thread_id : index
  %s = simt.shared at 0 : memref<64xf32, #simt.shared>
  simt.move %x[%t : index] to %s[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
  %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  simt.barrier user
  %v = simt.load %s[%m : index] : memref<64xf32, #simt.shared> -> f32
  simt.print "v" %v : f32
}

// The pieces of other trips fly on while one is read: the only await stands before the loop that reads what the last
// round of the outer loop began.
// CHECK-LABEL: simt.kernel @pieces
// CHECK: scf.for
// CHECK-NEXT: simt.await
// CHECK-NEXT: scf.for
// CHECK-NOT: simt.await
// CHECK: simt.load
// CHECK: simt.move {{.*}} async
// CHECK-NOT: simt.await
// CHECK-NOT: simt.barrier
simt.kernel @pieces(%x: memref<?xf32>, %n: index) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>]} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = simt.shared at 0 : memref<192xf32, #simt.shared>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%k, %t)
      %v = simt.load %s[%i : index] : memref<192xf32, #simt.shared> -> f32
      simt.print "v" %v : f32
      simt.move %x[%i : index] to %s[%i : index] bytes 4 async : memref<?xf32> to memref<192xf32, #simt.shared>
    }
  }
}

// The same where threads share rows: what a thread adds to the address is one value in all trips.
// CHECK-LABEL: simt.kernel @rows
// CHECK: scf.for
// CHECK-NEXT: simt.await
// CHECK-NEXT: scf.for
// CHECK-NOT: simt.await
// CHECK: simt.move {{.*}} async
simt.kernel @rows(%x: memref<?xf32>, %n: index) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>]} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = simt.shared at 0 : memref<768xf32, #simt.shared>
  scf.for %r = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1 mod 16 * 4 + d1 floordiv 16 * 192)>(%k, %t)
      %v = simt.load %s[%i : index] : memref<768xf32, #simt.shared> -> f32
      simt.print "v" %v : f32
      %j = affine.apply affine_map<(d0, d1) -> (d0 floordiv 16 * 192 + d1 * 64 + d0 mod 16 * 4)>(%t, %k)
      simt.move %x[%j : index] to %s[%j : index] bytes 16 async : memref<?xf32> to memref<768xf32, #simt.shared>
    }
  }
}

// Pieces that overlap are awaited in every trip.
// CHECK-LABEL: simt.kernel @overlapping
// CHECK: scf.for
// CHECK: simt.await
// CHECK-NEXT: simt.load
simt.kernel @overlapping(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = simt.shared at 0 : memref<16xf32, #simt.shared>
  scf.for %k = %c0 to %c3 step %c1 {
    %i = affine.apply affine_map<(d0) -> (d0 * 2)>(%k)
    %v = simt.load %s[%i : index] : memref<16xf32, #simt.shared> -> f32
    simt.print "v" %v : f32
    %z = affine.apply affine_map<(d0) -> (d0 * 2)>(%k)
    %j = affine.apply affine_map<(d0) -> (d0 floordiv 2 * 4)>(%z)
    simt.move %x[%j : index] to %s[%j : index] bytes 16 async : memref<?xf32> to memref<16xf32, #simt.shared>
  }
}

// Two buffers in one place: what flies into the first must have arrived before the second is used.
// CHECK-LABEL: simt.kernel @place
// CHECK: simt.move {{.*}} async
// CHECK: simt.await
// CHECK: simt.store
simt.kernel @place(%x: memref<?xf32>, %f: f32) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>, #simt.parameter<scalar 1>]} {
  %t = simt.thread_id : index
  %a = simt.shared at 0 : memref<64xf32, #simt.shared>
  %b = simt.shared at 0 : memref<64xf32, #simt.shared>
  simt.move %x[%t : index] to %a[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
  simt.store %f, %b[%t : index] : f32, memref<64xf32, #simt.shared>
}

// Where threads part, each awaits at once what it needs inside.
// CHECK-LABEL: simt.kernel @parted
// CHECK: scf.if
// CHECK: simt.move {{.*}} async
// CHECK-NEXT: simt.await
// CHECK: simt.load
simt.kernel @parted(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %t = simt.thread_id : index
  %c5 = arith.constant 5 : index
  %s = simt.shared at 0 : memref<64xf32, #simt.shared>
  %low = arith.cmpi slt, %t, %c5 : index
  scf.if %low {
    simt.move %x[%t : index] to %s[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
    %v = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
    simt.print "v" %v : f32
  }
}

// What a loop has awaited is not on its way behind it.
// CHECK-LABEL: simt.kernel @awaited
// CHECK: simt.barrier user
// CHECK-NOT: simt.await
// CHECK-NOT: simt.barrier
// CHECK: simt.load
simt.kernel @awaited(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = simt.shared at 0 : memref<64xf32, #simt.shared>
  simt.move %x[%t : index] to %s[%t : index] bytes 4 async : memref<?xf32> to memref<64xf32, #simt.shared>
  scf.for %k = %c0 to %c3 step %c1 {
    simt.await
    %v = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
    simt.print "v" %v : f32
  }
  %m = affine.apply affine_map<(d0) -> (63 - d0)>(%t)
  simt.barrier user
  %w = simt.load %s[%m : index] : memref<64xf32, #simt.shared> -> f32
  simt.print "w" %w : f32
}
