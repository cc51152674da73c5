// RUN: tile-opt %s --tile-join-loads -split-input-file | FileCheck %s

// Rows of 32 f32, a thread a row: vectors of 16 bytes in the outer loop, elements in the inner one, which keeps the rest.
// CHECK-LABEL: simt.kernel @rows
// CHECK: scf.for %[[I:.+]] = %{{.*}} to %end step %c4
// CHECK-NEXT: %[[R:.+]] = simt.registers : memref<4xf32, #simt.register>
// CHECK: simt.move %{{.*}} to %[[R]][%{{.*}}] bytes 16
// CHECK: scf.for %[[J:.+]] =
// CHECK: simt.load %[[R]][%[[J]] : index]
// CHECK: simt.store
// CHECK: {simt.unroll}
// CHECK: {simt.unroll}
simt.kernel @rows(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2048xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 32)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2048xf32, #simt.shared> -> f32
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}

// -----

// Four bytes are the most that every row of 6 f16 begins at a multiple of, and two at a time divide its trips.
// CHECK-LABEL: simt.kernel @narrow
// CHECK: memref<2xf16, #simt.register>
// CHECK: simt.move {{.*}} bytes 4
simt.kernel @narrow(%a: memref<?xf16>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 6 : index
  %s = simt.shared align 16 : memref<384xf16, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 6)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<384xf16, #simt.shared> -> f16
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f16, memref<?xf16>
  } {simt.unroll}
}

// -----

// As many trips as one vector takes: there is one loop.
// CHECK-LABEL: simt.kernel @once
// CHECK: simt.move {{.*}} bytes 16
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
simt.kernel @once(%a: memref<?xf64>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 2 : index
  %s = simt.shared align 16 : memref<128xf64, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 2)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<128xf64, #simt.shared> -> f64
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f64, memref<?xf64>
  } {simt.unroll}
}

// -----

// A pitch of 33 leaves no two elements of every thread at a multiple of their bytes.
// CHECK-LABEL: simt.kernel @padded
// CHECK-NOT: simt.move
simt.kernel @padded(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2112xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 33)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2112xf32, #simt.shared> -> f32
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}

// -----

// Down a column: the elements are no neighbours.
// CHECK-LABEL: simt.kernel @down
// CHECK-NOT: simt.move
simt.kernel @down(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2048xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2048xf32, #simt.shared> -> f32
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}

// -----

// What the loop itself writes is read when its trip comes; so is what another thread writes before a barrier in it.
// CHECK-LABEL: simt.kernel @written
// CHECK-NOT: simt.move
simt.kernel @written(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2048xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 32)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2048xf32, #simt.shared> -> f32
    simt.store %x, %s[%t : index] : f32, memref<2048xf32, #simt.shared>
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}

// -----

// CHECK-LABEL: simt.kernel @waits
// CHECK-NOT: simt.move
simt.kernel @waits(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2048xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 32)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2048xf32, #simt.shared> -> f32
    simt.barrier
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}

// -----

// A check of a trip stands before its load: none is made ahead of it.
// CHECK-LABEL: simt.kernel @checked
// CHECK-NOT: simt.move
simt.kernel @checked(%a: memref<?xf32>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 32 : index
  %s = simt.shared align 16 : memref<2048xf32, #simt.shared>
  scf.for %j = %c0 to %end step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 32)>(%j)[%t]
    %x = simt.load %s[%at : index] : memref<2048xf32, #simt.shared> -> f32
    %fine = arith.cmpi ult, %at, %end : index
    simt.assert %fine, "inside"
    %to = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 64)>(%j)[%t]
    simt.store %x, %a[%to : index] : f32, memref<?xf32>
  } {simt.unroll}
}
