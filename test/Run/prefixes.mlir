// Scans of tiles cut from larger tensors: each dimension, both directions, from and to registers and shared memory.

// Sums within square and oblong tiles; whole numbers, so that no order of additions matters.
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=128 --dim N=128 --arg x=iota | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=192 --dim N=160 --arg x=ones -DC=32 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=130 --dim N=70 --arg x=ones -DTHREADS=32 | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=64 --dim N=64 --atol 1e-3 --rtol 1e-3 -DTHREADS=1024 | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=80 --dim N=80 --arg x=const:-3.5 -DR=40 -DC=40 -DSUM=max -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=80 --dim N=80 -DR=40 -DC=40 -DSUM=max | FileCheck %s
// RUN: tile-run %s --kernel tiles --device sim --variant all --dim M=33 --dim N=47 -DR=33 -DC=47 -DSUM=min -DTHREADS=48 | FileCheck %s
// CHECK: verdict: right
// $R = 64
// $C = 64
// $SUM = sum
// $THREADS = 128
!X = memref<?x?xf32>
!Shared = memref<$Rx$Cxf32, #tile.shared>
!Fragment = memref<$Rx$Cxf32, #tile.fragment>
tile.kernel @tiles[%M, %N](%x[%M, %N]: !X, %a[%M, %N]: !X, %b[%M, %N]: !X, %c[%M, %N]: !X, %d[%M, %N]: !X)
    grid(%bx, %by) in (%N ceildiv $C, %M ceildiv $R) threads($THREADS) {
  %s = tile.alloc_shared : !Shared
  %t = tile.alloc_shared : !Shared
  %f = tile.alloc_fragment : !Fragment
  %h = tile.alloc_fragment : !Fragment
  tile.copy %x[%by * $R, %bx * $C] to %s : !X to !Shared
  tile.copy %x[%by * $R, %bx * $C] to %f : !X to !Fragment
  tile.scan $SUM %f into %h dim 1 : !Fragment into !Fragment
  tile.copy %h to %a[%by * $R, %bx * $C] : !Fragment to !X
  tile.scan $SUM %s into %h dim 0 : !Shared into !Fragment
  tile.copy %h to %b[%by * $R, %bx * $C] : !Fragment to !X
  tile.scan $SUM %f into %t dim 0 reverse : !Fragment into !Shared
  tile.copy %t to %c[%by * $R, %bx * $C] : !Shared to !X
  tile.scan $SUM %s into %s dim 1 reverse : !Shared into !Shared
  tile.copy %s to %d[%by * $R, %bx * $C] : !Shared to !X
}

// A row in pieces of 64, and a region of 250 of it that begins anywhere, with what follows left alone.
// RUN: tile-run %s --kernel pieces --device sim --variant all --arg x=iota --arg at=0 | FileCheck %s
// RUN: tile-run %s --kernel pieces --device sim --variant all --arg x=iota --arg at=131 -DTHREADS=48 | FileCheck %s
// RUN: tile-run %s --kernel pieces --device sim --variant all --arg x=iota --arg at=262 -DTHREADS=512 | FileCheck %s
!Row = memref<512xi32, #tile.shared>
!Piece = memref<64xi32, #tile.shared>
!Region = memref<250xi32, #tile.shared>
tile.kernel @pieces(%x: memref<512xi32>, %o: memref<512xi32>, %p: memref<512xi32>, %at: index) grid(%g) in (1) threads($THREADS) {
  %s = tile.alloc_shared : !Row
  %r = tile.alloc_shared : !Row
  tile.copy %x to %s : memref<512xi32> to !Row
  tile.copy %x to %r : memref<512xi32> to !Row
  tile.serial %k in (8) {
    %piece = tile.slice %s[%k * 64] : !Row to !Piece
    tile.scan sum %piece into %piece dim 0 : !Piece into !Piece
  }
  tile.copy %s to %o : !Row to memref<512xi32>
  %region = tile.slice %r[%at] : !Row to !Region
  tile.scan sum %region into %region dim 0 reverse exclusive : !Region into !Region
  tile.copy %r to %p : !Row to memref<512xi32>
}

// Running sums of whole rows, of 16-bit floats too: long ones, odd ones, of a tensor of three dimensions.
// RUN: tile-run %s --kernel rows --device sim --variant all --dim M=4 -DN=4096 -DT=f16 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --dim M=2 -DN=8200 -DT=bf16 -DTHREADS=256 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --dim M=1 -DN=32768 -DT=f32 -DTHREADS=1024 --rtol 1e-3 --atol 1e-2 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --dim M=1 -DN=32768 -DT=f16 -DTHREADS=512 --arg x=const:0.001 | FileCheck %s
// RUN: tile-run %s --kernel planes --device sim --variant all -DN=4096 -DT=bf16 | FileCheck %s
// $T = f32
// $N = 64
!Long = memref<?x$Nx$T>
!One = memref<1x$Nx$T, #tile.fragment>
tile.kernel @rows[%M](%x[%M, $N]: !Long, %o[%M, $N]: !Long) grid(%b) in (%M) threads($THREADS) {
  %f = tile.alloc_fragment : !One
  tile.copy %x[%b, 0] to %f : !Long to !One
  tile.scan sum %f into %f dim 1 : !One into !One
  tile.copy %f to %o[%b, 0] : !One to !Long
}
!Planes = memref<2x3x$Nx$T>
!Plane = memref<1x3x$Nx$T, #tile.fragment>
tile.kernel @planes(%x: !Planes, %o: !Planes) grid(%b) in (2) threads($THREADS) {
  %f = tile.alloc_fragment : !Plane
  tile.copy %x[%b, 0, 0] to %f : !Planes to !Plane
  tile.scan sum %f into %f dim 2 : !Plane into !Plane
  tile.copy %f to %o[%b, 0, 0] : !Plane to !Planes
}

// A long tile in shared memory under a serial scan of one thread: compiled in no time.
// RUN: tile-run %s --kernel serially --device sim --variant all | FileCheck %s
!Many = memref<4160xi32, #tile.shared>
tile.kernel @serially(%x: memref<4160xi32>, %o: memref<4160xi32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : !Many
  %t = tile.thread_id
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %t, %zero : index
  tile.copy %x to %s : memref<4160xi32> to !Many
  scf.if %first {
    tile.serial %k in (4159) {
      %a = tile.load %s[%k] : !Many
      %b = tile.load %s[%k + 1] : !Many
      %c = arith.addi %a, %b : i32
      tile.store %c, %s[%k + 1] : !Many
    }
  }
  tile.copy %s to %o : !Many to memref<4160xi32>
}
