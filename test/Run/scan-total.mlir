// A reduction beside a scan of the same tile takes the scan's total, whatever the scan's direction: any width and thread
// count, several rows a block, every kind and type; the simulator agrees with the interpreter.
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=1 -DT=32 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=7 -DT=48 -DR=3 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=31 -DT=96 -DR=4 -DE=f16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=32 -DT=256 -DR=16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=33 -DT=32 -DR=2 -DE=bf16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=48 -DT=48 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=125 -DT=160 -DE=f64 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=130 -DT=33 -DR=2 -DE=f16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=1000 -DT=160 -DE=bf16 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=1023 -DT=96 -DR=2 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=1024 -DT=32 -DR=4 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg p=const:1.0078125 -DN=1152 -DT=96 -DE=f16 --arg x=ones | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --rtol 1e-3 --arg x=iota --arg p=const:1.0078125 -DN=1152 -DT=512 -DR=2 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -DN=1000 -DT=256 -DR=2 -DE=i32 -DZ=5 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -DN=127 -DT=48 -DE=i8 -DZ=5 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all -DN=1023 -DT=1024 -DR=2 -DE=i64 -DZ=5 | FileCheck %s
// RUN: tile-run %s --kernel columns --device sim --variant all --arg x=iota -DN=96 -DT=96 -DR=33 | FileCheck %s
// RUN: tile-run %s --kernel columns --device sim --variant all --arg x=iota -DN=5 -DT=256 -DR=200 -DE=f16 | FileCheck %s
// RUN: tile-run %s --kernel columns --device sim --variant all --arg x=iota -DN=64 -DT=48 -DR=16 -DE=i32 -DZ=5 | FileCheck %s
// RUN: tile-run %s --kernel between --device sim --variant all --arg x=iota --rtol 1e-3 -DN=1000 | FileCheck %s
// RUN: tile-run %s --kernel between --device sim --variant all --arg x=iota --rtol 1e-3 -DN=70 -DR=3 -DT=48 | FileCheck %s
// CHECK: verdict: right
// $N = 1000
// $T = 128
// $R = 1
// $E = f32
// $Z = 3.0
!X = memref<$Rx$Nx$E>
!Tile = memref<$Rx$Nx$E, #tile.fragment>
!Out = memref<$Rx$E>
!Row = memref<$Rx$E, #tile.fragment>
!Shared = memref<$Rx$E, #tile.shared>

tile.kernel @rows(%x: !X, %p: !X, %y: !X, %a: !Out, %b: !Out, %c: !Out, %d: !Out, %e: !Out) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %u = tile.alloc_fragment : !Tile
  %s = tile.alloc_fragment : !Tile
  %r = tile.alloc_fragment : !Row
  %h = tile.alloc_shared : !Shared
  tile.copy %x to %t : !X to !Tile
  tile.copy %p to %u : !X to !Tile
  tile.fill %r with $Z : !Row
  tile.scan sum %t into %s dim 1 : !Tile into !Tile
  tile.copy %s to %y : !Tile to !X
  tile.reduce sum %t into %r dim 1 accumulate : !Tile into !Row
  tile.copy %r to %a : !Row to !Out
  tile.scan prod %u into %s dim 1 exclusive : !Tile into !Tile
  tile.reduce prod %u into %r dim 1 : !Tile into !Row
  tile.copy %r to %c : !Row to !Out
  tile.scan max %t into %s dim 1 reverse : !Tile into !Tile
  tile.reduce max %t into %h dim 1 : !Tile into !Shared
  tile.copy %h to %b : !Shared to !Out
  // A total may be taken twice.
  tile.scan min %t into %s dim 1 reverse exclusive : !Tile into !Tile
  tile.reduce min %t into %r dim 1 accumulate : !Tile into !Row
  tile.reduce min %t into %h dim 1 accumulate : !Tile into !Shared
  tile.parallel %i in ($R) {
    %v = tile.load %r[%i] : !Row
    %w = tile.load %h[%i] : !Shared
    tile.store %v, %d[%i] : !Out
    tile.store %w, %e[%i] : !Out
  }
}

!Sums = memref<$Nx$E>
!Sum = memref<$Nx$E, #tile.fragment>
tile.kernel @columns(%x: !X, %y: !X, %a: !Sums, %b: !Sums) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %s = tile.alloc_fragment : !Tile
  %r = tile.alloc_fragment : !Sum
  tile.copy %x to %t : !X to !Tile
  tile.scan sum %t into %s dim 0 : !Tile into !Tile
  tile.copy %s to %y : !Tile to !X
  tile.reduce sum %t into %r dim 0 : !Tile into !Sum
  tile.copy %r to %a : !Sum to !Sums
  tile.scan max %t into %s dim 0 reverse exclusive : !Tile into !Tile
  tile.fill %r with $Z : !Sum
  tile.reduce max %t into %r dim 0 accumulate : !Tile into !Sum
  tile.copy %r to %b : !Sum to !Sums
}

// Where the tile is written in between, in place or by a loop or through a view, the reduction does its own work.
tile.kernel @between(%x: !X, %a: !Out, %b: !Out, %c: !Out, %d: !Out) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %s = tile.alloc_fragment : !Tile
  %r = tile.alloc_fragment : !Row
  tile.copy %x to %t : !X to !Tile
  tile.scan sum %t into %s dim 1 : !Tile into !Tile
  tile.parallel (%i, %j) in ($R, $N) {
    %v = tile.load %s[%i, %j] : !Tile
    tile.store %v, %t[%i, %j] : !Tile
  }
  tile.reduce sum %t into %r dim 1 : !Tile into !Row
  tile.copy %r to %a : !Row to !Out
  tile.scan max %t into %t dim 1 exclusive : !Tile into !Tile
  tile.reduce max %t into %r dim 1 : !Tile into !Row
  tile.copy %r to %b : !Row to !Out
  tile.scan min %s into %t dim 1 : !Tile into !Tile
  %w = tile.slice %s[0, 0] : !Tile to memref<1x1x$E, #tile.fragment>
  tile.parallel (%i, %j) in (1, 1) {
    %v = arith.constant $Z : $E
    tile.store %v, %w[%i, %j] : memref<1x1x$E, #tile.fragment>
  }
  tile.reduce min %s into %r dim 1 : !Tile into !Row
  tile.copy %r to %c : !Row to !Out
  // Of other kinds, of other dimensions; the last of two scans, and one of another trip.
  tile.scan sum %t into %s dim 1 : !Tile into !Tile
  tile.scan max %t into %s dim 0 : !Tile into !Tile
  tile.reduce max %t into %r dim 1 : !Tile into !Row
  tile.serial %k in (3) {
    tile.reduce sum %t into %r dim 1 accumulate : !Tile into !Row
    tile.fill %t with $Z : !Tile
    tile.scan sum %t into %s dim 1 : !Tile into !Tile
  }
  tile.copy %r to %d : !Row to !Out
}
