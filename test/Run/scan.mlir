// Prefixes along a row of any width with any number of threads: the simulator agrees with the interpreter.
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=4096 -D T=128 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=4097 -D T=128 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=1152 -D T=96 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=1000 -D T=160 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=257 -D T=48 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=33 -D T=1024 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=1 -D T=5 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=100 -D T=100 -D R=3 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=31 -D T=256 -D R=4 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=128 -D T=512 -D R=2 -D E=f64 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=iota -D N=4096 -D T=512 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=ones -D N=8200 -D T=1024 -D E=f64 | FileCheck %s
// RUN: tile-run %s --kernel rows --device sim --variant all --arg x=ones -D N=2500 -D T=1024 -D R=2 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -D N=127 -D T=128 -D E=i8 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -D N=300 -D T=64 -D E=i64 | FileCheck %s
// RUN: tile-run %s --kernel integers --device sim --variant all -D N=129 -D T=33 -D E=i16 | FileCheck %s
// RUN: tile-run %s --kernel layouts --device sim --variant all --arg x=iota | FileCheck %s
// RUN: tile-run %s --kernel aliases --device sim --variant all --arg x=iota | FileCheck %s
// CHECK: verdict: right
// $N = 1000
// $T = 128
// $R = 1
// $E = f32
!X = memref<$Rx$Nx$E>
!Tile = memref<$Rx$Nx$E, #tile.fragment>
!Shared = memref<$Rx$Nx$E, #tile.shared>

tile.kernel @rows(%x: !X, %a: !X, %b: !X, %c: !X, %d: !X) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %s = tile.alloc_fragment : !Tile
  tile.copy %x to %t : !X to !Tile
  tile.scan sum %t into %s dim 1 : !Tile into !Tile
  tile.copy %s to %a : !Tile to !X
  tile.scan sum %t into %s dim 1 reverse exclusive : !Tile into !Tile
  tile.copy %s to %b : !Tile to !X
  tile.scan min %t into %s dim 1 reverse : !Tile into !Tile
  tile.copy %s to %c : !Tile to !X
  // Down the columns, in place.
  tile.scan max %t into %t dim 0 exclusive : !Tile into !Tile
  tile.copy %t to %d : !Tile to !X
}

// Everything wraps; every kind, from and to shared memory.
tile.kernel @integers(%x: !X, %a: !X, %b: !X, %c: !X, %d: !X) grid(%g) in (1) threads($T) {
  %t = tile.alloc_fragment : !Tile
  %s = tile.alloc_shared : !Shared
  tile.copy %x to %t : !X to !Tile
  tile.copy %x to %s : !X to !Shared
  tile.scan prod %s into %t dim 1 : !Shared into !Tile
  tile.copy %t to %a : !Tile to !X
  tile.scan sum %s into %t dim 1 reverse : !Shared into !Tile
  tile.copy %t to %b : !Tile to !X
  tile.scan max %s into %s dim 1 exclusive : !Shared into !Shared
  tile.copy %s to %c : !Shared to !X
  tile.scan min %t into %s dim 1 : !Tile into !Shared
  tile.copy %s to %d : !Shared to !X
}

// Digits of the axis in many an order: registers between lanes, lanes that are no power of two, gaps, copies.
!A = memref<96xf32, #tile.fragment>
tile.kernel @layouts(%x: memref<96xf32>, %a: memref<96xf32>, %b: memref<96xf32>, %c: memref<96xf32>, %d: memref<96xf32>,
                     %e: memref<96xf32>, %h: memref<96xf32>) grid(%g) in (1) threads(192) {
  %t = tile.alloc_fragment layout(#tile.distributed<96 = [(2 reg * 4, 3 thread * 8, 2 reg * 2, 4 thread, 2 reg)] threads 192>) : !A
  tile.copy %x to %t : memref<96xf32> to !A
  tile.scan sum %t into %t dim 0 : !A into !A
  tile.copy %t to %a : !A to memref<96xf32>
  %u = tile.alloc_fragment layout(#tile.distributed<96 = [(2 thread * 64, 2 reg * 4, 2 thread * 8, 3 thread * 2, 4 reg)] threads 192>) : !A
  tile.copy %x to %u : memref<96xf32> to !A
  tile.scan sum %u into %u dim 0 reverse : !A into !A
  tile.copy %u to %b : !A to memref<96xf32>
  %v = tile.alloc_fragment layout(#tile.distributed<96 = [(2 thread, 3 thread * 32, 16 thread * 2)] threads 192>) : !A
  tile.copy %x to %v : memref<96xf32> to !A
  tile.scan sum %v into %v dim 0 exclusive : !A into !A
  tile.copy %v to %c : !A to memref<96xf32>
  %w = tile.alloc_fragment layout(#tile.distributed<96 = [(48 thread, 2 reg)] threads 192 copies (3 thread * 48)>) : !A
  tile.copy %x to %w : memref<96xf32> to !A
  tile.scan sum %w into %w dim 0 reverse exclusive : !A into !A
  tile.copy %w to %d : !A to memref<96xf32>
  // Threads of the lowest digit are far apart; 34 of each 64 hold something.
  %f = tile.alloc_fragment layout(#tile.distributed<96 = [(34 thread, 3 thread * 64)] threads 192>) : !A
  tile.copy %x to %f : memref<96xf32> to !A
  tile.scan sum %f into %f dim 0 : !A into !A
  tile.copy %f to %h : !A to memref<96xf32>
  // The layout of a scan itself.
  tile.scan sum %v into %w dim 0 layout(#tile.distributed<96 = [(3 reg, 32 thread)] threads 192>) : !A into !A
  tile.copy %w to %e : !A to memref<96xf32>
}

// The source is read before the target is written, also where they are parts of one tile; and in a loop.
!S = memref<100xf32, #tile.shared>
!W = memref<64xf32, #tile.shared>
tile.kernel @aliases(%x: memref<100xf32>, %a: memref<100xf32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : !S
  tile.copy %x to %s : memref<100xf32> to !S
  %low = tile.slice %s[0] : !S to !W
  %high = tile.slice %s[36] : !S to !W
  tile.serial %k in (3) {
    tile.scan max %low into %high dim 0 : !W into !W
    tile.scan min %high into %low dim 0 reverse : !W into !W
  }
  tile.copy %s to %a : !S to memref<100xf32>
}
