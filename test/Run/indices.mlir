// Indices out of range, computed, conditional and carried; each kernel agrees with the interpreter, and where an expected
// value can be said, asserts it.

// Below zero there is nothing, whether the index is affine, loaded or a difference: reads give the pad, writes are dropped.
// RUN: tile-run %s --kernel below --device sim --variant all --dim N=100 --arg at=-3 --arg o=const:5.0 --arg p=const:5.0 | FileCheck %s
// RUN: tile-run %s --kernel below --device sim --variant all --dim N=100 --arg at=-200 --arg o=const:5.0 --arg p=const:5.0 | FileCheck %s
// RUN: tile-run %s --kernel below --device sim --variant all --dim N=7 --arg at=2 --arg o=const:5.0 --arg p=const:5.0 | FileCheck %s
// RUN: not tile-opt %s -DFIRST=-1 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CHECK: verdict: right
// CONSTANT: error: 'tile.load' op {{.*}}-1{{.*}}(index-C4)
// $FIRST = 0
!X = memref<?xf32>
tile.kernel @below[%N](%x[%N]: !X, %o[%N]: !X, %p[%N]: !X, %at: index) grid(%b) in (1) threads(64) {
  %seven = arith.constant 7.0 : f32
  %zero = arith.constant 0 : index
  %c = tile.load %x[$FIRST] : !X
  tile.parallel %i in (64) {
    %k = affine.apply affine_map<(i)[at] -> (i + at)>(%i)[%at]
    %v = tile.load %x[%i + %at] pad 7.0 : !X
    %isBelow = arith.cmpi slt, %k, %zero : index
    %isBeyond = arith.cmpi sge, %k, %N : index
    %isOutside = arith.ori %isBelow, %isBeyond : i1
    %isPad = arith.cmpf oeq, %v, %seven : f32
    %isInside = arith.cmpi eq, %isOutside, %isPad : i1
    %right = arith.ori %isInside, %isPad : i1
    tile.assert %right, "the pad is below zero and beyond the end"
    tile.store %v, %o[%i - 10] : !X
    %n = arith.index_cast %k : index to i32
    %narrow = arith.index_cast %n : i32 to index
    tile.store %v, %p[%narrow] : !X
  }
  %one = arith.constant 1.0 : f32
  tile.parallel %i in (1) {
    // What was dropped has left no mark at the other end.
    %last = tile.load %o[%N - 1] : !X
    %five = arith.constant 5.0 : f32
    %is = arith.cmpf oeq, %last, %five : f32
    %c54 = arith.constant 54 : index
    %short = arith.cmpi sle, %N, %c54 : index
    %right = arith.ori %is, %short : i1
    tile.assert %right, "nothing wraps around"
  }
}

// Conditions on ranges of indices, choices, chains of comparisons, and a variable that starts with a value and is updated.
// RUN: tile-run %s --kernel chosen --device sim --variant all --arg x=iota | FileCheck %s
!I = memref<128x128xi32>
tile.kernel @chosen(%x: !I, %o: !I, %p: !I, %q: memref<4x4x32xi32>) grid(%bx, %by) in (4, 4) threads(32) {
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c9 = arith.constant 9 : index
  %c20 = arith.constant 20 : index
  tile.parallel (%i, %j) in (32, 32) {
    %v = tile.load %x[%by * 32 + %i, %bx * 32 + %j] : !I
    %low = arith.cmpi slt, %i, %c9 : index
    %high = arith.cmpi sge, %j, %c20 : index
    scf.if %low {
      %w = arith.addi %v, %c1 : i32
      tile.store %w, %o[%by * 32 + %i, %bx * 32 + %j] : !I
    } else {
      scf.if %high {
        %w = arith.muli %v, %c5 : i32
        tile.store %w, %o[%by * 32 + %i, %bx * 32 + %j] : !I
      } else {
        tile.store %v, %o[%by * 32 + %i, %bx * 32 + %j] : !I
      }
    }
    %both = arith.andi %low, %high : i1
    %a = arith.select %both, %c5, %v : i32
    %either = arith.xori %low, %high : i1
    %b = arith.select %either, %a, %c1 : i32
    tile.store %b, %p[%by * 32 + %i, %bx * 32 + %j] : !I
  }
  %t = tile.thread_id
  %l = tile.alloc_local : memref<1xi32, #tile.local>
  tile.fill %l with 3 : memref<1xi32, #tile.local>
  tile.serial %k in (5) {
    %old = tile.load %l[0] : memref<1xi32, #tile.local>
    %n = arith.index_cast %t : index to i32
    %sum = arith.addi %old, %n : i32
    tile.store %sum, %l[0] : memref<1xi32, #tile.local>
  }
  %last = tile.load %l[0] : memref<1xi32, #tile.local>
  tile.store %last, %q[%by, %bx, %t] : memref<4x4x32xi32>
}

