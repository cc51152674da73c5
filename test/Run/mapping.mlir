// Which thread does what: loops of any extent on any number of threads, vectors where addresses allow them, elements that
// other threads hold.

// B = A + 1, and the same up to a count known at launch only, the rest zero.
// RUN: tile-run %s --kernel plus --device sim --variant all --arg n=256 | FileCheck %s
// RUN: tile-run %s --kernel plus --device sim --variant all --arg n=0 | FileCheck %s
// RUN: tile-run %s --kernel plus --device sim --variant all --arg n=13 | FileCheck %s
// RUN: tile-run %s --kernel plus --device sim --variant all --arg n=200 | FileCheck %s
// RUN: tile-run %s --kernel plus --device sim --variant all --arg n=600 | FileCheck %s
tile.kernel @plus(%a: memref<512xf32>, %b: memref<512xf32>, %n: index) grid(%g) in (1) threads(256) {
  %one = arith.constant 1.0 : f32
  tile.fill %b with 0.0 : memref<512xf32>
  tile.parallel %i in (%n) {
    %v = tile.load %a[%i] : memref<512xf32>
    %w = arith.addf %v, %one : f32
    tile.store %w, %b[%i] : memref<512xf32>
  }
}

// Column-major operands: as wide as both pitches allow, and what is wide is named by the report.
// RUN: tile-run %s --kernel columns --device sim --variant all --explain -DP=128 -DQ=128 | FileCheck %s --check-prefixes=FOUR,CHECK
// RUN: tile-run %s --kernel columns --device sim --variant all --explain -DP=130 -DQ=132 | FileCheck %s --check-prefixes=TWO,CHECK
// RUN: tile-run %s --kernel columns --device sim --variant all --explain -DP=132 -DQ=136 | FileCheck %s --check-prefixes=FOUR,CHECK
// RUN: tile-run %s --kernel columns --device sim --variant all --explain -DP=136 -DQ=144 | FileCheck %s --check-prefixes=FOUR,CHECK
// RUN: tile-run %s --kernel columns --device sim --variant all -DP=129 -DQ=131 | FileCheck %s
// $P = 128
// $Q = 128
// FOUR: a {{ *}}global load {{ *}}ld.global.v4.b32
// FOUR: b {{ *}}global store {{ *}}st.global.v4.b32
// TWO: a {{ *}}global load {{ *}}ld.global.v2.b32
// TWO: b {{ *}}global store {{ *}}st.global.v{{[24]}}.b32
tile.kernel @columns(%a: memref<128x128xf32, strided<[1, $P]>>, %b: memref<128x128xf32, strided<[1, $Q]>>) grid(%g) in (1) threads(128) {
  tile.parallel (%j, %i) in (128, 128) {
    %v = tile.load %a[%i, %j] : memref<128x128xf32, strided<[1, $P]>>
    tile.store %v, %b[%i, %j] : memref<128x128xf32, strided<[1, $Q]>>
  }
}

// A sum into an element that the vector's index does not choose takes each addend in turn.
// RUN: tile-run %s --kernel gathered --device sim --variant all --arg a=iota | FileCheck %s
tile.kernel @gathered(%a: memref<256xf32>, %o: memref<64xf32>) grid(%g) in (1) threads(64) {
  %t = tile.thread_id
  %s = tile.alloc_shared : memref<64xf32, #tile.shared>
  tile.fill %s with 0.5 : memref<64xf32, #tile.shared>
  tile.vectorized %v in (4) {
    %e = tile.load %a[%t * 4 + %v] : memref<256xf32>
    %old = tile.load %s[%t] : memref<64xf32, #tile.shared>
    %new = arith.addf %old, %e : f32
    tile.store %new, %s[%t] : memref<64xf32, #tile.shared>
  }
  tile.copy %s to %o : memref<64xf32, #tile.shared> to memref<64xf32>
}

