// RUN: tile-opt %s --tile-plan-shared-memory=always-reuse=true | FileCheck %s

// Buffers that are never alive together share bytes; views count as their buffer.
// CHECK-LABEL: simt.kernel @share
// CHECK-SAME: sharedBytes = 1280
// CHECK: simt.shared at 0 : memref<256xf32
// CHECK: simt.shared at 1024 : memref<64xf32
// CHECK: simt.shared at 0 : memref<128xf32
simt.kernel @share() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<256xf32, #simt.shared>
  %b = simt.shared : memref<64xf32, #simt.shared>
  %c = simt.shared : memref<128xf32, #simt.shared>
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %x = simt.load %a[%t : index] : memref<256xf32, #simt.shared> -> f32
  simt.store %x, %b[%c0 : index] : f32, memref<64xf32, #simt.shared>
  %av = simt.view %a at 512 : memref<256xf32, #simt.shared> to memref<128xf32, #simt.shared>
  %y = simt.load %av[%t : index] : memref<128xf32, #simt.shared> -> f32
  simt.store %y, %c[%t : index] : f32, memref<128xf32, #simt.shared>
}

// What is used in a loop is alive in all of it: another trip may read what this one wrote.
// CHECK-LABEL: simt.kernel @loop
// CHECK-SAME: sharedBytes = 1536
simt.kernel @loop() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %a = simt.shared : memref<256xf32, #simt.shared>
  %b = simt.shared : memref<128xf32, #simt.shared>
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %x = simt.load %a[%t : index] : memref<256xf32, #simt.shared> -> f32
    simt.print "x" %x : f32
    %y = simt.load %b[%t : index] : memref<128xf32, #simt.shared> -> f32
    simt.store %y, %b[%t : index] : f32, memref<128xf32, #simt.shared>
  }
}

// A scratch buffer of one trip is free again in the same trip.
// CHECK-LABEL: simt.kernel @scratch
// CHECK-SAME: sharedBytes = 1024
simt.kernel @scratch() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %t = simt.thread_id : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %a = simt.shared : memref<256xf32, #simt.shared>
    %b = simt.shared : memref<128xf32, #simt.shared>
    %x = simt.load %a[%t : index] : memref<256xf32, #simt.shared> -> f32
    simt.store %x, %b[%t : index] : f32, memref<128xf32, #simt.shared>
    %c = simt.shared : memref<100xf32, #simt.shared>
    %y = simt.load %c[%t : index] : memref<100xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
  %d = simt.shared : memref<16xf32, #simt.shared>
  %z = simt.load %d[%c0 : index] : memref<16xf32, #simt.shared> -> f32
  simt.print "z" %z : f32
}

// Branches that threads enter differently run at one time.
// CHECK-LABEL: simt.kernel @branches
// CHECK-SAME: sharedBytes = 512
simt.kernel @branches(%c: i1) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<scalar 0>], requirements = []} {
  %a = simt.shared : memref<64xf32, #simt.shared>
  %b = simt.shared : memref<64xf32, #simt.shared>
  %t = simt.thread_id : index
  %c64 = arith.constant 64 : index
  %low = arith.cmpi slt, %t, %c64 : index
  scf.if %low {
    %x = simt.load %a[%t : index] : memref<64xf32, #simt.shared> -> f32
    simt.print "x" %x : f32
  } else {
    %y = simt.load %b[%t : index] : memref<64xf32, #simt.shared> -> f32
    simt.print "y" %y : f32
  }
}
