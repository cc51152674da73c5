// Rows whose pitch is no multiple of a vector: each begins elsewhere in its first one, and is held from there on.
// RUN: tile-run %s --kernel softmax --device sim --variant all --dim M=19 | FileCheck %s
// RUN: tile-run %s --kernel arg --device sim --variant all --dim M=19 | FileCheck %s
// RUN: tile-run %s --kernel prefix --device sim --variant all --dim M=19 | FileCheck %s
// RUN: tile-run %s --kernel bytes --device sim --variant all --dim M=33 | FileCheck %s
// RUN: tile-run %s --kernel widen --device sim --variant all --dim M=9 | FileCheck %s
// RUN: tile-run %s --kernel part --device sim --variant all --dim M=9 | FileCheck %s
// RUN: tile-run %s --kernel both --device sim --variant all --dim M=9 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s --check-prefix=LAYOUT
// CHECK: verdict: right

!X = memref<?x203xbf16>
!Row = memref<1x203xf32, #tile.fragment>
!One = memref<1xf32, #tile.fragment>

// LAYOUT: #map = affine_map<(d0) -> ((d0 * 3) mod 8)>
// LAYOUT: #map1 = affine_map<({{.*}}) -> (({{.*}}) mod 16)>
// LAYOUT: tile.kernel @softmax
// LAYOUT-SAME: origin = #map
// LAYOUT: alloc_fragment layout({{.*}} origins (0, 7)>)
tile.kernel @softmax[%M](%x[%M, 203]: !X, %y[%M, 203]: !X) grid(%b) in (%M) threads(32) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !Row
  %max = tile.alloc_fragment : !One
  %sum = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %r cast : !X to !Row
  tile.reduce max %r into %max dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 203) {
    %v = tile.load %r[%i, %j] : !Row
    %m = tile.load %max[%i] : !One
    %d = arith.subf %v, %m : f32
    %e = math.exp %d : f32
    tile.store %e, %r[%i, %j] : !Row
  }
  tile.reduce sum %r into %sum dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 203) {
    %e = tile.load %r[%i, %j] : !Row
    %s = tile.load %sum[%i] : !One
    %q = arith.divf %e, %s : f32
    %h = arith.truncf %q : f32 to bf16
    tile.store %h, %y[%b + %i, %j] : !X
  }
}

// The index counts from the row's first element, not from the vector's.
// LAYOUT: tile.kernel @arg
// LAYOUT: alloc_fragment layout({{.*}} origins (0, 7)>)
tile.kernel @arg[%M](%x[%M, 203]: !X, %o[%M]: memref<?xi32>) grid(%b) in (%M) threads(48) {
  %r = tile.alloc_fragment : !Row
  %v = tile.alloc_fragment : !One
  %p = tile.alloc_fragment : memref<1xi32, #tile.fragment>
  tile.copy %x[%b, 0] to %r cast : !X to !Row
  tile.argreduce max %r into %v, %p dim 1 : !Row into !One, memref<1xi32, #tile.fragment>
  tile.copy %p to %o[%b] : memref<1xi32, #tile.fragment> to memref<?xi32>
}

// LAYOUT: tile.kernel @prefix
// LAYOUT: alloc_fragment layout({{.*}} origins (0, 7)>)
tile.kernel @prefix[%M](%x[%M, 203]: !X, %y[%M, 203]: memref<?x203xf32>) grid(%b) in (%M) threads(32) {
  %r = tile.alloc_fragment : !Row
  tile.copy %x[%b, 0] to %r cast : !X to !Row
  tile.scan sum %r into %r dim 1 reverse exclusive : !Row into !Row
  tile.copy %r to %y[%b, 0] : !Row to memref<?x203xf32>
}

// 16 bytes a vector, two rows of the grid.
// LAYOUT: tile.kernel @bytes
// LAYOUT-SAME: origin = #map1
!B = memref<?x3x333xi8>
tile.kernel @bytes[%M](%x[%M, 3, 333]: !B, %y[%M, 3, 333]: !B) grid(%k, %b) in (3, %M) threads(32) disjoint(%x, %y) {
  tile.parallel %j in (333) {
    %v = tile.load %x[%b, %k, %j] : !B
    %w = arith.addi %v, %v : i8
    tile.store %w, %y[%b, %k, %j] : !B
  }
}

// Two types of one pitch: the wide one has shorter vectors, which begin at the same places.
tile.kernel @widen[%M](%x[%M, 203]: !X, %y[%M, 203]: memref<?x203xf32>) grid(%b) in (%M) threads(32) disjoint(%x, %y) {
  tile.parallel %j in (203) {
    %v = tile.load %x[%b, %j] : !X
    %w = arith.extf %v : bf16 to f32
    tile.store %w, %y[%b, %j] : memref<?x203xf32>
  }
}

// A part of the row, from an odd column on; and elements of a fragment other than the loop's own.
tile.kernel @part[%M](%x[%M, 203]: !X, %y[%M, 203]: !X) grid(%b) in (%M) threads(32) disjoint(%x, %y) {
  %r = tile.alloc_fragment : memref<1x101xbf16, #tile.fragment>
  tile.copy %x[%b, 51] to %r : !X to memref<1x101xbf16, #tile.fragment>
  tile.parallel (%i, %j) in (1, 100) {
    %v = tile.load %r[%i, %j + 1] : memref<1x101xbf16, #tile.fragment>
    %w = tile.load %r[0, 7] : memref<1x101xbf16, #tile.fragment>
    %s = arith.addf %v, %w : bf16
    tile.store %s, %y[%b + %i, %j + 3] : !X
  }
  tile.parallel %j in (3) {
    %zero = arith.constant 0.0 : bf16
    tile.store %zero, %y[%b, %j] : !X
  }
  tile.parallel %j in (100) {
    %zero = arith.constant 1.0 : bf16
    tile.store %zero, %y[%b, %j + 103] : !X
  }
}

// Two pitches: one of them is followed.
tile.kernel @both[%M](%x[%M, 203]: !X, %z[%M, 205]: memref<?x205xbf16>, %y[%M, 203]: !X) grid(%b) in (%M) threads(32)
    disjoint(%x, %y) {
  tile.parallel %j in (203) {
    %v = tile.load %x[%b, %j] : !X
    %w = tile.load %z[%b, %j + 1] : memref<?x205xbf16>
    %s = arith.addf %v, %w : bf16
    tile.store %s, %y[%b, %j] : !X
  }
}
