// What once went wrong on the way to threads: each kernel must agree with the interpreter.
// RUN: tile-run %s --kernel idle --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel room --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel copies --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel part --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel point --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel box --device sim --variant all --dim M=1 --dim N=33 | FileCheck %s
// RUN: tile-run %s --kernel box --device sim --variant all --dim M=31 --dim N=100 | FileCheck %s
// RUN: tile-run %s --kernel huge --emit cuda -o - | FileCheck %s --check-prefix=HUGE
// CHECK: verdict: right
// HUGE: for (int {{.*}} < 100000000

// A reduction whose partial results meet in shared memory, with idle threads.
tile.kernel @idle(%x: memref<1x33xf32>, %o: memref<1xf32>) grid(%b) in (1) threads(128) {
  %r = tile.alloc_fragment : memref<1x33xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<1xf32, #tile.fragment>
  tile.copy %x to %r : memref<1x33xf32> to memref<1x33xf32, #tile.fragment>
  tile.reduce max %r into %s dim 1 : memref<1x33xf32, #tile.fragment> into memref<1xf32, #tile.fragment>
  tile.copy %s to %o : memref<1xf32, #tile.fragment> to memref<1xf32>
}

// A loop over a part of a fragment: two of every twelve threads have no point.
tile.kernel @room(%x: memref<8x12xi32>, %o: memref<8x12xi32>) grid(%b) in (1) threads(160) {
  %r = tile.alloc_fragment : memref<8x12xi32, #tile.fragment>
  tile.copy %x to %r : memref<8x12xi32> to memref<8x12xi32, #tile.fragment>
  tile.fill %o with 0 : memref<8x12xi32>
  tile.parallel (%i, %j) in (8, 10) {
    %v = tile.load %r[%i, %j] : memref<8x12xi32, #tile.fragment>
    tile.store %v, %o[%i, %j] : memref<8x12xi32>
  }
}

// Every thread holds the fragment; the loop writes what it reads, so one of them runs it.
tile.kernel @copies(%x: memref<2xi32>) grid(%b) in (1) threads(96) {
  %s = tile.alloc_shared : memref<2xi32, #tile.shared>
  %r = tile.alloc_fragment layout(#tile.distributed<2 = [(2 thread)] threads 96 copies (48 thread * 2)>) : memref<2xi32, #tile.fragment>
  tile.copy %x to %s : memref<2xi32> to memref<2xi32, #tile.shared>
  tile.fill %r with 3 : memref<2xi32, #tile.fragment>
  tile.parallel %i in (2) {
    %a = tile.load %s[%i] : memref<2xi32, #tile.shared>
    %c = tile.load %r[%i] : memref<2xi32, #tile.fragment>
    %d = arith.muli %a, %c : i32
    tile.store %d, %s[%i] : memref<2xi32, #tile.shared>
  }
  tile.copy %s to %x : memref<2xi32, #tile.shared> to memref<2xi32>
}

// A fragment that is written in part, then read elsewhere, in part too.
tile.kernel @part(%x: memref<99xf64>, %o: memref<33xf64>) grid(%b) in (1) threads(48) {
  %r = tile.alloc_fragment : memref<99xf64, #tile.fragment>
  tile.parallel %i in (33) {
    %v = tile.load %x[%i] : memref<99xf64>
    tile.store %v, %r[98 - %i * 2] : memref<99xf64, #tile.fragment>
  }
  tile.parallel %i in (33) {
    %v = tile.load %r[98 - (32 - %i) * 2] : memref<99xf64, #tile.fragment>
    tile.store %v, %o[%i] : memref<33xf64>
  }
}

// Tiles of one element: of rank 0, and with leading units.
tile.kernel @point(%x: memref<5xf32>, %o: memref<2xf32>) grid(%b) in (1) threads(96) {
  %s = tile.alloc_shared : memref<5xf32, #tile.shared>
  %p = tile.alloc_fragment : memref<f32, #tile.fragment>
  %u = tile.alloc_fragment : memref<1x5xf32, #tile.fragment>
  tile.copy %x to %s : memref<5xf32> to memref<5xf32, #tile.shared>
  tile.fill %p with 2.0 : memref<f32, #tile.fragment>
  tile.fill %u with 3.0 : memref<1x5xf32, #tile.fragment>
  tile.reduce absmax %s into %p dim 0 accumulate : memref<5xf32, #tile.shared> into memref<f32, #tile.fragment>
  %e = tile.load %u[0, 4] : memref<1x5xf32, #tile.fragment>
  tile.copy %p to %o[0] : memref<f32, #tile.fragment> to memref<2xf32>
  tile.parallel %i in (1) {
    tile.store %e, %o[1] : memref<2xf32>
  }
}

// Extents known at run time, and a row that ends between two vectors.
tile.kernel @box[%M, %N](%x[%M, %N]: memref<?x?xbf16>, %o[%M, %N]: memref<?x?xbf16>) grid(%b) in (1) threads(33) {
  tile.parallel (%i, %j) in (%M, %N) {
    %v = tile.load %x[%i, %j] : memref<?x?xbf16>
    tile.store %v, %o[%i, %j] : memref<?x?xbf16>
  }
}

// More points than one layout holds.
tile.kernel @huge(%x: memref<100000000xf32>) grid(%b) in (1) threads(128) {
  %zero = arith.constant 0.0 : f32
  tile.parallel %i in (100000000) {
    tile.store %zero, %x[%i] : memref<100000000xf32>
  }
}
