// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt -o /dev/null
// Buffers in each space, with pins and alignments.

// CHECK-LABEL: tile.kernel @f() grid(%b) in (1) threads(32)
tile.kernel @f() grid(%b) in (1) threads(32) {
  // CHECK: %a = tile.alloc_shared : memref<128x32xf16, #tile.shared>
  %a = tile.alloc_shared : memref<128x32xf16, #tile.shared>
  // CHECK: %p = tile.alloc_shared layout(#tile.padded<8>) align 128 : memref<128x32xf16, #tile.shared>
  %p = tile.alloc_shared layout(#tile.padded<8>) align 128 : memref<128x32xf16, #tile.shared>
  // CHECK: %s = tile.alloc_shared layout(#tile.swizzled<64>) : memref<128x32xf16, #tile.shared>
  %s = tile.alloc_shared layout(#tile.swizzled<64>) : memref<128x32xf16, #tile.shared>
  // CHECK: %u = tile.alloc_shared layout(#tile.linear) : memref<128x32xf16, #tile.shared>
  %u = tile.alloc_shared layout(#tile.linear) : memref<128x32xf16, #tile.shared>
  // CHECK: %x = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 7>) : memref<128x32xf16, #tile.shared>
  %x = tile.alloc_shared layout(#tile.xor<unit 16, bits 3, shift 7>) : memref<128x32xf16, #tile.shared>
  // CHECK: %y = tile.alloc_shared layout(#tile.xor<unit 4, bits 5, shift 7, shift 12>) : memref<128x32xf16, #tile.shared>
  %y = tile.alloc_shared layout(#tile.xor<unit 4, bits 5, shift 7, shift 12>) : memref<128x32xf16, #tile.shared>
  // CHECK: %z = tile.alloc_shared layout(#tile.xor<unit 8, bits 2, shift 9, padded 4>) : memref<128x30xf16, #tile.shared>
  %z = tile.alloc_shared layout(#tile.xor<unit 8, bits 2, shift 9, padded 4>) : memref<128x30xf16, #tile.shared>
  // CHECK: %w = tile.alloc_shared layout(#tile.xor<unit 8, bits 2, shift 9, shift 11, padded 4>) : memref<128x30xf16, #tile.shared>
  %w = tile.alloc_shared layout(#tile.xor<unit 8, bits 2, shift 9, shift 11, padded 4>) : memref<128x30xf16, #tile.shared>
  // CHECK: %r = tile.alloc_fragment : memref<f64, #tile.fragment>
  %r = tile.alloc_fragment : memref<f64, #tile.fragment>
  // CHECK: %d = tile.alloc_fragment layout(#tile.distributed<4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 32 copies (1 thread * 24)>) : memref<4x96xi8, #tile.fragment>
  %d = tile.alloc_fragment layout(#tile.distributed<4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 32 copies (1 thread * 24)>) : memref<4x96xi8, #tile.fragment>
  // CHECK: %l = tile.alloc_local align 16 : memref<7xi1, #tile.local>
  %l = tile.alloc_local align 16 : memref<7xi1, #tile.local>
}
