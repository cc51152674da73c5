// Loads that do not depend on every register digit of their loop run once for those digits, and the values are right.
// RUN: tile-run %s --kernel column --count --dim M=64 2>/dev/null | FileCheck %s --check-prefix=COUNT
// RUN: tile-run %s --kernel column --count --dim M=64 -DR=7 2>/dev/null | FileCheck %s --check-prefix=ODD
// RUN: tile-run %s --kernel column --device sim --variant all --dim M=13 -DR=3 -DN=72 -DT=8 | FileCheck %s
// RUN: tile-run %s --kernel column --device sim --variant all --dim M=13 -DR=5 -DN=63 -DT=4 --checked | FileCheck %s
// RUN: tile-run %s --kernel column --device sim --variant all --dim M=33 -DR=16 -DN=2048 -DT=32 | FileCheck %s
// RUN: tile-run %s --kernel row --device sim --variant all --dim M=13 -DR=3 -DN=72 -DT=8 | FileCheck %s
// RUN: tile-run %s --kernel row --device sim --variant all --dim M=1 -DR=16 -DN=1000 -DT=64 --checked | FileCheck %s
// RUN: tile-run %s --kernel group --device sim --variant all --dim M=13 -DR=3 -DN=72 -DT=8 | FileCheck %s
// RUN: tile-run %s --kernel group --device sim --variant all --dim M=13 -DR=4 -DN=512 -DT=32 --checked | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all --dim M=13 -DR=6 -DN=256 -DT=32 | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all --dim M=13 -DR=5 -DN=250 -DT=48 --checked | FileCheck %s
// RUN: tile-run %s --kernel in_place --device sim --variant all -DN=256 -DT=32 | FileCheck %s
// RUN: tile-run %s --kernel in_place --device sim --variant all -DN=250 -DT=48 --checked | FileCheck %s
// RUN: tile-run %s --kernel odd_rows --count --dim M=16 2>/dev/null | FileCheck %s --check-prefix=ROWS
// RUN: tile-run %s --kernel odd_rows --device sim --variant all --dim M=19 | FileCheck %s
// RUN: tile-run %s --kernel odd_rows --device sim --variant all --dim M=19 --offset x=1 --checked | FileCheck %s
// RUN: tile-run %s --kernel crossed --device sim --variant all | FileCheck %s
// CHECK: verdict: right
// $R = 8
// $N = 256
// $T = 32
!X = memref<?x$Nxbf16>
!W = memref<$Nxbf16>
!S = memref<?xf32>
!G = memref<?x16xbf16>

// Eight blocks of one warp: eight rows each, but one vector of weights. Ten blocks of seven rows: the same.
// COUNT: "buffer": "w"
// COUNT: "requests": 8
// COUNT: "buffer": "x"
// COUNT: "requests": 64
// ODD: "buffer": "w"
// ODD: "requests": 10
// ODD: "buffer": "x"
// ODD: "requests": 64
tile.kernel @column[%M](%x[%M, $N]: !X, %w: !W, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T) disjoint(%x, %w, %y) {
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %x[%b * $R + %i, %j] : !X
    %u = tile.load %w[%j] : !W
    %r = arith.addf %v, %u : bf16
    tile.store %r, %y[%b * $R + %i, %j] : !X
  }
}

// One value a row, wider than what it is added to.
tile.kernel @row[%M](%x[%M, $N]: !X, %s[%M]: !S, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T) disjoint(%x, %s, %y) {
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %x[%b * $R + %i, %j] : !X
    %u = tile.load %s[%b * $R + %i] : !S
    %f = arith.extf %v : bf16 to f32
    %r = arith.addf %f, %u : f32
    %h = arith.truncf %r : f32 to bf16
    tile.store %h, %y[%b * $R + %i, %j] : !X
  }
}

// One value for every four columns, as far as there are values; where there is none, a pad.
tile.kernel @group[%M](%x[%M, $N]: !X, %g[%M, 16]: !G, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T) disjoint(%x, %g, %y) {
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %x[%b * $R + %i, %j] : !X
    %u = tile.load %g[%b * $R + %i, %j floordiv 4] pad 1.0 : !G
    %r = arith.addf %v, %u : bf16
    tile.store %r, %y[%b * $R + %i, %j] : !X
  }
}

// What is read once is stored once a row, from the same registers.
tile.kernel @spread[%M](%w: !W, %y[%M, $N]: !X) grid(%b) in (%M ceildiv $R) threads($T) disjoint(%w, %y) {
  tile.parallel (%i, %j) in ($R, $N) {
    %u = tile.load %w[%j] : !W
    tile.store %u, %y[%b * $R + %i, %j] : !X
  }
}

// The last row of a tile whose other rows the loop writes.
tile.kernel @in_place(%x: memref<9x$Nxf32>) grid(%b) in (1) threads($T) {
  %t = tile.alloc_shared : memref<9x$Nxf32, #tile.shared>
  tile.copy %x to %t : memref<9x$Nxf32> to memref<9x$Nxf32, #tile.shared>
  tile.parallel (%i, %j) in (8, $N) {
    %u = tile.load %t[8, %j] : memref<9x$Nxf32, #tile.shared>
    %v = tile.load %t[%i, %j] : memref<9x$Nxf32, #tile.shared>
    %r = arith.addf %u, %v : f32
    tile.store %r, %t[%i, %j] : memref<9x$Nxf32, #tile.shared>
  }
  tile.copy %t to %x : memref<9x$Nxf32, #tile.shared> to memref<9x$Nxf32>
}

// Rows that begin elsewhere in a vector: the first elements of some thread do not exist, its row's value does.
// ROWS: "buffer": "s"
// ROWS: "requests": 16
!Y = memref<?x203xbf16>
tile.kernel @odd_rows[%M](%x[%M, 203]: !Y, %s[%M]: !S, %y[%M, 203]: !Y) grid(%b) in (%M) threads(32) disjoint(%x, %s, %y) {
  tile.parallel (%i, %j) in (1, 203) {
    %v = tile.load %x[%b + %i, %j] : !Y
    %u = tile.load %s[%b + %i] : !S
    %f = arith.extf %v : bf16 to f32
    %r = arith.addf %f, %u : f32
    %h = arith.truncf %r : f32 to bf16
    tile.store %h, %y[%b + %i, %j] : !Y
  }
}

// Neighbours of a lane that may be odd: the sum of the two moves with either.
!Z = memref<2x256xbf16>
tile.kernel @crossed(%w: memref<256xbf16>, %z: !Z) grid(%b) in (1) threads(32) disjoint(%w, %z) {
  tile.parallel (%i, %j) in (2, 256) layout(#tile.distributed<2x256 = [(2 reg * 8), (32 thread, 8 reg)] threads 32>) {
    %u = tile.load %w[(%i + %j) floordiv 2] : memref<256xbf16>
    tile.store %u, %z[%i, %j] : !Z
  }
}
