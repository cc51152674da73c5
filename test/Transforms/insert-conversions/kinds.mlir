// The kinds of conversion, with what is reported: instructions of a thread, and the lines of the accesses that disagree.
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions))" --remarks-filter=conversion 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

!Row  = memref<4xf32, #tile.fragment>
!Tile = memref<2x32xf32, #tile.fragment>
!X    = memref<2x32xf32>

// Each thread holds the row and takes its own element. A copy between fragments is marked itself.
// REMARK: :[[#@LINE+9]]:3: remark: {{.*}}between=[[#@LINE+8]], between=[[#@LINE+9]], buffer=r, {{.*}}instructions="1 move, 3 selections", kind=registers
// CHECK-LABEL: tile.kernel @parted
// CHECK-NOT: alloc_shared
// CHECK: tile.copy %r to %s {{.*}}{conversion, note = "copy r to s"}
// CHECK-NOT: conversion
tile.kernel @parted(%x: memref<4xf32>, %y: memref<4xf32>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment layout(#tile.distributed<4 = [(4 reg)] threads 32 copies (32 thread)>) : !Row
  %s = tile.alloc_fragment layout(#tile.distributed<4 = [(4 thread)] threads 32 copies (8 thread * 4)>) : !Row
  tile.copy %x to %r : memref<4xf32> to !Row
  tile.copy %r to %s : !Row to !Row
  tile.copy %s to %y : !Row to memref<4xf32>
}

// The loop works on a second fragment, which has the layout that it wants; what it changes in part is carried there and
// back. Lanes change places inside each warp.
// REMARK: :[[#@LINE+11]]:3: remark: {{.*}}between=[[#@LINE+10]], between=[[#@LINE+11]], buffer=r, {{.*}}instructions="2 shuffles", kind=shuffles
// CHECK-LABEL: tile.kernel @turned
// CHECK-NOT: alloc_shared
// CHECK: %[[HERE:r_[0-9]+]] = tile.alloc_fragment layout([[WANTED:#tile.distributed<[^>]+>]])
// CHECK-NEXT: tile.copy %r to %[[HERE]] layout([[WANTED]]) {conversion, note = "convert r"}
// CHECK-NEXT: tile.parallel
// CHECK: tile.store %{{.+}}, %[[HERE]][%i, %j]
// CHECK: tile.copy %[[HERE]] to %r {{.*}}{conversion, note = "convert r"}
tile.kernel @turned(%x: !X, %y: !X) grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !Tile
  tile.copy %x to %r layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !X to !Tile
  tile.parallel (%i, %j) in (2, 32) layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread * 4, 4 thread)] threads 64>) {
    %v = tile.load %x[%i, %j] : !X
    %is = arith.cmpi sgt, %j, %i : index
    scf.if %is {
      tile.store %v, %r[%i, %j] : !Tile
    }
  }
  tile.copy %r to %y layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !Tile to !X
}

// Another warp has the element.
// REMARK: :[[#@LINE+8]]:3: remark: {{.*}}buffer={{[rs]}}, {{.*}}instructions="1 store, 1 barrier, 1 load", kind="through shared memory"
// CHECK-LABEL: tile.kernel @warps
// CHECK: tile.alloc_shared
// CHECK-NOT: conversion
tile.kernel @warps(%x: !X, %y: !X) grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (32 thread)] threads 64>) : !Tile
  %s = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread), (32 thread * 2)] threads 64>) : !Tile
  tile.copy %x to %r : !X to !Tile
  tile.copy %r to %s : !Tile to !Tile
  tile.copy %s to %y : !Tile to !X
}

// Shuffles where all threads come together for certain, which a loop over the block's own numbers is.
// CHECK-LABEL: tile.kernel @loop
// CHECK: tile.copy %r to %s {{.*}}{conversion
tile.kernel @loop[%N](%x: !X, %y[%N]: memref<?xf32>) grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !Tile
  %s = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread * 4, 4 thread)] threads 64>) : !Tile
  tile.copy %x to %r : !X to !Tile
  tile.fill %s with 0.0 : !Tile
  tile.serial %k in (%N ceildiv 8) {
    %is = arith.cmpi sgt, %k, %b : index
    scf.if %is {
      tile.copy %r to %s : !Tile to !Tile
    }
  }
  tile.copy %s to %x : !Tile to !X
}

// A value from memory may differ between threads as far as this pass knows: shared memory, whose barrier is checked later.
// CHECK-LABEL: tile.kernel @data
// CHECK-NOT: conversion
// CHECK: tile.alloc_shared
tile.kernel @data(%x: !X, %n: memref<1xi1>) grid(%b) in (1) threads(64) disjoint(%x, %n) {
  %r = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !Tile
  %s = tile.alloc_fragment layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread * 4, 4 thread)] threads 64>) : !Tile
  tile.copy %x to %r layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread, 4 thread * 8)] threads 64>) : !X to !Tile
  tile.fill %s with 0.0 : !Tile
  %is = tile.load %n[0] : memref<1xi1>
  scf.if %is {
    tile.copy %r to %s : !Tile to !Tile
  }
  tile.copy %s to %x layout(#tile.distributed<2x32 = [(2 thread * 32), (8 thread * 4, 4 thread)] threads 64>) : !Tile to !X
}
