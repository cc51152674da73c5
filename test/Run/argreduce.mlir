// The largest and the smallest element and where they are: the simulator agrees with the interpreter.
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=4096 -D T=128 -D E=bf16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=4097 -D T=256 -D E=f16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=1152 -D T=96 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=127 -D T=48 -D R=3 -D E=i8 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=33 -D T=1024 -D R=2 -D E=i64 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=31 -D T=33 -D R=4 -D E=f64 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -D N=1 -D T=32 -D E=i16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=const:3 -D N=1000 -D T=160 | FileCheck %s --check-prefix=TIES
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=const:-inf -D N=1000 -D T=160 | FileCheck %s --check-prefix=TIES
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=const:nan -D N=1000 -D T=160 | FileCheck %s --check-prefix=TIES
// RUN: tile-run %s --kernel special --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel packed --device sim --variant all | FileCheck %s
// CHECK: verdict: right
// TIES: verdict: right
// $N = 1000
// $T = 128
// $R = 1
// $E = f32
!X = memref<$Rx$Nx$E>
!Tile = memref<$Rx$Nx$E, #tile.fragment>
!Value = memref<$Rx$E, #tile.fragment>
!Index = memref<$Rxi32, #tile.fragment>
!Down = memref<$Nx$E, #tile.shared>
!DownIndex = memref<$Nxi32, #tile.shared>

tile.kernel @rows(%x: !X, %v: memref<$Rx$E>, %i: memref<$Rxi32>, %w: memref<$Rx$E>, %j: memref<$Rxi32>, %d: memref<$Nx$E>,
                  %k: memref<$Nxi32>) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %value = tile.alloc_fragment : !Value
  %index = tile.alloc_fragment : !Index
  %down = tile.alloc_shared : !Down
  %downIndex = tile.alloc_shared : !DownIndex
  tile.copy %x to %t : !X to !Tile
  tile.argreduce max %t into %value, %index dim 1 : !Tile into !Value, !Index
  tile.copy %value to %v : !Value to memref<$Rx$E>
  tile.copy %index to %i : !Index to memref<$Rxi32>
  tile.argreduce min %t into %value, %index dim 1 : !Tile into !Value, !Index
  tile.copy %value to %w : !Value to memref<$Rx$E>
  tile.copy %index to %j : !Index to memref<$Rxi32>
  tile.argreduce max %t into %down, %downIndex dim 0 : !Tile into !Down, !DownIndex
  tile.copy %down to %d : !Down to memref<$Nx$E>
  tile.copy %downIndex to %k : !DownIndex to memref<$Nxi32>
}

// Each row has two NaNs, zeros of both signs or infinities somewhere; every thread holds some of them.
!P = memref<64x192xf32, #tile.fragment>
!PV = memref<64xf32, #tile.fragment>
!PI = memref<64xi32, #tile.fragment>
tile.kernel @special(%v: memref<64xf32>, %i: memref<64xi32>) grid(%g) in (1) threads(96) {
  %t = tile.alloc_fragment layout(#tile.distributed<64x192 = [(64 reg * 2), (48 thread * 2, 2 reg, 2 thread)] threads 96>) : !P
  %pv = tile.alloc_fragment : !PV
  %pi = tile.alloc_fragment : !PI
  tile.parallel (%r, %c) in (64, 192) {
    %nan = arith.constant 0x7fc00000 : f32
    %minus = arith.constant -0.0 : f32
    %zero = arith.constant 0.0 : f32
    %first = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 5) mod 64)>(%r, %c)
    %c3 = arith.constant 3 : index
    %isNan = arith.cmpi eq, %first, %c3 : index
    %c9 = arith.constant 9 : index
    %isZero = arith.cmpi slt, %first, %c9 : index
    %c32 = arith.constant 32 : index
    %hasNan = arith.cmpi slt, %r, %c32 : index
    %both = arith.andi %isNan, %hasNan : i1
    %signed = arith.select %isZero, %zero, %minus : f32
    %e = arith.select %both, %nan, %signed : f32
    tile.store %e, %t[%r, %c] : !P
  }
  tile.argreduce max %t into %pv, %pi dim 1 : !P into !PV, !PI
  tile.copy %pv to %v : !PV to memref<64xf32>
  tile.copy %pi to %i : !PI to memref<64xi32>
}

// Values and indices side by side in one tile, over the source itself.
!S = memref<4x32xi32, #tile.shared>
!Row = memref<4xi32, #tile.shared>
tile.kernel @packed(%x: memref<4x32xi32>, %o: memref<4x32xi32>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !S
  tile.copy %x to %s : memref<4x32xi32> to !S
  %v = tile.slice %s[0, 0] : !S to !Row
  %i = tile.slice %s[1, 2] : !S to !Row
  tile.argreduce min %s into %v, %i dim 1 : !S into !Row, !Row
  tile.copy %s to %o : !S to memref<4x32xi32>
}