// A loop as long as a loaded number, two variables exchanged, truth values combined, a condition that never holds, every
// second element.
// RUN: tile-run %s --kernel carried --device sim --variant all --arg x=iota --arg n=const:6 | FileCheck %s
// RUN: tile-run %s --kernel carried --device sim --variant all --arg x=iota --arg n=const:0 | FileCheck %s
// RUN: tile-run %s --kernel carried --device sim --variant all --arg x=iota --arg n=const:-4 | FileCheck %s
tile.kernel @carried(%x: memref<64xi32>, %n: memref<1xi32>, %o: memref<32xi32>, %p: memref<32xi32>, %b: memref<32xi1>) grid(%g) in (1) threads(32) {
  %t = tile.thread_id
  %a = tile.alloc_local : memref<1xi32, #tile.local>
  %c = tile.alloc_local : memref<1xi32, #tile.local>
  %id = arith.index_cast %t : index to i32
  tile.store %id, %a[0] : memref<1xi32, #tile.local>
  tile.fill %c with 100 : memref<1xi32, #tile.local>
  %loaded = tile.load %n[0] : memref<1xi32>
  %trips = arith.index_cast %loaded : i32 to index
  tile.serial %k in (%trips) {
    %u = tile.load %a[0] : memref<1xi32, #tile.local>
    %v = tile.load %c[0] : memref<1xi32, #tile.local>
    %next = arith.addi %u, %v : i32
    tile.store %v, %a[0] : memref<1xi32, #tile.local>
    tile.store %next, %c[0] : memref<1xi32, #tile.local>
  }
  %u = tile.load %a[0] : memref<1xi32, #tile.local>
  tile.store %u, %o[%t] : memref<32xi32>
  %never = arith.constant false
  %zero = arith.constant 0 : i32
  scf.if %never {
    tile.store %zero, %o[%t] : memref<32xi32>
  }
  tile.parallel %i in (32) {
    %even = tile.load %x[2 * %i] : memref<64xi32>
    tile.store %even, %p[%i] : memref<32xi32>
    %three = arith.constant 3 : i32
    %r = arith.remsi %even, %three : i32
    %isZero = arith.cmpi eq, %r, %zero : i32
    %many = arith.cmpi sgt, %even, %three : i32
    %and = arith.andi %isZero, %many : i1
    %or = arith.ori %and, %never : i1
    %xor = arith.xori %or, %many : i1
    tile.store %xor, %b[%i] : memref<32xi1>
  }
}

// Quotients that round up and multiples that are rounded up to, of negative numbers too: -1 and -2 by 32 give 0.
// RUN: tile-run %s --kernel rounded --device sim --variant all --arg x=const:128 -DCEIL=4 -DUP=128 | FileCheck %s
// RUN: tile-run %s --kernel rounded --device sim --variant all --arg x=const:1 -DCEIL=1 -DUP=32 | FileCheck %s
// RUN: tile-run %s --kernel rounded --device sim --variant all --arg x=const:-1 -DCEIL=0 -DUP=0 | FileCheck %s
// RUN: tile-run %s --kernel rounded --device sim --variant all --arg x=const:-2 -DCEIL=0 -DUP=0 | FileCheck %s
// RUN: tile-run %s --kernel rounded --device sim --variant all --arg x=const:-33 -DCEIL=-1 -DUP=-32 | FileCheck %s
// $CEIL = 0
// $UP = 0
tile.kernel @rounded(%x: memref<1xi32>, %o: memref<2xi32>) grid(%g) in (1) threads(32) {
  %v = tile.load %x[0] : memref<1xi32>
  %n = arith.index_cast %v : i32 to index
  %ceil = affine.apply affine_map<(n) -> (n ceildiv 32)>(%n)
  %up = affine.apply affine_map<(n) -> ((n ceildiv 32) * 32)>(%n)
  %c32 = arith.constant 32 : index
  %other = arith.ceildivsi %n, %c32 : index
  %i32 = arith.constant 32 : i32
  %narrow = arith.ceildivsi %v, %i32 : i32
  %wantCeil = arith.constant $CEIL : index
  %wantUp = arith.constant $UP : index
  %narrowIndex = arith.index_cast %narrow : i32 to index
  %a = arith.cmpi eq, %ceil, %wantCeil : index
  %b = arith.cmpi eq, %up, %wantUp : index
  %c = arith.cmpi eq, %other, %wantCeil : index
  %d = arith.cmpi eq, %narrowIndex, %wantCeil : index
  tile.assert %a, "ceildiv of a bracket"
  tile.assert %b, "rounded up to a multiple"
  tile.assert %c, "ceildivsi of an index"
  tile.assert %d, "ceildivsi of i32"
  tile.parallel %i in (1) {
    tile.store %narrow, %o[0] : memref<2xi32>
    %m = arith.index_cast %up : index to i32
    tile.store %m, %o[1] : memref<2xi32>
  }
}

