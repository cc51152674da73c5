// RUN: tile-opt %s --tile-plan-shared-memory=always-reuse=true | FileCheck %s

// Explicit accesses are ordered by the program: without a barrier of its own, storage is not shared.
// CHECK-LABEL: simt.kernel @unordered
// CHECK-SAME: sharedBytes = 1024
simt.kernel @unordered() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<128xf32, #simt.shared>
  %b = simt.shared : memref<128xf32, #simt.shared>
  %t = simt.thread_id : index
  %x = simt.load %a[%t : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
  simt.store %x, %b[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
}

// A barrier between the last access of one and the first of the other orders them.
// CHECK-LABEL: simt.kernel @ordered
// CHECK-SAME: sharedBytes = 512
simt.kernel @ordered() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<128xf32, #simt.shared>
  %b = simt.shared : memref<128xf32, #simt.shared>
  %t = simt.thread_id : index
  %x = simt.load %a[%t : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
  simt.barrier user
  simt.store %x, %b[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
}

// A barrier inside a branch or a loop orders nothing outside of it.
// CHECK-LABEL: simt.kernel @nested
// CHECK-SAME: sharedBytes = 1024
simt.kernel @nested(%n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<symbol 0>], requirements = []} {
  %a = simt.shared : memref<128xf32, #simt.shared>
  %b = simt.shared : memref<128xf32, #simt.shared>
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = simt.load %a[%t : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
  scf.for %k = %c0 to %n step %c1 {
    simt.barrier user
  }
  simt.store %x, %b[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
}

// In a loop the way back needs its barrier too.
// CHECK-LABEL: simt.kernel @back
// CHECK-SAME: sharedBytes = 1024
// CHECK-LABEL: simt.kernel @both
// CHECK-SAME: sharedBytes = 512
simt.kernel @back(%n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %a = simt.shared : memref<128xf32, #simt.shared>
    %b = simt.shared : memref<128xf32, #simt.shared>
    %x = simt.load %a[%t : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
    simt.barrier user
    simt.store %x, %b[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
  }
}
simt.kernel @both(%n: index) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %a = simt.shared : memref<128xf32, #simt.shared>
    %b = simt.shared : memref<128xf32, #simt.shared>
    %x = simt.load %a[%t : index] {simt.explicit} : memref<128xf32, #simt.shared> -> f32
    simt.barrier user
    simt.store %x, %b[%t : index] {simt.explicit} : f32, memref<128xf32, #simt.shared>
    simt.barrier user
  }
}