// Fragments of extents that the threads do not divide, and more elements than threads.
// RUN: tile-run %s --kernel odd --device sim --variant all -DN=192 | FileCheck %s
// RUN: tile-run %s --kernel odd --device sim --variant all -DN=229 | FileCheck %s
// RUN: tile-run %s --kernel odd --device sim --variant all -DN=257 | FileCheck %s
// RUN: tile-run %s --kernel odd --device sim --variant all -DN=32768 -DTHREADS=1024 | FileCheck %s
// $N = 128
// $THREADS = 128
!F = memref<$Nxf16, #tile.fragment>
tile.kernel @odd(%a: memref<$Nxf16>, %o: memref<$Nxf16>) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !F
  tile.copy %a to %f : memref<$Nxf16> to !F
  tile.parallel %i in ($N) {
    %v = tile.load %f[%i] : !F
    %w = arith.addf %v, %v : f16
    tile.store %w, %f[%i] : !F
  }
  tile.copy %f to %o : !F to memref<$Nxf16>
}

// A value for each row, or for each column, reaches all elements of it: rows of any width.
// RUN: tile-run %s --kernel spread --device sim --variant all -DROWS=2 -DN=2560 | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all -DROWS=16 -DN=24 | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all -DROWS=16 -DN=40 | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all -DROWS=16 -DN=48 | FileCheck %s
// RUN: tile-run %s --kernel spread --device sim --variant all -DROWS=7 -DN=96 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel spread -DROWS=2 -DN=2560 --explain | FileCheck %s --check-prefix=SPREAD --implicit-check-not=copies
// SPREAD: x {{ *}}global load {{.*}}: no sector is wasted
// SPREAD: y {{ *}}global store {{.*}}: no sector is wasted
// SPREAD: y {{ *}}global store {{.*}}: no sector is wasted
// SPREAD: t {{ *}}fragment {{ *}}2x2560 =
// $ROWS = 2
tile.kernel @spread(%x: memref<$ROWSx$Nxf32>, %y: memref<$ROWSx$Nxf32>, %c: memref<$Nxf32>) grid(%g) in (1) threads($THREADS) {
  %t = tile.alloc_fragment : memref<$ROWSx$Nxf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<$ROWSxf32, #tile.fragment>
  %u = tile.alloc_fragment : memref<$Nxf32, #tile.fragment>
  %zero = arith.constant 0.0 : f32
  tile.parallel %i in ($ROWS) {
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    tile.store %v, %s[%i] : memref<$ROWSxf32, #tile.fragment>
  }
  tile.copy %x to %t : memref<$ROWSx$Nxf32> to memref<$ROWSx$Nxf32, #tile.fragment>
  tile.copy %c to %u : memref<$Nxf32> to memref<$Nxf32, #tile.fragment>
  tile.parallel (%i, %j) in ($ROWS, $N) {
    %v = tile.load %t[%i, %j] : memref<$ROWSx$Nxf32, #tile.fragment>
    %m = tile.load %s[%i] : memref<$ROWSxf32, #tile.fragment>
    %k = tile.load %u[%j] : memref<$Nxf32, #tile.fragment>
    %w = arith.mulf %v, %m : f32
    %z = arith.addf %w, %k : f32
    %isFirst = arith.cmpf oeq, %m, %zero : f32
    scf.if %isFirst {
      tile.store %v, %y[%i, %j] : memref<$ROWSx$Nxf32>
    } else {
      tile.store %z, %y[%i, %j] : memref<$ROWSx$Nxf32>
    }
  }
}

// A column of a shared tile in each trip of a serial loop, then the whole tile out.
// RUN: tile-run %s --kernel scattered --device sim --variant all -DTHREADS=128 | FileCheck %s
// RUN: tile-run %s --kernel scattered --device sim --variant all -DTHREADS=48 | FileCheck %s
tile.kernel @scattered(%s: memref<64xbf16>, %d: memref<64x64xf32>) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : memref<64xbf16, #tile.fragment>
  %t = tile.alloc_shared : memref<64x64xf32, #tile.shared>
  tile.copy %s to %f : memref<64xbf16> to memref<64xbf16, #tile.fragment>
  tile.serial %k in (64) {
    tile.parallel %i in (64) {
      %v = tile.load %f[%i] : memref<64xbf16, #tile.fragment>
      %w = arith.extf %v : bf16 to f32
      tile.store %w, %t[%i, %k] : memref<64x64xf32, #tile.shared>
    }
  }
  tile.copy %t to %d : memref<64x64xf32, #tile.shared> to memref<64x64xf32>
}

