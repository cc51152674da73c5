// Eight elements under 128 threads: the threads that have none write nothing, in range and out of it.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: a: 8 bf16, max error 0, ok
// CHECK: b: 4x64 bf16, max error 0, ok
// CHECK: verdict: right
tile.kernel @few(%a: memref<8xbf16>, %b: memref<4x64xbf16>) grid(%g) in (1) threads(128) {
  %f = tile.alloc_fragment : memref<8xf32, #tile.fragment>
  %s = tile.alloc_shared : memref<8xbf16, #tile.shared>
  %t = tile.alloc_shared : memref<4x64xbf16, #tile.shared>
  tile.fill %f with 1.5 : memref<8xf32, #tile.fragment>
  tile.fill %t with 0.25 : memref<4x64xbf16, #tile.shared>
  tile.copy %f to %s cast : memref<8xf32, #tile.fragment> to memref<8xbf16, #tile.shared>
  tile.copy %f to %t[3, 56] cast : memref<8xf32, #tile.fragment> to memref<4x64xbf16, #tile.shared>
  tile.copy %s to %a : memref<8xbf16, #tile.shared> to memref<8xbf16>
  tile.copy %t to %b : memref<4x64xbf16, #tile.shared> to memref<4x64xbf16>
}
