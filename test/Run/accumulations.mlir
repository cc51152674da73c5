// Reductions over many tiles: partial results kept over loops, combined at the end; several reductions of one value in a
// kernel; what is wrong with a reduction's operands is said.

// Partial sums of 32 rows over tiles of their columns, kept by each thread over the loop, serial or pipelined, and combined
// once; the same by reductions that accumulate.
// RUN: tile-run %s --kernel partial --device sim --variant all --atol 1e-4 "-DLOOP=serial %k in (4)" | FileCheck %s
// RUN: tile-run %s --kernel partial --device sim --variant all --atol 1e-4 "-DLOOP=pipelined %k in (4) stages(2)" | FileCheck %s
// RUN: tile-run %s --kernel partial --device sim --variant all -DT=i32 -DADD=addi -DZERO=0 "-DLOOP=pipelined %k in (4) stages(3)" | FileCheck %s
// RUN: tile-run %s --kernel partial --device sim --variant all --atol 1e-4 -DC=96 -DTHREADS=96 "-DLOOP=pipelined %k in (1) stages(2)" | FileCheck %s
// RUN: tile-run %s --kernel partial --device sim --variant all --rtol 2e-2 --atol 1e-2 -DT=f16 "-DLOOP=serial %k in (4)" | FileCheck %s
// CHECK: verdict: right
// $T = f32
// $C = 128
// $THREADS = 128
// $ADD = addf
// $ZERO = 0.0
// $LOOP = serial %k in (4)
!X = memref<32x512x$T>
!Tile = memref<32x$Cx$T, #tile.fragment>
!Staged = memref<32x$Cx$T, #tile.shared>
!Row = memref<32x$T, #tile.fragment>
tile.kernel @partial(%x: !X, %o: memref<32x$T>, %p: memref<32x$T>, %q: memref<32x$T>) grid(%g) in (1) threads($THREADS) {
  %s = tile.alloc_shared : !Staged
  %sum = tile.alloc_fragment : !Tile
  %row = tile.alloc_fragment : !Row
  %again = tile.alloc_fragment : !Row
  %top = tile.alloc_fragment : !Row
  tile.fill %sum with $ZERO : !Tile
  tile.fill %again with $ZERO : !Row
  tile.fill %top with $ZERO : !Row
  tile.$LOOP {
    tile.copy %x[0, %k * $C] to %s : !X to !Staged
    tile.parallel (%i, %j) in (32, $C) {
      %v = tile.load %s[%i, %j] : !Staged
      %u = tile.load %sum[%i, %j] : !Tile
      %w = arith.$ADD %u, %v : $T
      tile.store %w, %sum[%i, %j] : !Tile
    }
    tile.reduce sum %s into %again dim 1 accumulate : !Staged into !Row
    tile.reduce absmax %s into %top dim 1 accumulate : !Staged into !Row
  }
  tile.reduce sum %sum into %row dim 1 : !Tile into !Row
  tile.copy %row to %o : !Row to memref<32x$T>
  tile.copy %again to %p : !Row to memref<32x$T>
  tile.copy %top to %q : !Row to memref<32x$T>
}

// Tiles of different widths into one result, at indices that are a permutation, and only where a condition holds.
// RUN: tile-run %s --kernel mixed --device sim --variant all --arg n=3 | FileCheck %s
// RUN: tile-run %s --kernel mixed --device sim --variant all --arg n=0 | FileCheck %s
tile.kernel @mixed(%x: memref<16x160xi32>, %o: memref<16xi32>, %n: index) grid(%g) in (1) threads(64) {
  %wide = tile.alloc_fragment : memref<16x96xi32, #tile.fragment>
  %narrow = tile.alloc_fragment : memref<16x37xi32, #tile.fragment>
  %row = tile.alloc_fragment : memref<16xi32, #tile.fragment>
  %other = tile.alloc_fragment : memref<16xi32, #tile.fragment>
  %zero = arith.constant 0 : index
  tile.fill %row with 11 : memref<16xi32, #tile.fragment>
  tile.copy %x to %wide : memref<16x160xi32> to memref<16x96xi32, #tile.fragment>
  tile.reduce sum %wide into %row dim 1 accumulate : memref<16x96xi32, #tile.fragment> into memref<16xi32, #tile.fragment>
  %some = arith.cmpi sgt, %n, %zero : index
  scf.if %some {
    tile.copy %x[0, 100] to %narrow : memref<16x160xi32> to memref<16x37xi32, #tile.fragment>
    tile.reduce sum %narrow into %row dim 1 accumulate : memref<16x37xi32, #tile.fragment> into memref<16xi32, #tile.fragment>
  }
  tile.parallel %i in (16) {
    %v = tile.load %row[(%i * 5 + 3) mod 16] : memref<16xi32, #tile.fragment>
    tile.store %v, %other[%i] : memref<16xi32, #tile.fragment>
  }
  tile.copy %other to %o : memref<16xi32, #tile.fragment> to memref<16xi32>
}

