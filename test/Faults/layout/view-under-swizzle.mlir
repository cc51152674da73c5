// A view as another element type acts on the bytes beneath a swizzled layout.
// RUN: tile-run %s --device sim --variant all --arg x=normal | FileCheck %s
// CHECK: o: 64x32 i32, max error 0, ok
// CHECK: verdict: right
!S = memref<64x64xbf16, #tile.shared>
!V = memref<64x32xi32, #tile.shared>
tile.kernel @view(%x: memref<64x64xbf16>, %o: memref<64x32xi32>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared layout(#tile.swizzled<128>) : !S
  tile.copy %x to %s : memref<64x64xbf16> to !S
  %v = tile.view %s : !S to !V
  tile.copy %v to %o : !V to memref<64x32xi32>
}
