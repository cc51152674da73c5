// RUN: tile-opt %s --tile-to-simt | FileCheck %s
// RUN: tile-run %s --kernel once --device sim --variant all --arg x=iota | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --kernel again --device sim --variant all --arg x=iota | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --kernel sometimes --device sim --variant all --arg x=iota | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --kernel large --device sim --variant all --arg x=iota | FileCheck %s --check-prefix=RIGHT
// RIGHT: verdict: right

// Even trips exchange in one half of the buffer, odd ones in the other: one barrier a trip.
// CHECK-LABEL: simt.kernel @once(
// CHECK: scf.for %[[TRIP:[a-z0-9]+]] =
// CHECK: simt.shared {{.*}}simt.alternates{{.*}}memref<8xf32, #simt.shared>
// CHECK-NOT: simt.barrier
// CHECK: simt.store {{.*}}memref<8xf32, #simt.shared>
// CHECK: simt.barrier
// CHECK-NOT: simt.barrier
// CHECK-LABEL: simt.kernel @once_careful(
!X = memref<6x512xf32>
!Chunk = memref<1x512xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>
tile.kernel @once(%x: !X, %y: !X, %z: memref<1xf32>) grid(%b) in (1) threads(128) disjoint(%x, %y, %z) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  %carry = tile.alloc_fragment : !One
  tile.fill %carry with 0.0 : !One
  tile.serial %k in (6) {
    tile.copy %x[%k, 0] to %r : !X to !Chunk
    tile.scan max %r into %s dim 1 : !Chunk into !Chunk
    tile.copy %s to %y[%k, 0] : !Chunk to !X
    tile.reduce max %r into %carry dim 1 accumulate : !Chunk into !One
  }
  tile.copy %carry to %z : !One to memref<1xf32>
}

// The last trip may be followed by a first one, of the same half: no turns.
// CHECK-LABEL: simt.kernel @again(
// CHECK-NOT: simt.alternates
// CHECK-COUNT-2: simt.barrier
// CHECK-LABEL: simt.kernel @again_careful(
tile.kernel @again(%x: !X, %y: !X) grid(%b) in (1) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Chunk
  %s = tile.alloc_fragment : !Chunk
  tile.serial %j in (2) {
    tile.serial %k in (3) {
      tile.copy %x[%j * 3 + %k, 0] to %r : !X to !Chunk
      tile.scan sum %r into %s dim 1 : !Chunk into !Chunk
      tile.copy %s to %y[%j * 3 + %k, 0] : !Chunk to !X
    }
  }
}

// Two even trips may come one after the other.
// CHECK-LABEL: simt.kernel @sometimes(
// CHECK-NOT: simt.alternates
// CHECK-COUNT-2: simt.barrier
// CHECK-LABEL: simt.kernel @sometimes_careful(
tile.kernel @sometimes(%x: !X, %y: !X) grid(%b) in (1) threads(128) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Chunk
  %two = arith.constant 2 : index
  %zero = arith.constant 0 : index
  tile.serial %k in (6) {
    tile.copy %x[%k, 0] to %r : !X to !Chunk
    %half = arith.remui %k, %two : index
    %isEven = arith.cmpi eq, %half, %zero : index
    scf.if %isEven {
      tile.scan sum %r into %r dim 1 : !Chunk into !Chunk
    }
    tile.copy %r to %y[%k, 0] : !Chunk to !X
  }
}

// Many totals: a second place would take more shared memory than a barrier is worth.
// CHECK-LABEL: simt.kernel @large(
// CHECK-NOT: simt.alternates
// CHECK-COUNT-2: simt.barrier
!Rows = memref<64x256xf32, #tile.fragment>
tile.kernel @large(%x: memref<64x512xf32>, %y: memref<64x512xf32>) grid(%b) in (1) threads(512) disjoint(%x, %y) {
  %r = tile.alloc_fragment layout(#tile.distributed<64x256 = [(64 reg), (256 thread)] threads 512>) : !Rows
  tile.serial %k in (2) {
    tile.copy %x[0, %k * 256] to %r : memref<64x512xf32> to !Rows
    tile.scan sum %r into %r dim 1 : !Rows into !Rows
    tile.copy %r to %y[0, %k * 256] : !Rows to memref<64x512xf32>
  }
}