// The largest so far and the sum of powers so far, rescaled whenever the largest changes, tile after tile.
// RUN: tile-run %s --kernel online --device sim --variant all --dim M=9 "-DLOOP=serial %k in (4)" | FileCheck %s
// RUN: tile-run %s --kernel online --device sim --variant all --dim M=4 -DTHREADS=96 "-DLOOP=pipelined %k in (4) stages(2)" | FileCheck %s
!A = memref<?x512xf16>
!Part = memref<4x128xf32, #tile.fragment>
!Four = memref<4xf32, #tile.fragment>
tile.kernel @online[%M](%a[%M, 512]: !A, %o[%M, 512]: !A) grid(%b) in (%M ceildiv 4) threads($THREADS) {
  %h = tile.alloc_shared : memref<4x128xf16, #tile.shared>
  %f = tile.alloc_fragment : !Part
  %top = tile.alloc_fragment : !Four
  %new = tile.alloc_fragment : !Four
  %sum = tile.alloc_fragment : !Four
  %part = tile.alloc_fragment : !Four
  tile.fill %top with -inf : !Four
  tile.fill %sum with 0.0 : !Four
  tile.$LOOP {
    tile.copy %a[%b * 4, %k * 128] to %h : !A to memref<4x128xf16, #tile.shared>
    tile.copy %h to %f cast : memref<4x128xf16, #tile.shared> to !Part
    tile.copy %top to %new : !Four to !Four
    tile.reduce max %f into %new dim 1 accumulate : !Part into !Four
    tile.parallel (%i, %j) in (4, 128) {
      %v = tile.load %f[%i, %j] : !Part
      %m = tile.load %new[%i] : !Four
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      tile.store %e, %f[%i, %j] : !Part
    }
    tile.reduce sum %f into %part dim 1 : !Part into !Four
    tile.parallel %i in (4) {
      %old = tile.load %top[%i] : !Four
      %m = tile.load %new[%i] : !Four
      %d = arith.subf %old, %m : f32
      %scale = math.exp %d : f32
      %s = tile.load %sum[%i] : !Four
      %p = tile.load %part[%i] : !Four
      %t = arith.mulf %s, %scale : f32
      %u = arith.addf %t, %p : f32
      tile.store %u, %sum[%i] : !Four
      tile.store %m, %top[%i] : !Four
    }
  }
  tile.serial %k in (4) {
    tile.copy %a[%b * 4, %k * 128] to %f cast : !A to !Part
    tile.parallel (%i, %j) in (4, 128) {
      %v = tile.load %f[%i, %j] : !Part
      %m = tile.load %top[%i] : !Four
      %s = tile.load %sum[%i] : !Four
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      %r = arith.divf %e, %s : f32
      tile.store %r, %f[%i, %j] : !Part
    }
    tile.copy %f to %o[%b * 4, %k * 128] cast : !Part to !A
  }
}

// One tile reduced along each of its dimensions, its results along theirs, and all of it by another shape: layouts that
// differ are no obstacle.
// RUN: tile-run %s --kernel seven --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel seven --device sim --variant all -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel seven --device sim --variant all -DTHREADS=33 | FileCheck %s
!C3 = memref<6x16x16xi32, #tile.fragment>
!C2 = memref<16x16xi32, #tile.fragment>
!R2 = memref<6x16xi32, #tile.fragment>
!R1 = memref<16xi32, #tile.fragment>
!R0 = memref<i32, #tile.fragment>
tile.kernel @seven(%x: memref<6x16x16xi32>, %o: memref<16x16xi32>, %p: memref<6x16xi32>, %q: memref<6x16xi32>, %r: memref<16xi32>, %t: memref<3xi32>) grid(%g) in (1) threads($THREADS) {
  %c = tile.alloc_fragment : !C3
  %a = tile.alloc_fragment : !C2
  %b = tile.alloc_fragment : !R2
  %d = tile.alloc_fragment : !R2
  %e = tile.alloc_fragment : !R1
  %f = tile.alloc_fragment : memref<6xi32, #tile.fragment>
  %n = tile.alloc_fragment : !R0
  tile.copy %x to %c : memref<6x16x16xi32> to !C3
  tile.reduce sum %c into %a dim 0 : !C3 into !C2
  tile.reduce max %c into %b dim 1 : !C3 into !R2
  tile.reduce xor %c into %d dim 2 : !C3 into !R2
  tile.copy %a to %o : !C2 to memref<16x16xi32>
  tile.copy %b to %p : !R2 to memref<6x16xi32>
  tile.copy %d to %q : !R2 to memref<6x16xi32>
  tile.reduce sum %a into %e dim 1 : !C2 into !R1
  tile.copy %e to %r : !R1 to memref<16xi32>
  tile.reduce min %b into %f dim 1 : !R2 into memref<6xi32, #tile.fragment>
  tile.reduce sum %f into %n dim 0 : memref<6xi32, #tile.fragment> into !R0
  tile.copy %n to %t[0] : !R0 to memref<3xi32>
  %flat = tile.reshape %c : !C3 to memref<1536xi32, #tile.fragment>
  tile.reduce or %flat into %n dim 0 : memref<1536xi32, #tile.fragment> into !R0
  tile.copy %n to %t[1] : !R0 to memref<3xi32>
  tile.reduce sum %e into %n dim 0 : !R1 into !R0
  tile.copy %n to %t[2] : !R0 to memref<3xi32>
}