// An index that lives in a private variable.
// RUN: tile-run %s --kernel variable --device sim --variant all | FileCheck %s
tile.kernel @variable(%o: memref<2048xi32>) grid(%g) in (1) threads(64) {
  %t = tile.thread_id
  %at = tile.alloc_local : memref<1xi32, #tile.local>
  tile.serial %k in (32) {
    %n = affine.apply affine_map<(k, t) -> (k * 64 + t)>(%k, %t)
    %n32 = arith.index_cast %n : index to i32
    tile.store %n32, %at[0] : memref<1xi32, #tile.local>
    %i32 = tile.load %at[0] : memref<1xi32, #tile.local>
    %i = arith.index_cast %i32 : i32 to index
    tile.store %i32, %o[%i] : memref<2048xi32>
  }
  tile.sync
  tile.parallel %i in (2048) {
    %v = tile.load %o[%i] : memref<2048xi32>
    %w = arith.index_cast %v : i32 to index
    %is = arith.cmpi eq, %w, %i : index
    tile.assert %is, "each element holds its index"
  }
}

// A condition on an element is asked again after the element has changed.
// RUN: tile-run %s --kernel again --device sim --variant all | FileCheck %s
tile.kernel @again(%x: memref<32xi32>, %o: memref<32xi32>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : memref<32xi32, #tile.shared>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  tile.fill %s with 0 : memref<32xi32, #tile.shared>
  tile.parallel %i in (32) {
    %a = tile.load %s[%i] : memref<32xi32, #tile.shared>
    %isZero = arith.cmpi eq, %a, %zero : i32
    scf.if %isZero {
      tile.store %one, %s[%i] : memref<32xi32, #tile.shared>
    }
    %b = tile.load %s[%i] : memref<32xi32, #tile.shared>
    %isStill = arith.cmpi eq, %b, %zero : i32
    %v = arith.select %isStill, %zero, %b : i32
    scf.if %isStill {
      tile.store %zero, %o[%i] : memref<32xi32>
    } else {
      tile.store %v, %o[%i] : memref<32xi32>
    }
    %c = tile.load %o[%i] : memref<32xi32>
    %is = arith.cmpi eq, %c, %one : i32
    tile.assert %is, "the second condition sees the one"
    // A value that was loaded before stays what it was.
    %was = arith.cmpi eq, %a, %zero : i32
    tile.assert %was, "a loaded value does not change"
  }
}

// A choice for each element inside a vector.
// RUN: tile-run %s --kernel each --device sim --variant all --dim N=1000 | FileCheck %s
tile.kernel @each[%N](%x[%N]: !X, %o[%N]: !X) grid(%b) in (%N ceildiv 256) threads(64) {
  %zero = arith.constant 0.0 : f32
  %t = tile.thread_id
  tile.vectorized %v in (4) {
    %e = tile.load %x[%b * 256 + %t * 4 + %v] : !X
    %isLow = arith.cmpf olt, %e, %zero : f32
    %n = arith.negf %e : f32
    %r = arith.select %isLow, %n, %e : f32
    tile.store %r, %o[%b * 256 + %t * 4 + %v] : !X
  }
}
