// Quotients and remainders of all pairs of bytes, each by the rule of its operation; a = (a / b) * b + a rem b.
// RUN: tile-run %s --device sim --variant all --arg wrong=zeros --out wrong=%t.npy | FileCheck %s
// CHECK: wrong: 1 i32, max error 0, ok
// CHECK: verdict: right
!O = memref<256x256xi8>
tile.kernel @pairs(%q: !O, %f: !O, %c: !O, %r: !O, %u: !O, %wrong: memref<1xi32>) grid(%b) in (256) threads(256) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %minus = arith.constant -1 : i8
  %lowest = arith.constant -128 : i8
  %bad = arith.constant 1 : i32
  %x = arith.index_cast %b : index to i8
  tile.parallel %j in (256) {
    %w = arith.index_cast %j : index to i8
    %isZero = arith.cmpi eq, %w, %zero : i8
    %isMinus = arith.cmpi eq, %w, %minus : i8
    %isLowest = arith.cmpi eq, %x, %lowest : i8
    %overflows = arith.andi %isMinus, %isLowest : i1
    %undefined = arith.ori %isZero, %overflows : i1
    %y = arith.select %undefined, %one, %w : i8
    %d = arith.divsi %x, %y : i8
    %e = arith.floordivsi %x, %y : i8
    %g = arith.ceildivsi %x, %y : i8
    %m = arith.remsi %x, %y : i8
    %v = arith.divui %x, %y : i8
    tile.store %d, %q[%b, %j] : !O
    tile.store %e, %f[%b, %j] : !O
    tile.store %g, %c[%b, %j] : !O
    tile.store %m, %r[%b, %j] : !O
    tile.store %v, %u[%b, %j] : !O
    %p = arith.muli %d, %y : i8
    %s = arith.addi %p, %m : i8
    %differs = arith.cmpi ne, %s, %x : i8
    scf.if %differs {
      tile.atomic add %bad, %wrong[0] : memref<1xi32>
    }
  }
}
