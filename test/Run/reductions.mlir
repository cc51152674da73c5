// Reductions of every kind, along each dimension, from registers and from shared memory, on any number of threads.

// Floats: the tile shapes and thread counts, each type.
// RUN: tile-run %s --kernel floats --device sim --variant all --atol 1e-4 -DM=32 -DN=32 -DTHREADS=8 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=16 -DN=16 -DTHREADS=256 -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=128 -DN=64 -DTHREADS=128 -DT=bf16 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all --atol 1e-4 -DM=64 -DN=128 -DTHREADS=32 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=192 -DN=64 -DTHREADS=256 -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all --atol 1e-4 -DM=128 -DN=128 -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=33 -DN=48 -DTHREADS=16 -DT=bf16 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=6 -DN=96 -DTHREADS=128 -DT=f64 | FileCheck %s
// Rows over three, five and six warps: what they say to each other has padding, or is more than one move.
// RUN: tile-run %s --kernel floats --device sim --variant all --atol 1e-4 -DM=1 -DN=768 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=1 -DN=1280 -DTHREADS=160 -DT=f16 --atol 0.5 | FileCheck %s
// RUN: tile-run %s --kernel floats --device sim --variant all -DM=2 -DN=768 -DTHREADS=192 -DT=f64 | FileCheck %s
// CHECK: verdict: right
// $T = f32
// $M = 32
// $N = 32
// $THREADS = 128
!X = memref<$Mx$Nx$T>
!F = memref<$Mx$Nx$T, #tile.fragment>
!S = memref<$Mx$Nx$T, #tile.shared>
!Row = memref<$Mx$T, #tile.fragment>
!Column = memref<$Nx$T, #tile.shared>
!Rows = memref<9x$Mx$T>
!Columns = memref<9x$Nx$T>
tile.kernel @floats(%x: !X, %r: !Rows, %c: !Columns, %rs: !Rows, %cs: !Columns) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  %s = tile.alloc_shared : !S
  %row = tile.alloc_fragment : !Row
  %column = tile.alloc_shared : !Column
  tile.copy %x to %f : !X to !F
  tile.copy %x to %s : !X to !S
  tile.reduce sum %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[0, 0] : !Row to !Rows
  tile.reduce mean %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[1, 0] : !Row to !Rows
  tile.reduce prod %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[2, 0] : !Row to !Rows
  tile.reduce max %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[3, 0] : !Row to !Rows
  tile.reduce minnum %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[4, 0] : !Row to !Rows
  tile.reduce absmax %f into %row dim 1 : !F into !Row
  tile.copy %row to %r[5, 0] : !Row to !Rows
  tile.reduce abssum %s into %row dim 1 : !S into !Row
  tile.copy %row to %rs[6, 0] : !Row to !Rows
  tile.reduce min %s into %row dim 1 : !S into !Row
  tile.copy %row to %rs[7, 0] : !Row to !Rows
  tile.reduce maxnum %s into %row dim 1 : !S into !Row
  tile.copy %row to %rs[8, 0] : !Row to !Rows
  tile.reduce sum %s into %column dim 0 : !S into !Column
  tile.copy %column to %cs[0, 0] : !Column to !Columns
  tile.reduce max %s into %column dim 0 : !S into !Column
  tile.copy %column to %cs[1, 0] : !Column to !Columns
  tile.reduce mean %f into %column dim 0 : !F into !Column
  tile.copy %column to %c[2, 0] : !Column to !Columns
  tile.reduce absmax %f into %column dim 0 : !F into !Column
  tile.copy %column to %c[3, 0] : !Column to !Columns
  tile.reduce abssum %f into %column dim 0 : !F into !Column
  tile.copy %column to %c[4, 0] : !Column to !Columns
}

