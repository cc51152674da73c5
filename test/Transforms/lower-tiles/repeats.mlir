// A load runs once for all values of a register digit that its address does not depend on.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s
!X = memref<?x512xbf16>
!W = memref<512xbf16>
!S = memref<?xbf16>
!G = memref<?x128xbf16>
!T = memref<512xf32, #tile.shared>

// Two rows a thread, one weight a column: one vector of weights, before the rows; the careful body has its elements.
// CHECK-LABEL: simt.kernel @weights(
// CHECK: %u = simt.registers : memref<8xbf16, #simt.register>
// CHECK: scf.for
// CHECK-COUNT-2: {simt.unroll}
// CHECK-NEXT: %[[FIRST:.+]] = arith.constant 0
// CHECK-NEXT: affine.apply
// CHECK-NEXT: simt.move %w[{{.*}}] to %u[%[[FIRST]] : index] bytes 16
// CHECK: simt.load %u[%[[LANE:.+]] : index]
// CHECK-LABEL: simt.kernel @weights_careful(
// CHECK-NEXT: %tid
// CHECK: %u = simt.registers : memref<8xbf16, #simt.register>
// CHECK: scf.for %[[LANE:.+]] =
// CHECK-NEXT: affine.apply
// CHECK-NEXT: simt.load %w
// CHECK: {simt.unroll}
// CHECK-NOT: simt.load %w
tile.kernel @weights[%M](%x[%M, 512]: !X, %w: !W, %y[%M, 512]: !X) grid(%b) in (%M ceildiv 2) threads(64)
    disjoint(%x, %w, %y) {
  tile.parallel (%i, %j) in (2, 512) layout(#tile.distributed<2x512 = [(2 reg * 8), (64 thread, 8 reg)] threads 64>) {
    %v = tile.load %x[%b * 2 + %i, %j] : !X
    %u = tile.load %w[%j] : !W
    %r = arith.addf %v, %u : bf16
    tile.store %r, %y[%b * 2 + %i, %j] : !X
  }
}

// The second register of the second thread is row 3 of 3: where any of a thread's rows exists, its first does.
// CHECK-LABEL: simt.kernel @masked_rows(
// CHECK: %u = simt.registers : memref<8xbf16, #simt.register>
// CHECK-COUNT-2: {simt.unroll}
// CHECK-NEXT: arith.constant
// CHECK-NEXT: affine.apply
// CHECK-NEXT: simt.move %w
// CHECK-NOT: simt.move %w
tile.kernel @masked_rows[%M](%x[%M, 512]: !X, %w: !W, %y[%M, 512]: !X) grid(%b) in (%M ceildiv 3) threads(128)
    disjoint(%x, %w, %y) {
  tile.parallel (%i, %j) in (3, 512) layout(#tile.distributed<3x512 = [(2 reg * 8, 2 thread * 64), (64 thread, 8 reg)] threads 128>) {
    %v = tile.load %x[%b * 3 + %i, %j] : !X
    %u = tile.load %w[%j] : !W
    %r = arith.addf %v, %u : bf16
    tile.store %r, %y[%b * 3 + %i, %j] : !X
  }
}

// A single element for all lanes of a vector, and one for every four: a value, and two registers.
// CHECK-LABEL: simt.kernel @scales(
// CHECK: %g = simt.registers : memref<2xbf16, #simt.register>
// CHECK: %s = simt.load %sum
// CHECK: scf.for {{.*}} step %c4
// CHECK: simt.load %scale
// CHECK: scf.for {{.*}} step %c1
// CHECK: %[[G:.+]] = simt.load %g
// CHECK: arith.addf %s, %[[G]]
// CHECK-NOT: simt.load %sum
// CHECK: simt.kernel @scales_careful(
tile.kernel @scales[%M](%sum[%M]: !S, %scale[%M, 128]: !G, %y[%M, 512]: !X) grid(%b) in (%M) threads(64) disjoint(%sum, %scale, %y) {
  tile.parallel (%i, %j) in (1, 512) layout(#tile.distributed<1x512 = [(), (64 thread, 8 reg)] threads 64>) {
    %s = tile.load %sum[%b + %i] : !S
    %g = tile.load %scale[%b + %i, %j floordiv 4] : !G
    %r = arith.addf %s, %g : bf16
    tile.store %r, %y[%b + %i, %j] : !X
  }
}