// Many rows of points at a pitch known at launch, of which the tensor has one.
// RUN: tile-run %s --kernel one_row --device sim --variant all --dim M=1 | FileCheck %s
// RUN: tile-run %s --kernel one_row --device sim --variant all --dim M=1 --pitch a=8200 --pitch o=9001 | FileCheck %s
!Bytes = memref<?x8192xi8, strided<[?, 1]>>
tile.kernel @one_row[%M](%a[%M, 8192]: !Bytes, %o[%M, 8192]: !Bytes) grid(%g) in (1) threads(256) {
  tile.parallel (%i, %j) in (64, 8192) {
    %v = tile.load %a[%i, %j] : !Bytes
    tile.store %v, %o[%i, %j] : !Bytes
  }
}

// Elements of a fragment that other threads hold: the next one, one of a permutation, two of them in one loop.
// RUN: tile-run %s --kernel rotated --device sim --variant all --arg a=iota -DN=128 | FileCheck %s
// RUN: tile-run %s --kernel rotated --device sim --variant all --arg a=iota -DN=100 -DTHREADS=48 | FileCheck %s
// RUN: tile-run %s --kernel rotated --device sim --variant all --arg a=iota -DN=1 | FileCheck %s
!R = memref<$Nxf32, #tile.fragment>
tile.kernel @rotated(%a: memref<$Nxf32>, %o: memref<$Nxf32>, %p: memref<$Nxf32>) grid(%g) in (1) threads($THREADS) {
  %f = tile.alloc_fragment : !R
  tile.copy %a to %f : memref<$Nxf32> to !R
  tile.parallel %i in ($N) {
    %v = tile.load %f[(%i + 1) mod $N] : !R
    tile.store %v, %o[%i] : memref<$Nxf32>
    %want = tile.load %a[(%i + 1) mod $N] : memref<$Nxf32>
    %is = arith.cmpf oeq, %v, %want : f32
    tile.assert %is, "the next element"
  }
  tile.parallel %i in ($N) {
    %v = tile.load %f[$N - 1 - %i] : !R
    %w = tile.load %f[(%i * 7) mod $N] : !R
    %u = tile.load %f[%i] : !R
    %s = arith.addf %v, %w : f32
    %r = arith.subf %s, %u : f32
    tile.store %r, %p[%i] : memref<$Nxf32>
  }
}

// As many elements as threads, half of them loaded and the others infinite: each is held once.
// RUN: tile-run %s --kernel finite --device sim --variant all | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s --check-prefix=FINITE
// FINITE-LABEL: tile.kernel @finite
// FINITE: tile.alloc_fragment layout(#tile.distributed<32 = [({{[^c]*}})] threads 32>)
tile.kernel @finite(%a: memref<16xf32>, %o: memref<32xf32>) grid(%g) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<32xf32, #tile.fragment>
  tile.fill %f with inf : memref<32xf32, #tile.fragment>
  tile.parallel %i in (16) {
    %v = tile.load %a[%i] : memref<16xf32>
    tile.store %v, %f[%i] : memref<32xf32, #tile.fragment>
  }
  tile.parallel %i in (32) {
    %v = tile.load %f[%i] : memref<32xf32, #tile.fragment>
    %large = arith.constant 1.0e38 : f32
    %c16 = arith.constant 16 : index
    %isSmall = arith.cmpf olt, %v, %large : f32
    %isFirst = arith.cmpi slt, %i, %c16 : index
    %right = arith.cmpi eq, %isSmall, %isFirst : i1
    tile.assert %right, "the first half is finite, the other is not"
    tile.store %v, %o[%i] : memref<32xf32>
  }
}

