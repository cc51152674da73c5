// RUN: tile-opt %s --tile-print-layouts -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=SAME

// Pinned: two threads share a row, in two registers each. The module itself stays as it is.
// CHECK-LABEL: @halves: r, 2x4 f32 fragment, 2x4 = [(2 thread * 2), (2 thread, 2 reg)] threads 32
// CHECK-NEXT: {{^ +}}0 {{ *}}1 {{ *}}2 {{ *}}3
// CHECK-NEXT: {{^ +}}0 {{ *}}0:0 {{ *}}0:1 {{ *}}1:0 {{ *}}1:1
// CHECK-NEXT: {{^ +}}1 {{ *}}2:0 {{ *}}2:1 {{ *}}3:0 {{ *}}3:1
// SAME: tile.copy %x to %r : memref
tile.kernel @halves(%x: memref<2x4xf32>, %y: memref<2x4xf32>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment layout(#tile.distributed<2x4 = [(2 thread * 2), (2 thread, 2 reg)] threads 32>) : memref<2x4xf32, #tile.fragment>
  tile.copy %x to %r : memref<2x4xf32> to memref<2x4xf32, #tile.fragment>
  tile.copy %r to %y : memref<2x4xf32, #tile.fragment> to memref<2x4xf32>
}

// More than 16 rows or 32 columns are cut short; a shared tile shows banks: rows of 256 bytes all start in bank 0.
// CHECK-LABEL: @wide: s, 17x64 f32 shared, linear, banks
// CHECK-NEXT: {{^ +}}0 {{.*}} 31 {{ *}}…
// CHECK-NEXT: {{^ +}}0 {{ *}}0 {{ *}}1 {{.*}} 31 {{ *}}…
// CHECK: {{^ +}}15 {{ *}}0 {{ *}}1 {{.*}} 31 {{ *}}…
// CHECK-NEXT: {{^ +}}…
// A copy that touches no fragment is drawn too.
// CHECK-NEXT: @wide: copy x to s, 17x64 = [
tile.kernel @wide(%x: memref<17x64xf32>, %y: memref<17x64xf32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared layout(#tile.linear) : memref<17x64xf32, #tile.shared>
  tile.copy %x to %s : memref<17x64xf32> to memref<17x64xf32, #tile.shared>
  tile.copy %s to %y : memref<17x64xf32, #tile.shared> to memref<17x64xf32>
}

// The rows of a swizzled tile start in other banks: the layout is that of the bytes.
// CHECK-LABEL: @exchanged: s, 4x32 f32 shared, xor<unit 16, bits 2, shift 7>, banks
// CHECK: {{^ +}}1 {{ *}}4 {{ *}}5 {{ *}}6 {{ *}}7 {{ *}}0 {{ *}}1
tile.kernel @exchanged(%x: memref<4x32xf32>, %y: memref<4x32xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared layout(#tile.xor<unit 16, bits 2, shift 7>) : memref<4x32xf32, #tile.shared>
  tile.copy %x to %s : memref<4x32xf32> to memref<4x32xf32, #tile.shared>
  tile.copy %s to %y : memref<4x32xf32, #tile.shared> to memref<4x32xf32>
}

// Leading axes go down the page, in row-major order; nothing is pinned here, so it is decided as the pipeline does.
// CHECK-LABEL: @cube: r, 2x2x2 f32 fragment, 2x2x2 = [
// CHECK-NEXT: {{^ +}}0 {{ *}}1{{$}}
// CHECK-NEXT: {{^ +}}0 {{ *}}0:0 {{ *}}{{[0-9]+:[0-9]+$}}
// CHECK-NEXT: {{^ +}}1 {{ *}}{{[0-9]+:[0-9]+}} {{ *}}{{[0-9]+:[0-9]+$}}
// CHECK-NEXT: {{^ +}}2 {{ *}}{{[0-9]+:[0-9]+}} {{ *}}{{[0-9]+:[0-9]+$}}
// CHECK-NEXT: {{^ +}}3 {{ *}}{{[0-9]+:[0-9]+}} {{ *}}{{[0-9]+:[0-9]+$}}
// CHECK-NEXT: @cube: sum, 1 f32 fragment, 1 = [()] threads 32 copies (8 thread); the first of 8 copies
// CHECK-NEXT: {{^ +}}0{{$}}
// CHECK-NEXT: {{^ +}}0 {{ *}}0:0{{$}}
tile.kernel @cube(%x: memref<2x2x2xf32>, %y: memref<2x2x2xf32>, %z: memref<1xf32>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment : memref<2x2x2xf32, #tile.fragment>
  tile.copy %x to %r : memref<2x2x2xf32> to memref<2x2x2xf32, #tile.fragment>
  tile.copy %r to %y : memref<2x2x2xf32, #tile.fragment> to memref<2x2x2xf32>
  %sum = tile.alloc_fragment layout(#tile.distributed<1 = [()] threads 32 copies (8 thread)>) : memref<1xf32, #tile.fragment>
  tile.copy %sum to %z : memref<1xf32, #tile.fragment> to memref<1xf32>
}

// A single long row is broken: 40 elements are 32 and 8, numbered by their first.
// CHECK-LABEL: @long: r, 40 f32 fragment, 40 = [(2 reg, 20 thread)] threads 32
// CHECK-NEXT: {{^ +}}0 {{.*}} 31{{$}}
// CHECK-NEXT: {{^ +}}0 {{ *}}0:0 {{ *}}1:0 {{.*}} 19:0 {{ *}}0:1 {{.*}} 11:1{{$}}
// CHECK-NEXT: {{^ +}}32 {{ *}}12:1 {{.*}} 19:1{{ *$}}
tile.kernel @long(%x: memref<40xf32>) grid(%b) in (1) threads(32) {
  %r = tile.alloc_fragment layout(#tile.distributed<40 = [(2 reg, 20 thread)] threads 32>) : memref<40xf32, #tile.fragment>
  tile.fill %r with 1.0 : memref<40xf32, #tile.fragment>
  tile.copy %r to %x : memref<40xf32, #tile.fragment> to memref<40xf32>
}