// From shared memory the same; each load has the digits it depends on, columns here and rows there.
// CHECK-LABEL: simt.kernel @outer(
// CHECK: simt.note "parallel (i, j)"
// CHECK-NEXT: %u = simt.registers : memref<4xf32, #simt.register>
// CHECK-NEXT: %v = simt.registers : memref<4xf32, #simt.register>
// CHECK: affine.apply
// CHECK-NEXT: simt.move %t[
// CHECK-NOT: simt.move %t[
// CHECK: scf.for %[[ROW:.+]] = %{{.*}} {
// CHECK: simt.load %s[%[[ROW]] : index]
// CHECK-COUNT-2: scf.for
// CHECK-NOT: simt.load %s
// CHECK: simt.kernel @outer_careful(
tile.kernel @outer(%x: memref<512xf32>, %s: memref<4xf32>, %y: memref<4x512xf32>) grid(%b) in (1) threads(128) disjoint(%x, %s, %y) {
  %t = tile.alloc_shared : !T
  tile.copy %x to %t : memref<512xf32> to !T
  tile.parallel (%i, %j) in (4, 512) layout(#tile.distributed<4x512 = [(4 reg * 4), (128 thread, 4 reg)] threads 128>) {
    %u = tile.load %t[%j] : !T
    %v = tile.load %s[%i] : memref<4xf32>
    %r = arith.addf %u, %v : f32
    tile.store %r, %y[%i, %j] : memref<4x512xf32>
  }
}

// Loops that stay loops: the digit that the weights do not depend on runs inside, so that one set of registers serves.
// CHECK-LABEL: simt.kernel @rolled(
// CHECK: scf.for %[[COLUMN:.+]] = %{{.*}} {
// CHECK-NEXT: %u = simt.registers : memref<32xbf16, #simt.register>
// CHECK: simt.move %w
// CHECK: {simt.unroll}
// CHECK: scf.for
// CHECK-NEXT: %v = simt.registers : memref<32xbf16, #simt.register>
// CHECK-NOT: simt.move %w
// CHECK: simt.kernel @rolled_careful(
tile.kernel @rolled(%x: memref<4x2048xbf16>, %w: memref<2048xbf16>, %y: memref<4x2048xbf16>) grid(%b) in (1) threads(32) disjoint(%x, %w, %y) {
  tile.parallel (%i, %j) in (4, 2048) layout(#tile.distributed<4x2048 = [(4 reg * 64), (8 reg * 8, 32 thread, 8 reg)] threads 32>) {
    %v = tile.load %x[%i, %j] : memref<4x2048xbf16>
    %u = tile.load %w[%j] : memref<2048xbf16>
    %r = arith.addf %v, %u : bf16
    tile.store %r, %y[%i, %j] : memref<4x2048xbf16>
  }
}

// What the body has written before may be what it reads: each point reads for itself.
// CHECK-LABEL: simt.kernel @written_before(
// CHECK-NOT: %u = simt.registers
// CHECK: simt.store {{.*}}, %y[
// CHECK: %u = simt.load %w[
// CHECK: simt.store {{.*}}, %z[
tile.kernel @written_before(%w: memref<512xf32>, %y: memref<2x512xf32>, %z: memref<2x512xf32>) grid(%b) in (1) threads(128) {
  tile.parallel (%i, %j) in (2, 512) layout(#tile.distributed<2x512 = [(2 reg * 4), (128 thread, 4 reg)] threads 128>) {
    %one = arith.constant 1.0 : f32
    tile.store %one, %y[%i, %j] : memref<2x512xf32>
    %u = tile.load %w[%j] : memref<512xf32>
    tile.store %u, %z[%i, %j] : memref<2x512xf32>
  }
}

// A tile that the body writes later: another row, but that is not asked. The two rows of a group are read before
// either is written, and share what they read; the next group reads again.
// CHECK-LABEL: simt.kernel @written_after(
// CHECK: simt.note "parallel (i, j)"
// CHECK: scf.for %{{.*}} = %{{.*}} {
// CHECK-NEXT: %u = simt.registers : memref<4xf32, #simt.register>
// CHECK: simt.move %t[
// CHECK-NOT: simt.move %t[
// CHECK: simt.move %{{[0-9]+}}[{{.*}} to %t[
tile.kernel @written_after(%x: memref<9x512xf32>) grid(%b) in (1) threads(128) {
  %t = tile.alloc_shared : memref<9x512xf32, #tile.shared>
  tile.copy %x to %t : memref<9x512xf32> to memref<9x512xf32, #tile.shared>
  tile.parallel (%i, %j) in (8, 512) layout(#tile.distributed<8x512 = [(8 reg * 4), (128 thread, 4 reg)] threads 128>) {
    %u = tile.load %t[8, %j] : memref<9x512xf32, #tile.shared>
    %r = arith.addf %u, %u : f32
    tile.store %r, %t[%i, %j] : memref<9x512xf32, #tile.shared>
  }
  tile.copy %t to %x : memref<9x512xf32, #tile.shared> to memref<9x512xf32>
}