// A bound known at launch, two results of different widths and a choice are no reason for single elements: whole vectors
// move wide, the rest one by one, and the guards are named.
// RUN: tile-run %s --kernel limits --device sim --variant all --dim N=5003 --arg n=1000 --explain | FileCheck %s --check-prefixes=LIMITS,CHECK
// RUN: tile-run %s --kernel limits --device sim --variant all --dim N=1 --arg n=0 | FileCheck %s
// LIMITS: x {{ *}}global load {{ *}}ld.global.v4.b32 {{.*}} < %n
// LIMITS: x {{ *}}global load {{ *}}ld.global.b16 {{.*}} < %n
// LIMITS: y {{ *}}global store {{ *}}st.global.v4.b32
// LIMITS: m {{ *}}global store {{ *}}st.global.v2.b32
!H = memref<?xf16>
tile.kernel @limits[%N](%x[%N]: !H, %y[%N]: !H, %m[%N]: memref<?xi1>, %n: index) grid(%b) in (%N ceildiv 1024) threads(128) disjoint(%x, %y, %m) {
  %zero = arith.constant 0.0 : f16
  tile.parallel %i in (%n) {
    %v = tile.load %x[%b * 1024 + %i] : !H
    %isHigh = arith.cmpf ogt, %v, %zero : f16
    %w = arith.select %isHigh, %v, %zero : f16
    tile.store %w, %y[%b * 1024 + %i] : !H
    tile.store %isHigh, %m[%b * 1024 + %i] : memref<?xi1>
  }
}

// What means the same moves the same way: over global memory, and through a fragment and copies.
// RUN: tile-run %s --kernel direct --explain | FileCheck %s --check-prefix=SAME
// RUN: tile-run %s --kernel copied --explain | FileCheck %s --check-prefix=SAME
// RUN: tile-run %s --kernel copied --device sim --variant all --dim N=4097 | FileCheck %s
// SAME: x {{ *}}global load {{ *}}ld.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
// SAME: y {{ *}}global store {{ *}}st.global.v4.b32 {{ *}}16 {{ *}}16 (ideal 16)
!P = memref<1024xf16, #tile.fragment>
tile.kernel @direct[%N](%x[%N]: !H, %y[%N]: !H) grid(%b) in (%N ceildiv 1024) threads(128) {
  %zero = arith.constant 0.0 : f16
  tile.parallel %i in (1024) {
    %v = tile.load %x[%b * 1024 + %i] : !H
    %w = arith.maximumf %v, %zero : f16
    tile.store %w, %y[%b * 1024 + %i] : !H
  }
}
tile.kernel @copied[%N](%x[%N]: !H, %y[%N]: !H) grid(%b) in (%N ceildiv 1024) threads(128) {
  %zero = arith.constant 0.0 : f16
  %f = tile.alloc_fragment : !P
  tile.copy %x[%b * 1024] to %f : !H to !P
  tile.parallel %i in (1024) {
    %v = tile.load %f[%i] : !P
    %w = arith.maximumf %v, %zero : f16
    tile.store %w, %f[%i] : !P
  }
  tile.copy %f to %y[%b * 1024] : !P to !H
}

// A guard repeats no effect: each element is counted once, in whole vectors and in the tail.
// RUN: tile-run %s --kernel counted --device sim --variant all --dim N=1003 --arg o=zeros --arg p=zeros | FileCheck %s
// RUN: tile-run %s --kernel counted --device sim --variant all --dim N=1 --arg o=zeros --arg p=zeros | FileCheck %s
tile.kernel @counted[%N](%a[%N]: memref<?xi32>, %o[%N]: memref<?xi32>, %p: memref<1xi32>) grid(%b) in (%N ceildiv 512) threads(96) {
  tile.parallel %i in (512) {
    %one = arith.constant 1 : i32
    %v = tile.load %a[%b * 512 + %i] : memref<?xi32>
    tile.atomic add %one, %o[%b * 512 + %i] : memref<?xi32>
    tile.atomic add %v, %p[0] : memref<1xi32>
  }
}
// CHECK: verdict: right
