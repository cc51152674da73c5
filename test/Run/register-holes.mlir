// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: verdict: right

// A fragment that is first written in part, as single column, may get a layout with unused register numbers.
tile.kernel @register_holes(%x: memref<3x1xi32>, %u: memref<5x1xi32>, %y: memref<32x2xi32>) grid(%b) in (1) threads(48) {
  %f = tile.alloc_fragment : memref<32x2xi32, #tile.fragment>
  tile.fill %f with 3 : memref<32x2xi32, #tile.fragment>
  %s = tile.alloc_fragment layout(#tile.distributed<3x1 = [(3 reg), (32 thread)] threads 48>) : memref<3x1xi32, #tile.fragment>
  tile.copy %x to %s : memref<3x1xi32> to memref<3x1xi32, #tile.fragment>
  tile.copy %s to %f[15, 1] : memref<3x1xi32, #tile.fragment> to memref<32x2xi32, #tile.fragment>
  %t = tile.alloc_fragment : memref<5x1xi32, #tile.fragment>
  tile.copy %u to %t : memref<5x1xi32> to memref<5x1xi32, #tile.fragment>
  tile.copy %t to %f[10, 1] : memref<5x1xi32, #tile.fragment> to memref<32x2xi32, #tile.fragment>
  tile.copy %f to %y : memref<32x2xi32, #tile.fragment> to memref<32x2xi32>
}
