// RUN: tile-opt %s --tile-forward-stores -split-input-file | FileCheck %s

// What the thread stored it does not load: stores to registers and to other buffers in between do not matter.
// CHECK-LABEL: simt.kernel @forwarded
// CHECK: simt.store %[[V:.+]], %{{.*}} : f32, memref<64xf32, #simt.shared>
// CHECK-NOT: simt.load {{.*}}#simt.shared
// CHECK: simt.store %[[V]], %a
simt.kernel @forwarded(%a: memref<?xf32>, %v: f32) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<scalar 1>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %s = simt.shared : memref<64xf32, #simt.shared>
  %other = simt.shared : memref<64xf32, #simt.shared>
  %r = simt.registers : memref<1xf32, #simt.register>
  simt.store %v, %s[%t : index] : f32, memref<64xf32, #simt.shared>
  simt.store %v, %r[%c0 : index] : f32, memref<1xf32, #simt.register>
  simt.store %v, %other[%c0 : index] : f32, memref<64xf32, #simt.shared>
  %x = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
  simt.store %x, %a[%t : index] : f32, memref<?xf32>
}

// -----

// Behind a barrier, behind a write that may hit, and from a branch into what follows, it is loaded.
// CHECK-LABEL: simt.kernel @loaded
// CHECK-COUNT-3: simt.load {{.*}}#simt.shared
simt.kernel @loaded(%a: memref<?xf32>, %v: f32) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<scalar 1>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %s = simt.shared : memref<64xf32, #simt.shared>
  simt.store %v, %s[%t : index] : f32, memref<64xf32, #simt.shared>
  simt.barrier
  %x = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
  simt.store %x, %a[%t : index] : f32, memref<?xf32>
  simt.barrier
  simt.store %v, %s[%t : index] : f32, memref<64xf32, #simt.shared>
  simt.store %x, %s[%c0 : index] : f32, memref<64xf32, #simt.shared>
  %y = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
  simt.store %y, %a[%t : index] : f32, memref<?xf32>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    simt.store %v, %s[%t : index] : f32, memref<64xf32, #simt.shared>
  }
  %z = simt.load %s[%t : index] : memref<64xf32, #simt.shared> -> f32
  simt.store %z, %a[%t : index] : f32, memref<?xf32>
}