// Integers wrap at their width; the unsigned kinds see another order.
// RUN: tile-run %s --kernel integers --device sim --variant all -DM=32 -DN=32 -DTHREADS=32 -DI=i32 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -DM=64 -DN=128 -DTHREADS=128 -DI=i64 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -DM=192 -DN=64 -DTHREADS=16 -DI=i32 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -DM=33 -DN=47 -DTHREADS=96 -DI=i16 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -DM=16 -DN=16 -DTHREADS=8 -DI=i8 | FileCheck %s
// $I = i32
!IX = memref<$Mx$Nx$I>
!IF = memref<$Mx$Nx$I, #tile.fragment>
!IS = memref<$Mx$Nx$I, #tile.shared>
!IRow = memref<$Mx$I, #tile.fragment>
!IColumn = memref<$Nx$I, #tile.shared>
!IRows = memref<9x$Mx$I>
!IColumns = memref<9x$Nx$I>
tile.kernel @integers(%x: !IX, %r: !IRows, %c: !IColumns) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !IF
  %s = tile.alloc_shared : !IS
  %row = tile.alloc_fragment : !IRow
  %column = tile.alloc_shared : !IColumn
  tile.copy %x to %f : !IX to !IF
  tile.copy %x to %s : !IX to !IS
  tile.reduce sum %f into %row dim 1 : !IF into !IRow
  tile.copy %row to %r[0, 0] : !IRow to !IRows
  tile.reduce prod %f into %row dim 1 : !IF into !IRow
  tile.copy %row to %r[1, 0] : !IRow to !IRows
  tile.reduce max %s into %row dim 1 : !IS into !IRow
  tile.copy %row to %r[2, 0] : !IRow to !IRows
  tile.reduce umax %f into %row dim 1 : !IF into !IRow
  tile.copy %row to %r[3, 0] : !IRow to !IRows
  tile.reduce umin %s into %row dim 1 : !IS into !IRow
  tile.copy %row to %r[4, 0] : !IRow to !IRows
  tile.reduce absmax %f into %row dim 1 : !IF into !IRow
  tile.copy %row to %r[5, 0] : !IRow to !IRows
  tile.reduce abssum %s into %row dim 1 : !IS into !IRow
  tile.copy %row to %r[6, 0] : !IRow to !IRows
  tile.reduce and %s into %column dim 0 : !IS into !IColumn
  tile.copy %column to %c[0, 0] : !IColumn to !IColumns
  tile.reduce or %f into %column dim 0 : !IF into !IColumn
  tile.copy %column to %c[1, 0] : !IColumn to !IColumns
  tile.reduce xor %f into %column dim 0 : !IF into !IColumn
  tile.copy %column to %c[2, 0] : !IColumn to !IColumns
  tile.reduce min %s into %column dim 0 : !IS into !IColumn
  tile.copy %column to %c[3, 0] : !IColumn to !IColumns
}

// The old value is combined once, however often the layout holds source or target.
// RUN: tile-run %s --kernel once --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel once --device sim --variant all -DM=128 -DN=128 -DTHREADS=96 -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel copies --device sim --variant all | FileCheck %s
tile.kernel @once(%x: !X, %a: memref<$Mx$T>, %b: memref<$Mx$T>, %c: memref<$Nx$T>) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  %ones = tile.alloc_fragment : !F
  %row = tile.alloc_fragment : !Row
  %column = tile.alloc_shared : !Column
  tile.copy %x to %f : !X to !F
  tile.fill %ones with 1.0 : !F
  tile.fill %row with 1.0 : !Row
  tile.reduce sum %ones into %row dim 1 accumulate : !F into !Row
  tile.parallel %i in ($M) {
    %v = tile.load %row[%i] : !Row
    %n = arith.constant $N : i32
    %one = arith.constant 1 : i32
    %more = arith.addi %n, %one : i32
    %want = arith.sitofp %more : i32 to $T
    %is = arith.cmpf oeq, %v, %want : $T
    tile.assert %is, "one and a one for each column"
  }
  tile.copy %row to %a : !Row to memref<$Mx$T>
  tile.fill %row with -inf : !Row
  tile.reduce max %f into %row dim 1 accumulate : !F into !Row
  tile.copy %row to %b : !Row to memref<$Mx$T>
  tile.fill %column with 1.0 : !Column
  tile.reduce sum %f into %column dim 0 accumulate : !F into !Column
  tile.copy %column to %c : !Column to memref<$Nx$T>
}

