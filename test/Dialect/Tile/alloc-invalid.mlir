// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Buffers in the wrong space, pins that do not fit.

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op makes a fragment buffer; it makes shared ones, of type memref<..., #tile.shared> (alloc-C1)}}
  %a = tile.alloc_shared : memref<4xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_fragment' op makes a global buffer; it makes fragment ones, of type memref<..., #tile.fragment> (alloc-C1)}}
  %a = tile.alloc_fragment : memref<4xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_local' op makes a shared buffer; it makes local ones, of type memref<..., #tile.local> (alloc-C1)}}
  %a = tile.alloc_local : memref<4xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op is pinned to #tile.distributed<32 = [(32 thread)] threads 32>; a shared tile takes #tile.linear, #tile.padded, #tile.xor or #tile.swizzled (alloc-C2)}}
  %a = tile.alloc_shared layout(#tile.distributed<32 = [(32 thread)] threads 32>) : memref<32xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_fragment' op is pinned to #tile.padded<8>; a fragment takes #tile.distributed (alloc-C2)}}
  %a = tile.alloc_fragment layout(#tile.padded<8>) : memref<32xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_local' op is pinned to #tile.padded<8>; a private array takes no layout (alloc-C2)}}
  %a = tile.alloc_local layout(#tile.padded<8>) : memref<32xf32, #tile.local>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op is pinned to panels of 128 bytes, its rows have 96; rows are whole panels (alloc-C3)}}
  %a = tile.alloc_shared layout(#tile.swizzled<128>) : memref<4x48xf16, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op is aligned to 24 bytes; alignments are powers of two up to 1024 (alloc-C4)}}
  %a = tile.alloc_shared align 24 : memref<4x48xf16, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_fragment' op is aligned to 16 bytes; registers have no address (alloc-C4)}}
  %a = tile.alloc_fragment align 16 : memref<4x48xf16, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_shared' op is pinned to #tile.xor<unit 4, bits 3, shift 7>; there is no such layout: an XOR unit of 4 bytes would tear elements of 8 bytes apart (alloc-C5)}}
  %a = tile.alloc_shared layout(#tile.xor<unit 4, bits 3, shift 7>) : memref<16x16xf64, #tile.shared>
}
