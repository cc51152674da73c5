// A width that is asked for is the width of the instructions, whole vectors and tails alike, and the values are right.
// RUN: tile-run %s --device sim --variant all --dim M=3 -DW=2 --kernel twice --explain | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: tile-run %s --device sim --variant all --dim M=3 -DW=4 --kernel twice --explain | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: tile-run %s --device sim --variant all --dim M=3 -DW=1 --kernel twice --explain | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: tile-run %s --device sim --variant all --dim M=2 -DW=4 -DN=1004 -DT=96 --kernel twice | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 -DW=2 -DN=1002 -DT=48 --kernel twice | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=2 -DW=8 -DN=40 -DT=33 --kernel twice | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=5 -DW=2 -DN=94 --kernel staged | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=5 -DW=8 -DN=96 -DT=160 --kernel staged --explain | FileCheck %s --check-prefixes=CHECK,STAGED
// RUN: tile-run %s --device sim --variant all --dim M=5 -DW=4 --dim N=93 --kernel any | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=5 -DW=4 --dim N=1024 --pitch x=1028 --kernel any | FileCheck %s
// RUN: tile-run %s --device sim --variant all --dim M=5 -DW=4 --dim N=1024 --offset x=1 --kernel any | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DW=1 --kernel columns | FileCheck %s
// RUN: tile-run %s --device sim --variant all --kernel pinned --explain | FileCheck %s --check-prefixes=CHECK,PINNED
// RUN: tile-run %s --device sim --variant all --dim M=2 -DW=1 -DN=40 -DT=1 --kernel twice --explain | FileCheck %s --check-prefixes=CHECK,ONE
// PINNED: x {{ *}}global load {{ *}}ld.global.v2.b32
// PINNED: y {{ *}}global store {{ *}}st.global.v2.b32
// ONE: x {{ *}}global load {{ *}}ld.global.b16
// ONE: y {{ *}}global store {{ *}}st.global.b16
// TWO: x {{ *}}global load {{ *}}ld.global.b32
// TWO: y {{ *}}global store {{ *}}st.global.b32
// TWO: parallel (i) {{ *}}loop {{ *}}1000 = {{.*}} width: asked for 2; {{.*}}the runner-up
// FOUR: x {{ *}}global load {{ *}}ld.global.v2.b32
// FOUR: y {{ *}}global store {{ *}}st.global.v2.b32
// STAGED: x {{ *}}global load {{ *}}ld.global.v4.b32
// STAGED: copy x to s {{ *}}loop {{ *}}{{.*}} width: asked for 8; {{.*}}
// ODD: w {{ *}}global load {{ *}}ld.global.v2.b32
// CHECK: verdict: right
// $N = 1000
// $W = 2
// $T = 128
!X = memref<?x$Nxbf16>
tile.kernel @twice[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%b) in (%M) threads($T) {
  tile.parallel %i in ($N) width($W) {
    %v = tile.load %x[%b, %i] : !X
    %w = arith.addf %v, %v : bf16
    tile.store %w, %y[%b, %i] : !X
  }
}

// Into shared memory as wide as asked for, through a fragment, and out one element at a time.
!S = memref<4x$Nxbf16, #tile.shared>
!F = memref<4x$Nxbf16, #tile.fragment>
tile.kernel @staged[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%b) in (%M ceildiv 4) threads($T) {
  %s = tile.alloc_shared : !S
  %f = tile.alloc_fragment : !F
  tile.copy %x[%b * 4, 0] to %s width($W) : !X to !S
  tile.copy %s to %f width(2) : !S to !F
  tile.copy %f to %y[%b * 4, 0] width(1) : !F to !X
}

// Sizes and pitches known at launch only: where they are no multiples the careful body runs.
!A = memref<?x?xi16, strided<[?, 1]>>
tile.kernel @any[%M, %N](%x[%M, %N]: !A, %y[%M, %N]: !A) grid(%b) in (%M) threads(64) {
  tile.parallel %i in (%N) width($W) {
    %v = tile.load %x[%b, %i] : !A
    tile.store %v, %y[%b, %i] : !A
  }
}

// Along an axis that is not the last of the loop.
tile.kernel @columns(%x: memref<32x60xf32>, %y: memref<32x60xf32>) grid(%b) in (1) threads(48) {
  tile.parallel (%j, %i) in (60, 32) width(4) {
    %v = tile.load %x[%i, %j] : memref<32x60xf32>
    tile.store %v, %y[%i, %j] : memref<32x60xf32>
  }
}

// Eight neighbours in a thread by a pin, two of them at once.
#eight = #tile.distributed<512 = [(64 thread, 8 reg)] threads 64>
tile.kernel @pinned(%x: memref<512xf32>, %y: memref<512xf32>) grid(%b) in (1) threads(64) {
  tile.parallel %i in (512) width(2) layout(#eight) {
    %v = tile.load %x[%i] : memref<512xf32>
    tile.store %v, %y[%i] : memref<512xf32>
  }
}

// Rows of odd pitch may be held from the beginning of their first vector; what asks for a width is moved from its own.
// RUN: tile-run %s --device sim --variant all --dim M=5 --kernel odd --explain | FileCheck %s --check-prefixes=CHECK,ODD
!Odd = memref<?x4097xbf16>
tile.kernel @odd[%M](%x[%M, 4097]: !Odd, %w: memref<4104xbf16>, %y[%M, 4097]: !Odd) grid(%b) in (%M) threads(128) {
  %f = tile.alloc_fragment : memref<4097xbf16, #tile.fragment>
  %u = tile.alloc_fragment : memref<4097xbf16, #tile.fragment>
  tile.copy %x[%b, 0] to %f : !Odd to memref<4097xbf16, #tile.fragment>
  tile.copy %w[0] to %u width(4) : memref<4104xbf16> to memref<4097xbf16, #tile.fragment>
  tile.parallel %i in (4097) {
    %v = tile.load %f[%i] : memref<4097xbf16, #tile.fragment>
    %c = tile.load %u[%i] : memref<4097xbf16, #tile.fragment>
    %s = arith.addf %v, %c : bf16
    tile.store %s, %y[%b, %i] : !Odd
  }
}
