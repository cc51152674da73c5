// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-choose-residency))" -split-input-file | FileCheck %s

// Short enough for the registers of two blocks: 19660 words.
// CHECK-LABEL: tile.kernel @short
// CHECK-NOT: tile.serial
!X = memref<?x19656xf32>
!Row = memref<1x19656xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @short[%M](%x[%M, 19656]: !X, %y[%M, 19656]: !X) grid(%b) in (%M) threads(256) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 19656) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// Nothing lives from one phase to the next: the elements are added as they come.
// CHECK-LABEL: tile.kernel @once
// CHECK-NOT: tile.serial
!X = memref<?x65536xf32>
!Row = memref<1x65536xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @once[%M](%x[%M, 65536]: !X, %o[%M]: memref<?xf32>) grid(%b) in (%M) threads(256) disjoint(%x, %o) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.copy %s to %o[%b] : !One to memref<?xf32>
}

// -----

// A pinned layout is the user's word that the fragment is in registers.
// CHECK-LABEL: tile.kernel @pinned
// CHECK-NOT: tile.serial
!X = memref<?x32768xf32>
!Row = memref<1x32768xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @pinned[%M](%x[%M, 32768]: !X, %y[%M, 32768]: !X) grid(%b) in (%M) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<1x32768 = [(), (16 reg * 4, 512 thread, 4 reg)] threads 512>) : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// The tensor is written (y may be x): what was read once cannot be read again.
// CHECK-LABEL: tile.kernel @inplace
// CHECK-NOT: tile.serial
!X = memref<?x32768xf32>
!Row = memref<1x32768xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @inplace[%M](%x[%M, 32768]: !X, %y[%M, 32768]: !X) grid(%b) in (%M) threads(512) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// The first result is gone when the last phase would need it to compute the fragment anew, because the
// second is added to it.
// CHECK-LABEL: tile.kernel @overwritten
// CHECK-NOT: tile.serial
!X = memref<?x32768xf32>
!Row = memref<2x32768xf32, #tile.fragment>
!One = memref<2xf32, #tile.fragment>
tile.kernel @overwritten[%M](%x[%M, 32768]: !X, %y[%M, 32768]: !X) grid(%b) in (%M) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.reduce max %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (2, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r[%i, %j] : !Row
  }
  tile.reduce sum %r into %s dim 1 accumulate : !Row into !One
  tile.parallel (%i, %j) in (2, 32768) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.divf %v, %m : f32
    tile.store %d, %y[%b + %i, %j] : !X
  }
}

// -----

// A tall tile of short rows: half of it at a time, and an accumulator for each element of that, is no less than all of it.
// CHECK-LABEL: tile.kernel @tall
// CHECK-NOT: tile.serial
!X = memref<?x8xf32>
!Row = memref<4096x8xf32, #tile.fragment>
!One = memref<4096xf32, #tile.fragment>
tile.kernel @tall[%M](%x[%M, 8]: !X, %y[%M, 8]: !X) grid(%b) in (%M ceildiv 4096) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  tile.copy %x[%b * 4096, 0] to %r : !X to !Row
  tile.reduce sum %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (4096, 8) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %s[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %y[%b * 4096 + %i, %j] : !X
  }
}

// -----

// Nine phases would compute the first one's differences eight times.
// CHECK-LABEL: tile.kernel @many
// CHECK-NOT: tile.serial
!X = memref<?x65536xf32>
!Row = memref<1x65536xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @many[%M](%x[%M, 65536]: !X, %y[%M, 65536]: !X) grid(%b) in (%M) threads(256) disjoint(%x, %y) {
  %r0 = tile.alloc_fragment : !Row
  %r1 = tile.alloc_fragment : !Row
  %r2 = tile.alloc_fragment : !Row
  %r3 = tile.alloc_fragment : !Row
  %r4 = tile.alloc_fragment : !Row
  %r5 = tile.alloc_fragment : !Row
  %r6 = tile.alloc_fragment : !Row
  %r7 = tile.alloc_fragment : !Row
  %r8 = tile.alloc_fragment : !Row
  %s0 = tile.alloc_fragment : !One
  %s1 = tile.alloc_fragment : !One
  %s2 = tile.alloc_fragment : !One
  %s3 = tile.alloc_fragment : !One
  %s4 = tile.alloc_fragment : !One
  %s5 = tile.alloc_fragment : !One
  %s6 = tile.alloc_fragment : !One
  %s7 = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r0 : !X to !Row
  tile.reduce max %r0 into %s0 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r0[%i, %j] : !Row
    %m = tile.load %s0[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r1[%i, %j] : !Row
  }
  tile.reduce max %r1 into %s1 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r1[%i, %j] : !Row
    %m = tile.load %s1[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r2[%i, %j] : !Row
  }
  tile.reduce max %r2 into %s2 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r2[%i, %j] : !Row
    %m = tile.load %s2[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r3[%i, %j] : !Row
  }
  tile.reduce max %r3 into %s3 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r3[%i, %j] : !Row
    %m = tile.load %s3[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r4[%i, %j] : !Row
  }
  tile.reduce max %r4 into %s4 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r4[%i, %j] : !Row
    %m = tile.load %s4[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r5[%i, %j] : !Row
  }
  tile.reduce max %r5 into %s5 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r5[%i, %j] : !Row
    %m = tile.load %s5[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r6[%i, %j] : !Row
  }
  tile.reduce max %r6 into %s6 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r6[%i, %j] : !Row
    %m = tile.load %s6[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r7[%i, %j] : !Row
  }
  tile.reduce max %r7 into %s7 dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 65536) {
    %v = tile.load %r7[%i, %j] : !Row
    %m = tile.load %s7[%i] : !One
    %d = arith.subf %v, %m : f32
    tile.store %d, %r8[%i, %j] : !Row
  }
  tile.copy %r8 to %y[%b, 0] : !Row to !X
}
