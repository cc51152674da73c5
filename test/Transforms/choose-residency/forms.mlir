// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-split-webs,tile-choose-residency))" -split-input-file | FileCheck %s

// Mean and largest element are one phase, a mean is divided by the whole row, and the tail is a chunk of its own, read
// again. 16 of 19 chunks wait in shared memory, three in registers; the place in the row is counted on.
// CHECK-LABEL: tile.kernel @tail
// CHECK: tile.alloc_shared : memref<1x16384xf32, #tile.shared>
// CHECK: tile.fill %[[SUMS:.*]] with 0.0
// CHECK: tile.fill %[[SUMTAIL:.*]] with 0.0
// CHECK: tile.fill %[[MOST:.*]] with -inf
// CHECK: tile.fill %[[MOSTTAIL:.*]] with -inf
// CHECK: tile.serial %{{.*}} in (4) {
// CHECK: tile.unrolled %{{.*}} in (4) {
// CHECK: tile.copy %x[%b, 19456] to %{{.*}} : memref<?x20000xf32> to memref<1x544xf32, #tile.fragment>
// CHECK: tile.reduce sum %[[SUMS]] into %[[MEAN:.*]] dim 1 :
// CHECK: tile.reduce sum %[[SUMTAIL]] into %[[MEAN]] dim 1 accumulate
// CHECK: %[[COUNT:.*]] = arith.constant 2.000000e+04
// CHECK: arith.divf %{{.*}}, %[[COUNT]]
// CHECK: tile.reduce max %[[MOST]] into %max dim 1 :
// CHECK: tile.reduce max %[[MOSTTAIL]] into %max dim 1 accumulate
// CHECK-NOT: tile.reduce
// CHECK: arith.addi
// CHECK: arith.index_cast
!X = memref<?x20000xf32>
!Row = memref<1x20000xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @tail[%M](%x[%M, 20000]: !X, %y[%M, 20000]: !X) grid(%b) in (%M) threads(256) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %mean = tile.alloc_fragment : !One
  %max = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce mean %r into %mean dim 1 : !Row into !One
  tile.reduce max %r into %max dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 20000) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %mean[%i] : !One
    %n = tile.load %max[%i] : !One
    %c = arith.index_cast %j : index to i32
    %f = arith.sitofp %c : i32 to f32
    %d = arith.subf %v, %m : f32
    %e = arith.mulf %d, %n : f32
    %g = arith.addf %e, %f : f32
    tile.store %g, %y[%b + %i, %j] : !X
  }
}

// -----

// Rows that begin at any place of a vector stay whole up to 58982 words; longer ones are read again, and held nowhere.
// CHECK-LABEL: tile.kernel @ragged
// CHECK-NOT: tile.alloc_shared
// CHECK-COUNT-4: tile.copy %x[
// CHECK-NOT: tile.copy %x[
!X = memref<?x65537xf32>
!Row = memref<1x65537xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @ragged[%M](%x[%M, 65537]: !X, %y[%M, 65537]: !X) grid(%b) in (%M) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65537) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// One name for both results: the second begins another fragment, so the first stays known.
// CHECK-LABEL: tile.kernel @again
// CHECK: %s = tile.alloc_fragment
// CHECK-NEXT: %[[S1:.*]] = tile.alloc_fragment
// CHECK: tile.reduce max %{{.*}} into %s dim 1
// CHECK: tile.load %s[
// CHECK: tile.reduce sum %{{.*}} into %[[S1]] dim 1
// CHECK: tile.load %s[
// CHECK: tile.load %[[S1]][
!X = memref<?x32768xf32>
!Row = memref<1x32768xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @again[%M](%x[%M, 32768]: !X, %y[%M, 32768]: !X) grid(%b) in (%M) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce max %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r[%i, %j] : !Row
  }
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.divf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// Few threads: 150 registers of each are 9600 words, fewer than a block could hold.
// CHECK-LABEL: tile.kernel @few
// CHECK: tile.alloc_shared : memref<1x9216xf32, #tile.shared>
// CHECK: tile.serial
!X = memref<?x9728xf32>
!Row = memref<1x9728xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @few[%M](%x[%M, 9728]: !X, %y[%M, 9728]: !X) grid(%b) in (%M) threads(64) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 9728) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// Absolute values are taken once, of the elements: a part that has wrapped is a sum already.
// CHECK-LABEL: tile.kernel @absolute
// CHECK: math.absi
// CHECK: arith.addi
// CHECK-NOT: tile.reduce abssum
// CHECK: tile.reduce sum %{{.*}} into %s dim 1
// CHECK-NOT: tile.reduce abssum
!X = memref<?x32768xi32>
!Row = memref<1x32768xi32, #tile.fragment>
!One = memref<1xi32, #tile.fragment>
tile.kernel @absolute[%M](%x[%M, 32768]: !X, %y[%M, 32768]: !X) grid(%b) in (%M) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce abssum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subi %v, %m : i32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}
