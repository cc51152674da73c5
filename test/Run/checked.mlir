// What the language forbids is found by the simulator with and without --checked; with it the generated code says the
// same, with file and line.

// An index of a shared tile, one element at a time.
// RUN: %status 1 tile-run %s --kernel element --device sim --no-check --checked --arg n=8 | FileCheck %s --check-prefix=ELEMENT
// RUN: %status 1 tile-run %s --kernel element --device sim --no-check --checked --arg n=-1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %status 1 tile-run %s --kernel element --device sim --no-check --arg n=8 | FileCheck %s --check-prefix=PLAIN
// RUN: tile-run %s --kernel element --device sim --checked --variant all --arg n=7 | FileCheck %s --check-prefix=RIGHT
// ELEMENT: checked.mlir:[[#ELEMENT:]]:{{[0-9]+}}: error: accesses element [8] of shared tile %s, whose shape is [8]
// NEGATIVE: error: accesses element [-1] of shared tile %s, whose shape is [8]
// PLAIN: checked.mlir:{{[0-9]+}}:{{[0-9]+}}: error: write of element 8 outside a shared buffer of 8 elements
// RIGHT: verdict: right
tile.kernel @element(%o: memref<8xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<8xf32, #tile.shared>
  tile.fill %s with 0.0 : memref<8xf32, #tile.shared>
  %one = arith.constant 1.0 : f32
  tile.parallel %i in (1) {
    tile.store %one, %s[%n] : memref<8xf32, #tile.shared>
  }
  tile.copy %s to %o : memref<8xf32, #tile.shared> to memref<8xf32>
}

// One dimension out of range, though the element lies inside the buffer.
// RUN: %status 1 tile-run %s --kernel row --device sim --no-check --checked --arg n=9 | FileCheck %s --check-prefix=ROW
// RUN: tile-run %s --kernel row --device sim --checked --variant all --arg n=7 | FileCheck %s --check-prefix=RIGHT
// ROW: error: accesses element [0, 9] of shared tile %s, whose shape is [4, 8]
tile.kernel @row(%o: memref<4xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4x8xf32, #tile.shared>
  tile.fill %s with 3.0 : memref<4x8xf32, #tile.shared>
  tile.parallel %i in (4) {
    %v = tile.load %s[%i, %n] : memref<4x8xf32, #tile.shared>
    tile.store %v, %o[%i] : memref<4xf32>
  }
}

// A whole vector, and the window it is in.
// RUN: %status 1 tile-run %s --kernel vector --device sim --no-check --checked --arg n=1 | FileCheck %s --check-prefix=VECTOR
// RUN: tile-run %s --kernel vector --device sim --checked --variant all --arg n=0 | FileCheck %s --check-prefix=RIGHT
// VECTOR: error: accesses 4 elements from element [128] of shared tile %s on, whose shape is [128]
tile.kernel @vector(%x: memref<128xf32>, %o: memref<128xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<128xf32, #tile.shared>
  tile.copy %x to %s[%n * 4] : memref<128xf32> to memref<128xf32, #tile.shared>
  tile.copy %s to %o : memref<128xf32, #tile.shared> to memref<128xf32>
}

// RUN: %status 1 tile-run %s --kernel window --device sim --no-check --checked --arg n=5 | FileCheck %s --check-prefix=WINDOW
// RUN: tile-run %s --kernel window --device sim --checked --variant all --arg n=4 | FileCheck %s --check-prefix=RIGHT
// WINDOW: error: accesses element [3] of shared tile %w, which lies outside the tile it is a window of
tile.kernel @window(%o: memref<4xf32>, %n: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<8xf32, #tile.shared>
  tile.fill %s with 3.0 : memref<8xf32, #tile.shared>
  %w = tile.slice %s[%n] : memref<8xf32, #tile.shared> to memref<4xf32, #tile.shared>
  tile.parallel %i in (4) {
    %v = tile.load %w[%i] : memref<4xf32, #tile.shared>
    tile.store %v, %o[%i] : memref<4xf32>
  }
}

// A fragment read at an index known at run time, a private array, an atomic.
// RUN: %status 1 tile-run %s --kernel others --device sim --no-check --checked --arg n=4 --arg m=0 --arg k=0 | FileCheck %s --check-prefix=FRAGMENT
// RUN: %status 1 tile-run %s --kernel others --device sim --no-check --checked --arg n=0 --arg m=4 --arg k=0 | FileCheck %s --check-prefix=LOCAL
// RUN: %status 1 tile-run %s --kernel others --device sim --no-check --checked --arg n=0 --arg m=0 --arg k=4 | FileCheck %s --check-prefix=ATOMIC
// RUN: tile-run %s --kernel others --device sim --checked --variant all --arg n=3 --arg m=3 --arg k=3 | FileCheck %s --check-prefix=RIGHT
// FRAGMENT: error: accesses element [4] of shared tile{{.*}}, whose shape is [4]
// LOCAL: error: accesses element [4] of private array %l, whose shape is [4]
// ATOMIC: error: accesses element [4] of shared tile %s, whose shape is [4]
!F = memref<4xi32, #tile.fragment>
tile.kernel @others(%o: memref<4xi32>, %n: index, %m: index, %k: index) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<4xi32, #tile.shared>
  tile.fill %s with 3 : memref<4xi32, #tile.shared>
  %f = tile.alloc_fragment : !F
  tile.fill %f with 4 : !F
  %l = tile.alloc_local : memref<4xi32, #tile.local>
  tile.fill %l with 5 : memref<4xi32, #tile.local>
  %a = tile.load %f[%n] : !F
  %b = tile.load %l[%m] : memref<4xi32, #tile.local>
  %c = arith.addi %a, %b : i32
  tile.parallel %i in (1) {
    tile.atomic add %a, %s[%k] : memref<4xi32, #tile.shared>
  }
  %t = tile.thread_id
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %t, %zero : index
  scf.if %first {
    tile.store %c, %o[0] : memref<4xi32>
  }
  tile.parallel %i in (3) {
    %v = tile.load %s[%i + 1] : memref<4xi32, #tile.shared>
    tile.store %v, %o[%i + 1] : memref<4xi32>
  }
}

// Quotients without a value, and an assertion.
// RUN: %status 1 tile-run %s --kernel divide --device sim --no-check --checked --arg n=0 | FileCheck %s --check-prefix=ZERO
// RUN: %status 1 tile-run %s --kernel divide --device sim --no-check --checked --arg n=-1 | FileCheck %s --check-prefix=LOWEST
// RUN: %status 1 tile-run %s --kernel divide --device sim --no-check --checked --arg n=101 | FileCheck %s --check-prefix=ASSERT
// RUN: %status 1 tile-run %s --kernel divide --device sim --no-check --arg n=101 | FileCheck %s --check-prefix=ASSERT
// RUN: tile-run %s --kernel divide --device sim --checked --variant all --arg n=100 | FileCheck %s --check-prefix=RIGHT
// ZERO: checked.mlir:[[#ZERO:]]:{{[0-9]+}}: error: division by zero
// LOWEST: error: lowest integer divided by -1
// ASSERT: error: assertion failed: at most 100%
tile.kernel @divide(%o: memref<1xi32>, %n: i32) grid(%g) in (1) threads(32) {
  %lowest = arith.constant -2147483648 : i32
  %hundred = arith.constant 100 : i32
  %few = arith.cmpi sle, %n, %hundred : i32
  tile.assert %few, "at most 100%"
  tile.parallel %i in (1) {
    %q = arith.divsi %lowest, %n : i32
    %r = arith.remui %q, %n : i32
    tile.store %r, %o[%i] : memref<1xi32>
  }
}
