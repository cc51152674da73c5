// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))" | FileCheck %s
// A width that is asked for is the lowest digit of the contiguous axis; without it the search decides.

// CHECK-LABEL: tile.kernel @asked
tile.kernel @asked(%x: memref<1024xbf16>, %y: memref<1024xbf16>) grid(%b) in (1) threads(128) {
  // CHECK: tile.parallel %i in (1024) width(2) layout(#tile.distributed<1024 = [(4 reg * 2, 128 thread, 2 reg)] threads 128>)
  tile.parallel %i in (1024) width(2) {
    %v = tile.load %x[%i] : memref<1024xbf16>
    tile.store %v, %y[%i] : memref<1024xbf16>
  }
  // Whole vectors go to threads, though that leaves some of them idle.
  // CHECK: tile.copy %a to %c width(8) layout(#tile.distributed<256 = [(32 thread, 8 reg)] threads 128>)
  %a = tile.slice %x[256] : memref<1024xbf16> to memref<256xbf16>
  %c = tile.slice %y[256] : memref<1024xbf16> to memref<256xbf16>
  tile.copy %a to %c width(8) : memref<256xbf16> to memref<256xbf16>
}

// A fragment nobody else decides follows the copy; the copy out of it follows the fragment.
// CHECK-LABEL: tile.kernel @follow
tile.kernel @follow(%x: memref<1024xf32>, %y: memref<1024xf32>) grid(%b) in (1) threads(128) {
  // CHECK: tile.alloc_fragment layout(#tile.distributed<1024 = [(4 reg * 2, 128 thread, 2 reg)] threads 128>)
  %f = tile.alloc_fragment : memref<1024xf32, #tile.fragment>
  tile.copy %x to %f width(2) : memref<1024xf32> to memref<1024xf32, #tile.fragment>
  tile.copy %f to %y : memref<1024xf32, #tile.fragment> to memref<1024xf32>
}

// A pin that holds several vectors together stays; they move two at a time.
// CHECK-LABEL: tile.kernel @cut
tile.kernel @cut(%x: memref<512xf32>, %y: memref<512xf32>) grid(%b) in (1) threads(64) {
  // CHECK: tile.parallel %i in (512) width(2) layout(#tile.distributed<512 = [(64 thread, 8 reg)] threads 64>)
  tile.parallel %i in (512) width(2) layout(#tile.distributed<512 = [(64 thread, 8 reg)] threads 64>) {
    %v = tile.load %x[%i] : memref<512xf32>
    tile.store %v, %y[%i] : memref<512xf32>
  }
}

// What `where` promises of a start counts as proven, and a row pitch is checked at launch.
// CHECK-LABEL: tile.kernel @promised
tile.kernel @promised[%M, %N](%x[%M, %N]: memref<?x?xf16>, %y[%M, %N]: memref<?x?xf16>, %at: index)
    grid(%b) in (%M) threads(32) where (%at mod 8 == 0) {
  // CHECK: tile.parallel %i in (512) width(8) layout(#tile.distributed<512 = [(2 reg * 8, 32 thread, 8 reg)] threads 32>)
  tile.parallel %i in (512) width(8) {
    %v = tile.load %x[%b, %at + %i] : memref<?x?xf16>
    tile.store %v, %y[%b, %i] : memref<?x?xf16>
  }
  // CHECK: tile.parallel %i in (%N) width(4) layout(#tile.distributed<1024 = [(8 reg * 4, 32 thread, 4 reg)] threads 32>)
  tile.parallel %i in (%N) width(4) {
    %v = tile.load %x[%b, %i] : memref<?x?xf16>
    tile.store %v, %y[%b, %i] : memref<?x?xf16>
  }
}

// The contiguous axis need not be the last.
// CHECK-LABEL: tile.kernel @columns
tile.kernel @columns(%x: memref<32x64xf32>, %y: memref<32x64xf32>) grid(%b) in (1) threads(64) {
  // CHECK: tile.parallel (%j, %i) in (64, 32) width(4) layout(#tile.distributed<64x32 = [({{.*}}, 4 reg), ({{.*}})] threads 64>)
  tile.parallel (%j, %i) in (64, 32) width(4) {
    %v = tile.load %x[%i, %j] : memref<32x64xf32>
    tile.store %v, %y[%i, %j] : memref<32x64xf32>
  }
}
