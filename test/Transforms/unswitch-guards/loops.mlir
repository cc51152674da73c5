// RUN: tile-opt %s --tile-unswitch-guards --cse -split-input-file | FileCheck %s

// One question in front of the loop: the row of the last trip, the last of the unrolled and the column of this thread.
// CHECK: #[[LAST:.*]] = affine_map<()[s0] -> (s0 * 62 + 61)>
// CHECK: simt.kernel @rows
// CHECK: %[[ROW:.*]] = affine.apply #[[LAST]]()[%b]
// CHECK: %[[ROWS:.*]] = arith.cmpi slt, %[[ROW]], %M
// CHECK: %[[ALL:.*]] = arith.andi %[[ROWS]], %{{.*}} : i1
// CHECK: scf.if %[[ALL]] {
// CHECK-NOT: scf.if
// CHECK: simt.move
// CHECK: } else {
// CHECK: scf.if
// CHECK: simt.move
simt.kernel @rows(%x: memref<?xbf16>, %M: index, %N: index) grid(%b: index) in affine_map<(d0, d1) -> (d0)> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>, #simt.parameter<symbol 1>], requirements = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c31 = arith.constant 31 : index
  %tid = simt.thread_id : index
  %r = simt.registers : memref<8xbf16, #simt.register>
  %column = arith.cmpi slt, %tid, %N : index
  scf.for %k = %c0 to %c31 step %c1 {
    scf.for %u = %c0 to %c2 step %c1 {
      %row = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 2 + d1 + s0 * 62)>(%k, %u)[%b]
      %inside = arith.cmpi slt, %row, %M : index
      %both = arith.andi %inside, %column : i1
      scf.if %both {
        simt.move %x[%row : index] to %r[%c0 : index] bytes 16 : memref<?xbf16> to memref<8xbf16, #simt.register>
      }
    } {simt.unroll}
  }
}

// -----

// What depends on the trip is asked for all threads: the thread with the largest column, the trip with the smallest index.
// CHECK-DAG: #[[MOST:.*]] = affine_map<()[s0] -> (s0 * 512 - 481)>
// CHECK-DAG: #[[LEAST:.*]] = affine_map<()[s0, s1] -> (s0 - s1 * 8 + 8)>
// CHECK: simt.kernel @threads
// CHECK: %[[AT:.*]] = affine.apply #[[MOST]]()[%n]
// CHECK: arith.cmpi slt, %[[AT]], %N
// CHECK: %[[BACK:.*]] = affine.apply #[[LEAST]]()[%N, %n]
// CHECK: arith.cmpi sge, %[[BACK]], %c0
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: } else {
simt.kernel @threads(%x: memref<?xbf16>, %n: index, %N: index) grid() in affine_map<(d0, d1) -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>, #simt.parameter<symbol 1>], requirements = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tid = simt.thread_id : index
  %r = simt.registers : memref<8xbf16, #simt.register>
  scf.for %k = %c0 to %n step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 512 + s0 floordiv 2)>(%k)[%tid]
    %back = affine.apply affine_map<(d0)[s0] -> (s0 - d0 * 8)>(%k)[%N]
    %below = arith.cmpi slt, %at, %N : index
    %above = arith.cmpi sge, %back, %c0 : index
    %both = arith.andi %below, %above : i1
    scf.if %both {
      simt.move %x[%at : index] to %r[%c0 : index] bytes 16 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  }
}

// -----

// One version where threads meet, where a remainder tells nothing of the ends, where no question changes, where the guarded
// access is none of a tensor, and of what is unrolled.
// CHECK-LABEL: simt.kernel @stays
// CHECK-NOT: } else {
simt.kernel @stays(%x: memref<?xbf16>, %M: index) grid() in affine_map<(d0) -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>], requirements = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %tid = simt.thread_id : index
  %r = simt.registers : memref<8xbf16, #simt.register>
  %zero = arith.constant 0.0 : bf16
  %fixed = arith.cmpi slt, %tid, %M : index
  scf.for %k = %c0 to %c31 step %c1 {
    %inside = arith.cmpi slt, %k, %M : index
    scf.if %inside {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
    simt.barrier
  }
  scf.for %k = %c0 to %c31 step %c1 {
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0 mod 8)>(%k)[%tid]
    %inside = arith.cmpi slt, %at, %M : index
    scf.if %inside {
      simt.move %x[%at : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  }
  scf.for %k = %c0 to %c31 step %c1 {
    scf.if %fixed {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  }
  scf.for %k = %c0 to %c31 step %c1 {
    %inside = arith.cmpi slt, %k, %M : index
    scf.if %inside {
      simt.store %zero, %r[%c0 : index] : bf16, memref<8xbf16, #simt.register>
    }
  }
  scf.for %k = %c0 to %c31 step %c1 {
    %inside = arith.cmpi slt, %k, %M : index
    scf.if %inside {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  } {simt.unroll}
}

// -----

// A guard that is certain to fail in some trip stays in both versions; equal questions are one, and a refusal leaves nothing.
// CHECK-LABEL: simt.kernel @known
// CHECK: %[[ROWS:.*]] = arith.cmpi sgt, %M, %c30
// CHECK-NEXT: scf.if %[[ROWS]] {
// CHECK: simt.move
// CHECK-NEXT: simt.move
// CHECK: scf.if
// CHECK: } else {
// CHECK-COUNT-3: scf.if
// CHECK: scf.for
// CHECK: arith.remsi
simt.kernel @known(%x: memref<?xbf16>, %M: index) grid() in affine_map<(d0) -> ()> threads(64) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>], requirements = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c31 = arith.constant 31 : index
  %r = simt.registers : memref<8xbf16, #simt.register>
  scf.for %k = %c0 to %c31 step %c1 {
    %row = arith.cmpi slt, %k, %M : index
    scf.if %row {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
    %again = arith.cmpi slt, %k, %M : index
    scf.if %again {
      simt.move %x[%k : index] to %r[%c1 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
    %tail = arith.cmpi slt, %k, %c30 : index
    scf.if %tail {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  }
  scf.for %k = %c0 to %c31 step %c1 {
    %odd = arith.remsi %k, %M : index
    %row = arith.cmpi slt, %odd, %c30 : index
    scf.if %row {
      simt.move %x[%k : index] to %r[%c0 : index] bytes 2 : memref<?xbf16> to memref<8xbf16, #simt.register>
    }
  }
}