// Whether any, and whether all elements of a tile fulfil a condition steers a branch that the whole block takes.
// RUN: tile-run %s --kernel any_all --device sim --variant all --arg x=const:3 | FileCheck %s
// RUN: tile-run %s --kernel any_all --device sim --variant all --arg x=iota | FileCheck %s
// RUN: tile-run %s --kernel any_all --device sim --variant all --arg x=const:-1 | FileCheck %s
tile.kernel @any_all(%x: memref<7x33xi32>, %o: memref<2xi32>, %m: memref<7xi1>) grid(%g) in (1) threads(96) {
  %c = tile.alloc_fragment : memref<7x33xi1, #tile.fragment>
  %rows = tile.alloc_fragment : memref<7xi1, #tile.fragment>
  %all = tile.alloc_fragment : memref<i1, #tile.fragment>
  %any = tile.alloc_fragment : memref<i1, #tile.fragment>
  %zero = arith.constant 0 : i32
  tile.parallel (%i, %j) in (7, 33) {
    %v = tile.load %x[%i, %j] : memref<7x33xi32>
    %is = arith.cmpi sgt, %v, %zero : i32
    tile.store %is, %c[%i, %j] : memref<7x33xi1, #tile.fragment>
  }
  tile.reduce and %c into %rows dim 1 : memref<7x33xi1, #tile.fragment> into memref<7xi1, #tile.fragment>
  tile.copy %rows to %m : memref<7xi1, #tile.fragment> to memref<7xi1>
  tile.reduce and %rows into %all dim 0 : memref<7xi1, #tile.fragment> into memref<i1, #tile.fragment>
  %flat = tile.reshape %c : memref<7x33xi1, #tile.fragment> to memref<231xi1, #tile.fragment>
  tile.reduce or %flat into %any dim 0 : memref<231xi1, #tile.fragment> into memref<i1, #tile.fragment>
  %isAll = tile.load %all[] : memref<i1, #tile.fragment>
  %isAny = tile.load %any[] : memref<i1, #tile.fragment>
  tile.fill %o with 0 : memref<2xi32>
  scf.if %isAll {
    tile.parallel %i in (1) {
      %one = arith.constant 1 : i32
      tile.store %one, %o[0] : memref<2xi32>
    }
  }
  scf.if %isAny {
    tile.parallel %i in (1) {
      %two = arith.constant 2 : i32
      tile.store %two, %o[1] : memref<2xi32>
    }
  }
}

// A source that nothing wrote is a fault with its line.
// RUN: %status 1 tile-run %s --kernel unwritten --device sim --no-check | FileCheck %s --check-prefix=UNWRITTEN
// RUN: %status 1 tile-run %s --kernel unwritten --device sim | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: accumulations.mlir:[[#@LINE+5]]:{{[0-9]+}}: error: {{.*(nothing wrote|not written)}}
tile.kernel @unwritten(%o: memref<4xf32>) grid(%g) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<4x8xf32, #tile.fragment>
  %r = tile.alloc_fragment : memref<4xf32, #tile.fragment>
  // The line of the fault.
  tile.reduce sum %f into %r dim 1 : memref<4x8xf32, #tile.fragment> into memref<4xf32, #tile.fragment>
  tile.copy %r to %o : memref<4xf32, #tile.fragment> to memref<4xf32>
}
