// Rows too long for the registers give what short ones would, whatever else the kernel does with them.
// RUN: tile-run %s --kernel wraps --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel ordered --device sim --variant all --arg z=@y | FileCheck %s
// RUN: tile-run %s --kernel ordered --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel exchanged --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel padded --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel weighted --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel overhanging --device sim --variant all -DX=30000 -DY=40000 -DW=40000 | FileCheck %s
// RUN: tile-run %s --kernel overhanging --device sim --variant all -DX=40000 -DY=30000 -DW=40000 | FileCheck %s
// RUN: tile-run %s --kernel overhanging --device sim --variant all -DX=39999 -DY=39997 -DW=30000 | FileCheck %s
// CHECK: verdict: right
// $X = 40000
// $Y = 40000
// $W = 40000
!One = memref<1xf32, #tile.fragment>
!Row = memref<1x70000xf32, #tile.fragment>
!T = memref<1x70000xf32>
!Q = memref<128x128xf32>
!Square = memref<128x128xf32, #tile.fragment>
!S = memref<32x64xf32, #tile.shared>
!OneInt = memref<1xi32, #tile.fragment>
!RowInt = memref<1x40000xi32, #tile.fragment>
!TInt = memref<1x40000xi32>
!TY = memref<1x$Yxi32>

// The sum of a part wraps to a negative number, whose absolute value is no part of the whole.
tile.kernel @wraps(%x: !TInt, %y: !TInt) grid(%b) in (1) threads(256) disjoint(%x, %y) {
  %r = tile.alloc_fragment : !RowInt
  %s = tile.alloc_fragment : !OneInt
  %large = arith.constant 123456789 : i32
  tile.copy %x[%b, 0] to %r : !TInt to !RowInt
  tile.parallel (%i, %j) in (1, 40000) {
    %v = tile.load %r[%i, %j] : !RowInt
    %w = arith.muli %v, %large : i32
    tile.store %w, %r[%i, %j] : !RowInt
  }
  tile.reduce abssum %r into %s dim 1 : !RowInt into !OneInt
  tile.parallel (%i, %j) in (1, 40000) {
    %v = tile.load %r[%i, %j] : !RowInt
    %o = tile.load %s[%i] : !OneInt
    %w = arith.addi %v, %o : i32
    tile.store %w, %y[%b + %i, %j] : !TInt
  }
}

// Where %z is %y, what is written to %z is written last, and what is read of %y before it is what was there.
tile.kernel @ordered(%x: !TInt, %y: !TInt, %z: !TInt, %o: memref<4xi32>) grid(%b) in (1) threads(256)
    disjoint(%x, %y, %o) disjoint(%x, %z, %o) {
  %r = tile.alloc_fragment : !RowInt
  %s = tile.alloc_fragment : !OneInt
  tile.copy %x[%b, 0] to %r : !TInt to !RowInt
  tile.reduce sum %r into %s dim 1 : !RowInt into !OneInt
  tile.parallel (%i, %j) in (1, 40000) {
    %v = tile.load %r[%i, %j] : !RowInt
    %q = tile.load %s[%i] : !OneInt
    %w = arith.addi %v, %q : i32
    tile.store %w, %r[%i, %j] : !RowInt
  }
  tile.copy %r to %y[0, 0] : !RowInt to !TInt
  tile.parallel %i in (4) {
    %e = tile.load %y[0, %i + 39990] : !TInt
    tile.store %e, %o[%i] : memref<4xi32>
  }
  tile.copy %r to %z[0, 7] : !RowInt to !TInt
}

// A square passes through shared memory on its way to its transpose, while the row waits there.
tile.kernel @exchanged(%x: !T, %y: !T, %q: !Q, %p: !Q) grid(%b) in (1) threads(256) disjoint(%x, %y, %q, %p) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  %a = tile.alloc_fragment : !Square
  tile.copy %q to %a : !Q to !Square
  tile.copy %x[%b, 0] to %r : !T to !Row
  tile.reduce max %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (128, 128) {
    %v = tile.load %a[%j, %i] : !Square
    %o = tile.load %s[0] : !One
    %w = arith.addf %v, %o : f32
    tile.store %w, %p[%i, %j] : !Q
  }
  tile.parallel (%i, %j) in (1, 70000) {
    %v = tile.load %r[%i, %j] : !Row
    %o = tile.load %s[%i] : !One
    %w = arith.subf %o, %v : f32
    tile.store %w, %y[%b + %i, %j] : !T
  }
}

// The padding of a tile takes shared memory too.
tile.kernel @padded(%x: !T, %y: !T, %q: memref<32x64xf32>, %p: memref<64x32xf32>) grid(%b) in (1) threads(512)
    disjoint(%x, %y, %q, %p) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  %t = tile.alloc_shared layout(#tile.padded<1000>) : !S
  tile.copy %q to %t : memref<32x64xf32> to !S
  tile.copy %x[%b, 0] to %r : !T to !Row
  tile.reduce max %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (64, 32) {
    %v = tile.load %t[%j, %i] : !S
    tile.store %v, %p[%i, %j] : memref<64x32xf32>
  }
  tile.parallel (%i, %j) in (1, 70000) {
    %v = tile.load %r[%i, %j] : !Row
    %o = tile.load %s[%i] : !One
    %w = arith.subf %o, %v : f32
    tile.store %w, %y[%b + %i, %j] : !T
  }
}

// Weights of the whole row are a fragment of another shape.
tile.kernel @weighted(%x: !T, %w: memref<70000xf32>, %y: !T) grid(%b) in (1) threads(512) disjoint(%x, %y, %w) {
  %r = tile.alloc_fragment : !Row
  %s = tile.alloc_fragment : !One
  %a = tile.alloc_fragment : memref<70000xf32, #tile.fragment>
  tile.copy %w[0] to %a : memref<70000xf32> to memref<70000xf32, #tile.fragment>
  tile.copy %x[%b, 0] to %r : !T to !Row
  tile.reduce max %r into %s dim 1 : !Row into !One
  tile.parallel (%i, %j) in (1, 70000) {
    %v = tile.load %r[%i, %j] : !Row
    %u = tile.load %a[%j] : memref<70000xf32, #tile.fragment>
    %o = tile.load %s[%i] : !One
    %d = arith.subf %o, %v : f32
    %e = arith.mulf %d, %u : f32
    tile.store %e, %y[%b + %i, %j] : !T
  }
}

// The row runs over the end of its tensors.
tile.kernel @overhanging(%x: memref<1x$Xxi32>, %y: !TY, %w: memref<$Wxi32>) grid(%b) in (1) threads(33) disjoint(%x, %y, %w) {
  %r = tile.alloc_fragment : !RowInt
  %s = tile.alloc_fragment : !OneInt
  tile.copy %x[0, 0] to %r pad 3 : memref<1x$Xxi32> to !RowInt
  tile.reduce max %r into %s dim 1 : !RowInt into !OneInt
  tile.parallel (%i, %j) in (1, 40000) {
    %v = tile.load %r[%i, %j] : !RowInt
    %o = tile.load %s[%i] : !OneInt
    %u = tile.load %w[%j + 2] pad 5 : memref<$Wxi32>
    %d = arith.subi %o, %v : i32
    %e = arith.addi %d, %u : i32
    tile.store %e, %r[%i, %j] : !RowInt
  }
  tile.copy %r to %y[0, 0] : !RowInt to !TY
}
