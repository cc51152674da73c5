// RUN: tile-opt %s --tile-hold-words -split-input-file | FileCheck %s

// Held where a barrier lies between two reads, behind the last such barrier; not what is written in between, and not what
// fills its registers.
// CHECK-LABEL: simt.kernel @phases
// CHECK: simt.barrier
// CHECK-NEXT: simt.barrier
// CHECK-NEXT: simt.hold %kept : memref<16xbf16, #simt.register>
// CHECK-NOT: simt.hold
simt.kernel @phases(%out: memref<?xbf16>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %c0 = arith.constant 0 : index
  %kept = simt.registers : memref<16xbf16, #simt.register>
  %again = simt.registers : memref<16xbf16, #simt.register>
  %wide = simt.registers : memref<16xf32, #simt.register>
  %short = simt.registers : memref<1xbf16, #simt.register>
  simt.move %out[%c0 : index] to %kept[%c0 : index] bytes 16 : memref<?xbf16> to memref<16xbf16, #simt.register>
  %a = simt.load %kept[%c0 : index] : memref<16xbf16, #simt.register> -> bf16
  %b = simt.load %again[%c0 : index] : memref<16xbf16, #simt.register> -> bf16
  %c = simt.load %wide[%c0 : index] : memref<16xf32, #simt.register> -> f32
  %d = simt.load %short[%c0 : index] : memref<1xbf16, #simt.register> -> bf16
  simt.barrier
  simt.barrier
  simt.store %a, %again[%c0 : index] : bf16, memref<16xbf16, #simt.register>
  %e = simt.load %kept[%c0 : index] : memref<16xbf16, #simt.register> -> bf16
  %f = simt.load %again[%c0 : index] : memref<16xbf16, #simt.register> -> bf16
  %g = simt.load %wide[%c0 : index] : memref<16xf32, #simt.register> -> f32
  %h = simt.load %short[%c0 : index] : memref<1xbf16, #simt.register> -> bf16
  simt.print "all" %a, %b, %c, %d, %e, %f, %g, %h : bf16, bf16, f32, bf16, bf16, bf16, f32, bf16
}

// -----

// What every trip of a loop reads is held behind the barrier of each trip; bytes count like halves.
// CHECK-LABEL: simt.kernel @trips
// CHECK: scf.for
// CHECK: simt.barrier
// CHECK-NEXT: simt.hold %weights : memref<8xi8, #simt.register>
// CHECK-NOT: simt.hold
simt.kernel @trips(%in: memref<?xi8>) grid() in affine_map<() -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %weights = simt.registers : memref<8xi8, #simt.register>
  simt.move %in[%c0 : index] to %weights[%c0 : index] bytes 8 : memref<?xi8> to memref<8xi8, #simt.register>
  scf.for %i = %c0 to %c9 step %c1 {
    %a = simt.load %weights[%c1 : index] : memref<8xi8, #simt.register> -> i8
    simt.print "a" %a : i8
    simt.barrier
    %own = simt.registers : memref<4xbf16, #simt.register>
    %b = simt.load %own[%c1 : index] : memref<4xbf16, #simt.register> -> bf16
    simt.print "b" %b : bf16
  }
}
