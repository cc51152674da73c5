// The report on fragments and loops: clocks, the runner-up, why; of a conversion its part of the clocks; of a launch its regime.
// RUN: tile-run %s --kernel turned -D N=1 --explain | FileCheck %s --check-prefix=TURNED
// RUN: tile-run %s --kernel turned -D N=1 --explain=json | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --kernel pinned -D N=1 --explain | FileCheck %s --check-prefix=PIN
// RUN: tile-run %s --kernel add --explain -D N=64 | FileCheck %s --check-prefix=FEW
// RUN: tile-run %s --kernel add --explain -D N=4096 | FileCheck %s --check-prefix=L2
// RUN: tile-run %s --kernel add --explain -D N=65536 | FileCheck %s --check-prefix=LARGE
// RUN: tile-run %s --kernel add --explain=json -D N=65536 | FileCheck %s --check-prefix=LARGEJSON
// RUN: tile-run %s --kernel threads -D N=1 --explain | FileCheck %s --check-prefix=THREADS
// RUN: tile-run %s --kernel single -D N=1 --explain | FileCheck %s --check-prefix=SINGLE

// One fragment passes through shared memory: that has its clocks, and the two places.
// TURNED: layouts
// TURNED: a {{ *}}fragment {{ *}}64x32 = [{{.*}}threads 64 {{ *}}[[COST:[0-9.]+]] {{ *}}64x32 = [{{.*}}: {{[0-9.]+}} {{ *}}{{.*}}the runner-up
// TURNED: c {{ *}}fragment {{ *}}32x64 = [{{.*}}threads 64 {{ *}}[[COST]] {{ *}}32x64 = [{{.*}} % faster than the runner-up, which needs {{[0-9]+}} % more memory bandwidth
// TURNED: conversions
// TURNED-NEXT: line {{ *}}buffer {{ *}}cost
// TURNED-NEXT: {{ *}}[[LOOP:[0-9]+]] {{ *}}{{a|c}} {{ *}}{{[1-9][0-9.]*}} {{ *}}{{[0-9]+}}, [[LOOP]] {{ *}}through shared memory {{ *}}{{[0-9]+}} stores, 1 barrier, {{[0-9]+}} loads
// JSON: "conversions": [
// JSON: "between": [
// JSON: "cost": {{[1-9]}}
// JSON: "instructions": "{{[0-9]+}} stores, 1 barrier, {{[0-9]+}} loads"
// JSON: "kind": "through shared memory"
// JSON: "limited_by": "
!A = memref<64x32xf32, #tile.fragment>
!C = memref<32x64xf32, #tile.fragment>
tile.kernel @turned(%x: memref<64x32xf32>, %y: memref<32x64xf32>) grid(%b) in (1) threads(64) {
  %a = tile.alloc_fragment : !A
  %c = tile.alloc_fragment : !C
  tile.copy %x to %a : memref<64x32xf32> to !A
  tile.copy %y to %c : memref<32x64xf32> to !C
  tile.parallel (%i, %j) in (32, 64) {
    %v = tile.load %a[%j, %i] : !A
    %w = tile.load %c[%i, %j] : !C
    %s = arith.addf %v, %w : f32
    tile.store %s, %y[%i, %j] : memref<32x64xf32>
  }
}

// What the program pins, fragment or loop, has no runner-up.
// PIN: parallel (i) {{ *}}loop {{ *}}64 = [(32 thread, 2 reg)] threads 32 {{ *}}{{[0-9.]+}} {{ *}}- {{ *}}pinned by the program
// PIN: r {{ *}}fragment {{ *}}64 = [(2 reg, 32 thread)] threads 32 {{ *}}{{[0-9.]+}} {{ *}}- {{ *}}pinned by the program
tile.kernel @pinned(%x: memref<64xf32>, %y: memref<64xf32>) grid(%b) in (1) threads(32) {
  tile.parallel %i in (64) layout(#tile.distributed<64 = [(32 thread, 2 reg)] threads 32>) {
    %v = tile.load %x[%i] : memref<64xf32>
    tile.store %v, %y[%i] : memref<64xf32>
  }
  %r = tile.alloc_fragment layout(#tile.distributed<64 = [(2 reg, 32 thread)] threads 32>) : memref<64xf32, #tile.fragment>
  tile.copy %y to %r : memref<64xf32> to memref<64xf32, #tile.fragment>
  tile.copy %r to %x : memref<64xf32, #tile.fragment> to memref<64xf32>
}

// Sizes that the program fixes are enough for the regime: blocks first, then bytes.
// FEW: limited by memory bandwidth
// FEW-NEXT: regime: too few blocks: 64, the device runs 1056 at a time
// L2: regime: fits the L2: 33554432 of 52428800 bytes
// LARGE: regime: bandwidth-bound
// LARGEJSON: "limited_by": "memory bandwidth"
// LARGEJSON: "regime": "bandwidth-bound"
tile.kernel @add(%x: memref<$Nx1024xf32>, %y: memref<$Nx1024xf32>) grid(%b) in ($N) threads(256) {
  tile.parallel %i in (1024) {
    %v = tile.load %x[%b, %i] : memref<$Nx1024xf32>
    tile.store %v, %y[%b, %i] : memref<$Nx1024xf32>
  }
}

// One element and one thread leave no choice.
// SINGLE: fill x {{ *}}loop {{ *}}1 = [()] threads 1 {{ *}}{{[0-9.]+}} {{ *}}- {{ *}}no other layout was compared; limited by starting blocks
tile.kernel @single(%x: memref<1xf32>) grid(%b) in (1) threads(1) {
  tile.fill %x with 1.0 : memref<1xf32>
}

// What threads do on their own is not counted: neither limit nor clocks are claimed for the kernel.
// THREADS-NOT: limited by
// THREADS: accesses
// THREADS: layouts
// THREADS: fill s {{ *}}loop {{.*}} - {{ *}}- {{ *}}no other layout was compared{{$}}
tile.kernel @threads(%x: memref<32xf32>) grid(%b) in (1) threads(32) {
  %t = tile.thread_id
  %s = tile.alloc_local : memref<1xf32, #tile.local>
  tile.fill %s with 1.0 : memref<1xf32, #tile.local>
  %v = tile.load %s[0] : memref<1xf32, #tile.local>
  tile.store %v, %x[%t] : memref<32xf32>
}
