// RUN: tile-opt %s --tile-plan-shared-memory | FileCheck %s

// As long as no block fewer fits on a multiprocessor, each buffer has a place of its own: 16 blocks of 128 threads leave
// 13 KB each.
// CHECK-LABEL: simt.kernel @apart
// CHECK-SAME: sharedBytes = 12288
// CHECK: simt.shared at 0
// CHECK: simt.shared at 8192
simt.kernel @apart() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<2048xf32, #simt.shared>
  %b = simt.shared : memref<1024xf32, #simt.shared>
  %t = simt.thread_id : index
  %x = simt.load %a[%t : index] : memref<2048xf32, #simt.shared> -> f32
  simt.store %x, %b[%t : index] : f32, memref<1024xf32, #simt.shared>
}

// Beyond that, buffers that are never alive together share bytes.
// CHECK-LABEL: simt.kernel @together
// CHECK-SAME: sharedBytes = 8192
// CHECK: simt.shared at 0
// CHECK: simt.shared at 0
simt.kernel @together() grid(%bx: index) in affine_map<() -> (4)> threads(64) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<2048xf32, #simt.shared>
  %b = simt.shared : memref<1024xf32, #simt.shared>
  %t = simt.thread_id : index
  %x = simt.load %a[%t : index] : memref<2048xf32, #simt.shared> -> f32
  simt.store %x, %b[%t : index] : f32, memref<1024xf32, #simt.shared>
}