#packed = #tile.distributed<32 = [(8 thread, 4 reg)] threads 128 copies (16 thread * 8)>
#spread = #tile.distributed<32 = [(32 thread * 2)] threads 128 copies (2 thread, 2 thread * 64)>
#twice = #tile.distributed<32x8 = [(16 thread, 2 reg * 4), (2 thread * 16, 4 reg)] threads 128 copies (4 thread * 32)>
tile.kernel @copies(%x: memref<32x8xf32>, %a: memref<32xf32>, %b: memref<32xf32>) grid(%g) in (1) threads(128) {
  %f = tile.alloc_fragment layout(#twice) : memref<32x8xf32, #tile.fragment>
  %p = tile.alloc_fragment layout(#packed) : memref<32xf32, #tile.fragment>
  %q = tile.alloc_fragment layout(#spread) : memref<32xf32, #tile.fragment>
  tile.copy %x to %f : memref<32x8xf32> to memref<32x8xf32, #tile.fragment>
  tile.fill %p with 1.0 : memref<32xf32, #tile.fragment>
  tile.fill %q with 2.0 : memref<32xf32, #tile.fragment>
  tile.serial %k in (3) {
    tile.reduce sum %f into %p dim 1 accumulate : memref<32x8xf32, #tile.fragment> into memref<32xf32, #tile.fragment>
    tile.reduce abssum %f into %q dim 1 accumulate : memref<32x8xf32, #tile.fragment> into memref<32xf32, #tile.fragment>
  }
  tile.copy %p to %a : memref<32xf32, #tile.fragment> to memref<32xf32>
  tile.copy %q to %b : memref<32xf32, #tile.fragment> to memref<32xf32>
}

// A sum of 16-bit floats goes on beyond what they can count to, and is rounded once.
// RUN: tile-run %s --kernel many --device sim --variant all -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel many --device sim --variant all -DT=bf16 | FileCheck %s
tile.kernel @many(%o: memref<1x$T>) grid(%g) in (1) threads(64) {
  %f = tile.alloc_fragment : memref<4096x$T, #tile.fragment>
  %s = tile.alloc_fragment : memref<$T, #tile.fragment>
  tile.fill %f with 1.0 : memref<4096x$T, #tile.fragment>
  tile.reduce sum %f into %s dim 0 : memref<4096x$T, #tile.fragment> into memref<$T, #tile.fragment>
  %v = tile.load %s[] : memref<$T, #tile.fragment>
  %want = arith.constant 4096.0 : $T
  %is = arith.cmpf oeq, %v, %want : $T
  tile.assert %is, "4096 ones"
  tile.parallel %i in (1) {
    tile.store %v, %o[0] : memref<1x$T>
  }
}

// Sources on some of the threads only, two such groups, neither a power of two; two rows a thread.
// RUN: tile-run %s --kernel groups --device sim --variant all | FileCheck %s
tile.kernel @groups(%x: memref<12x40xf32>, %a: memref<12xf32>, %b: memref<40xf32>, %c: memref<12xf32>, %d: memref<40xf32>) grid(%g) in (1) threads(128) {
  %low = tile.alloc_fragment layout(#tile.distributed<12x40 = [(6 thread * 5, 2 reg * 8), (5 thread, 8 reg)] threads 128>) : memref<12x40xf32, #tile.fragment>
  %high = tile.alloc_fragment layout(#tile.distributed<12x40 = [(12 reg), (40 thread * 3)] threads 128>) : memref<12x40xf32, #tile.fragment>
  %row = tile.alloc_fragment : memref<12xf32, #tile.fragment>
  %column = tile.alloc_fragment : memref<40xf32, #tile.fragment>
  %row2 = tile.alloc_fragment : memref<12xf32, #tile.fragment>
  %column2 = tile.alloc_fragment : memref<40xf32, #tile.fragment>
  tile.copy %x to %low : memref<12x40xf32> to memref<12x40xf32, #tile.fragment>
  tile.copy %x to %high : memref<12x40xf32> to memref<12x40xf32, #tile.fragment>
  tile.reduce sum %low into %row dim 1 : memref<12x40xf32, #tile.fragment> into memref<12xf32, #tile.fragment>
  tile.reduce max %low into %column dim 0 : memref<12x40xf32, #tile.fragment> into memref<40xf32, #tile.fragment>
  tile.reduce max %high into %row2 dim 1 : memref<12x40xf32, #tile.fragment> into memref<12xf32, #tile.fragment>
  tile.reduce sum %high into %column2 dim 0 : memref<12x40xf32, #tile.fragment> into memref<40xf32, #tile.fragment>
  tile.copy %row to %a : memref<12xf32, #tile.fragment> to memref<12xf32>
  tile.copy %column to %b : memref<40xf32, #tile.fragment> to memref<40xf32>
  tile.copy %row2 to %c : memref<12xf32, #tile.fragment> to memref<12xf32>
  tile.copy %column2 to %d : memref<40xf32, #tile.fragment> to memref<40xf32>
}
