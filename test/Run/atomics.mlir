// Atomics on tiles: many slices into one, every block into one, from shared memory under any layout.

// Eight slices into one matrix, tile by tile, and every block into the same one; whole numbers, so that the order is free.
// RUN: tile-run %s --kernel slices --device sim --variant all --arg x=ones --arg o=zeros --arg p=zeros | FileCheck %s
// RUN: tile-run %s --kernel slices --device sim --variant all --arg x=ones --arg o=ones --arg p=zeros -DT=f16 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel slices --device sim --variant all --arg x=ones --arg o=zeros --arg p=ones -DT=bf16 | FileCheck %s
// RUN: tile-run %s --kernel slices --device sim --variant all --arg x=iota --arg o=zeros --arg p=zeros -DT=i64 | FileCheck %s
// RUN: tile-run %s --kernel slices --device sim --variant all --arg x=iota --arg o=zeros --arg p=zeros -DT=f64 | FileCheck %s
// CHECK: verdict: right
// $T = f32
// $THREADS = 128
!X = memref<8x64x64x$T>
!O = memref<64x64x$T>
!Tile = memref<32x32x$T, #tile.fragment>
!Shared = memref<32x32x$T, #tile.shared>
tile.kernel @slices(%x: !X, %o: !O, %p: memref<32x32x$T>) grid(%bx, %by, %bz) in (2, 2, 8) threads($THREADS) {
  %f = tile.alloc_fragment : !Tile
  %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 2, shift 7>) : !Shared
  tile.copy %x[%bz, %by * 32, %bx * 32] to %f : !X to !Tile
  tile.copy %f to %s : !Tile to !Shared
  tile.parallel (%i, %j) in (32, 32) {
    %v = tile.load %f[%i, %j] : !Tile
    tile.atomic add %v, %o[%by * 32 + %i, %bx * 32 + %j] : !O
  }
  tile.parallel (%i, %j) in (32, 32) {
    %v = tile.load %s[%i, %j] : !Shared
    tile.atomic add %v, %p[%i, %j] : memref<32x32x$T>
  }
}

// The largest, the smallest, the union and an exchange over four planes.
// RUN: tile-run %s --kernel kinds --device sim --variant all --arg m=const:-5 --arg n=const:5 --arg u=zeros | FileCheck %s
// RUN: tile-run %s --kernel kinds --device sim --variant all --arg m=zeros --arg n=zeros --arg u=const:7 -DI=i64 -DTHREADS=48 | FileCheck %s
// $I = i32
!Planes = memref<4x64x64x$I>
!Plane = memref<64x64x$I>
tile.kernel @kinds(%x: !Planes, %m: !Plane, %n: !Plane, %u: !Plane, %e: !Plane, %old: !Plane) grid(%b) in (4) threads($THREADS) {
  tile.parallel (%i, %j) in (64, 64) {
    %v = tile.load %x[%b, %i, %j] : !Planes
    tile.atomic max %v, %m[%i, %j] : !Plane
    tile.atomic min %v, %n[%i, %j] : !Plane
    tile.atomic or %v, %u[%i, %j] : !Plane
  }
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %b, %zero : index
  scf.if %first {
    tile.parallel (%i, %j) in (64, 64) {
      %v = tile.load %x[1, %i, %j] : !Planes
      %was = tile.atomic exchange %v, %e[%i, %j] : !Plane
      tile.store %was, %old[%i, %j] : !Plane
    }
  }
}

// What a type lacks is refused by name.
// RUN: not tile-opt %s -DI=f32 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: error: 'tile.atomic' op {{.*}}max{{.*}}f32{{.*}}(atomic-C3)
