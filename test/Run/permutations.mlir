// Transpositions and permutations of axes, of elements of every size and of odd extents, and how their accesses come out.

// Whole matrices: between tensors, and between two shared tiles, where neither side has a bank conflict.
// RUN: tile-run %s --kernel transposed --device sim --variant all --dim M=70 --dim N=131 -DT=i8 | FileCheck %s
// RUN: tile-run %s --kernel transposed --device sim --variant all --dim M=64 --dim N=128 -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel transposed --device sim --variant all --dim M=33 --dim N=65 -DT=f32 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel transposed --device sim --variant all --dim M=100 --dim N=31 -DT=i64 | FileCheck %s
// RUN: tile-run %s --kernel transposed --device sim --variant all --dim M=3 --dim N=200 -DT=i1 | FileCheck %s
// RUN: tile-run %s --kernel transposed -DT=f32 --explain | FileCheck %s --check-prefix=BOTH
// BOTH: a {{ *}}global load {{ *}}ld.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
// BOTH: b {{ *}}global store {{ *}}st.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
// $T = f32
// $THREADS = 128
!A = memref<?x?x$T>
tile.kernel @transposed[%M, %N](%a[%M, %N]: !A, %b[%N, %M]: !A) grid(%x, %y) in (%N ceildiv 64, %M ceildiv 64) threads($THREADS) disjoint(%a, %b) {
  tile.parallel (%j, %i) in (64, 64) {
    %v = tile.load %a[%y * 64 + %i, %x * 64 + %j] : !A
    tile.store %v, %b[%x * 64 + %j, %y * 64 + %i] : !A
  }
}

// RUN: tile-run %s --kernel within --device sim --variant all -DT=f32 --explain | FileCheck %s --check-prefixes=WITHIN,CHECK
// RUN: tile-run %s --kernel within --device sim --variant all -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel within --device sim --variant all -DT=i8 | FileCheck %s
// RUN: tile-run %s --kernel within --device sim --variant all -DT=f64 | FileCheck %s
// WITHIN-NOT: bank conflicts cost
// WITHIN: s {{ *}}shared {{ *}}{{.*}} [[W:[0-9]+]] (ideal [[W]])
// WITHIN: t {{ *}}shared {{ *}}{{.*}} [[V:[0-9]+]] (ideal [[V]])
!S = memref<64x32x$T, #tile.shared>
!D = memref<32x64x$T, #tile.shared>
tile.kernel @within(%a: memref<64x32x$T>, %b: memref<32x64x$T>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared : !S
  %t = tile.alloc_shared : !D
  tile.copy %a to %s : memref<64x32x$T> to !S
  tile.parallel (%j, %i) in (32, 64) {
    %v = tile.load %s[%i, %j] : !S
    tile.store %v, %t[%j, %i] : !D
  }
  tile.copy %t to %b : !D to memref<32x64x$T>
}

// The order of channels: rows of pixels to rows of channels and back, in batches, of 7 by 7 pixels too.
// RUN: tile-run %s --kernel channels --device sim --variant all --dim B=3 --dim H=49 -DT=f16 -DC=64 | FileCheck %s
// RUN: tile-run %s --kernel channels --device sim --variant all --dim B=2 --dim H=49 -DT=i8 -DC=35 | FileCheck %s
// RUN: tile-run %s --kernel channels --device sim --variant all --dim B=1 --dim H=100 -DT=f32 -DC=3 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel channels --device sim --variant all --dim B=2 --dim H=16 -DT=i64 -DC=20 | FileCheck %s
// $C = 64
!Pixels = memref<?x?x$Cx$T>
!Channels = memref<?x$Cx?x$T>
tile.kernel @channels[%B, %H](%a[%B, %H, $C]: !Pixels, %b[%B, $C, %H]: !Channels, %c[%B, %H, $C]: !Pixels) grid(%x, %y) in (%H ceildiv 32, %B) threads($THREADS) {
  %s = tile.alloc_shared : memref<32x$Cx$T, #tile.shared>
  tile.copy %a[%y, %x * 32, 0] to %s : !Pixels to memref<32x$Cx$T, #tile.shared>
  tile.parallel (%j, %i) in ($C, 32) {
    %v = tile.load %s[%i, %j] : memref<32x$Cx$T, #tile.shared>
    tile.store %v, %b[%y, %j, %x * 32 + %i] : !Channels
  }
  tile.parallel (%i, %j) in (32, $C) {
    %v = tile.load %s[%i, $C - 1 - %j] : memref<32x$Cx$T, #tile.shared>
    tile.store %v, %c[%y, %x * 32 + %i, %j] : !Pixels
  }
}

// Rows of bytes and of truth values move sixteen at a time.
// RUN: tile-run %s --kernel bytes --device sim --variant all --dim N=5000 -DT=i8 --explain | FileCheck %s --check-prefixes=BYTES,CHECK
// RUN: tile-run %s --kernel bytes --device sim --variant all --dim N=5001 -DT=i1 --explain | FileCheck %s --check-prefixes=BYTES,CHECK
// RUN: tile-run %s --kernel bytes --device sim --variant all --dim N=4096 -DT=f8E4M3FN --explain | FileCheck %s --check-prefixes=BYTES,CHECK
// BYTES: x {{ *}}global load {{ *}}ld.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
// BYTES: y {{ *}}global store {{ *}}st.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
!Bytes = memref<?x$T>
tile.kernel @bytes[%N](%x[%N]: !Bytes, %y[%N]: !Bytes) grid(%b) in (%N ceildiv 4096) threads(128) {
  tile.parallel %i in (4096) {
    %v = tile.load %x[%b * 4096 + %i] : !Bytes
    tile.store %v, %y[%b * 4096 + %i] : !Bytes
  }
}

// A row for each thread out of shared memory, which the threads read side by side: the tile is stored so that no two of
// them meet in a bank, and the bytes of what was added to its rows are counted.
// RUN: tile-run %s --kernel row_each --device sim --variant all --explain | FileCheck %s --check-prefixes=ROW,CHECK
// ROW: s {{ *}}shared {{.*}} [[R:[0-9]+]] (ideal [[R]])
// RUN: tile-run %s --kernel holes --explain | FileCheck %s --check-prefix=HOLES
// HOLES: kernel holes: sm_90a, 128 threads, 2304 bytes of shared memory
!Rows = memref<16x128xf16, #tile.shared>
tile.kernel @row_each(%x: memref<16x128xf16>, %o: memref<16x128xf16>) grid(%g) in (1) threads(32) {
  %s = tile.alloc_shared : !Rows
  tile.copy %x to %s : memref<16x128xf16> to !Rows
  tile.scan sum %s into %s dim 1 layout(#tile.distributed<16x128 = [(16 thread), (128 reg)] threads 32>) : !Rows into !Rows
  tile.copy %s to %o : !Rows to memref<16x128xf16>
}
tile.kernel @holes(%x: memref<16x64xf16>, %o: memref<16x64xf16>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared layout(#tile.padded<8>) : memref<16x64xf16, #tile.shared>
  tile.copy %x to %s : memref<16x64xf16> to memref<16x64xf16, #tile.shared>
  tile.copy %s to %o : memref<16x64xf16, #tile.shared> to memref<16x64xf16>
}
// CHECK: verdict: right
