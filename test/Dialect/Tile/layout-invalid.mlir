// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Layouts that are none, and layouts of something else.

// expected-error @below {{has 1 axes of digits for a shape of rank 2; there is one list of digits an axis (distributed-C1)}}
#l = #tile.distributed<4x4 = [(4 reg)] threads 32>

// -----

// expected-error @below {{found digit '4 reg * 0' of stride 0; strides are at least 1 (distributed-C2)}}
#l = #tile.distributed<4 = [(4 reg * 0)] threads 32>

// -----

// expected-error @below {{found digit '0 reg' of radix 0; radices are at least 1 (distributed-C2)}}
#l = #tile.distributed<4 = [(0 reg, 4 reg)] threads 32>

// -----

// expected-error @below {{found extent 0; extents are at least 1 (distributed-C2)}}
#l = #tile.distributed<0 = [(4 reg)] threads 32>

// -----

// expected-error @below {{the digits (7 thread) of axis 1 have 7 positions for an extent of 8; the digits of an axis cover it (distributed-C3)}}
#l = #tile.distributed<4x8 = [(4 reg), (7 thread)] threads 32>

// -----

// expected-error @below {{has 2048 threads; a block has 1 to 1024 (distributed-C4)}}
#l = #tile.distributed<4 = [(4 thread)] threads 2048>

// -----

// expected-error @below {{has 0 blocks; a cluster has 1 to 16 (distributed-C4)}}
#l = #tile.distributed<4 = [(4 thread)] threads 32 blocks 0>

// -----

// expected-error @below {{digit '64 thread' of axis 0 reaches thread number 63 of 32; numbers begin at 0 and stay below (distributed-C5)}}
#l = #tile.distributed<64 = [(64 thread)] threads 32>

// -----

// expected-error @below {{digit '4 reg' of axis 1 and digit '4 reg * 2' of axis 0 give one register number to two combinations; they differ (distributed-C6)}}
#l = #tile.distributed<4x4 = [(4 reg * 2), (4 reg)] threads 32>

// -----

// expected-error @below {{found a padding of -1 elements; padding is 0 to 4096 (padded-C1)}}
#l = #tile.padded<-1>

// -----

// expected-error @below {{found a unit of 12 bytes; it is a power of two up to 128 (xor-C1)}}
#l = #tile.xor<unit 12, bits 3, shift 7>

// -----

// expected-error @below {{found 0 bits; an XOR has 1 to 7 (xor-C1)}}
#l = #tile.xor<unit 16, bits 0, shift 7>

// -----

// expected-error @below {{found a shift of 6; it is between 7, above the bits that change, and 30 (xor-C2)}}
#l = #tile.xor<unit 16, bits 3, shift 6>

// -----

// expected-error @below {{found the shift 7 twice; two shifts differ (xor-C2)}}
#l = #tile.xor<unit 16, bits 3, shift 7, shift 7>

// -----

// expected-error @below {{found panels of 48 bytes; panels are 32, 64 or 128 bytes wide (swizzled-C1)}}
#l = #tile.swizzled<48>

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op is laid out by a layout of shape [4x8], its own shape is [4x16]: the digits (8 thread) of axis 1 hold 8 of 16; the shapes are equal (layout-C1)}}
  tile.parallel (%i, %j) in (4, 16) layout(#tile.distributed<4x8 = [(4 reg), (8 thread)] threads 32>) {
  }
}

// -----

// expected-note @below {{the threads are given here}}
tile.kernel @f() grid(%b) in (1) threads(64) {
  // expected-error @below {{'tile.alloc_fragment' op is laid out over 32 threads in a kernel of 64; the numbers of threads are equal (layout-C2)}}
  %a = tile.alloc_fragment layout(#tile.distributed<4x8 = [(4 reg), (8 thread)] threads 32>) : memref<4x8xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (4) threads(32) attributes {origin = affine_map<(d0) -> (d0 mod 8)>} {
  // expected-error @below {{'tile.alloc_fragment' op is laid out with an origin of up to 3 in a kernel whose origin is up to 7; the two are equal (layout-C3)}}
  %a = tile.alloc_fragment layout(#tile.distributed<4x9 = [(4 reg), (12 thread)] threads 32 origins (0, 3)>) : memref<4x9xf32, #tile.fragment>
}

// -----

// expected-error @below {{is spread over 2 blocks; a kernel's blocks hold tiles of their own (distributed-C8)}}
#layout = #tile.distributed<8 = [(8 reg)] threads 32 blocks 2>

// -----

// expected-error @below {{is no layout: copy '2 reg * 2' belongs to registers; copies are in threads or blocks (distributed-C7)}}
#layout = #tile.distributed<64 = [(2 reg, 32 thread)] threads 32 copies (2 reg * 2)>

// -----

// Two axes may reach beyond the last thread together; the message names the digit that does.
// expected-error @below {{digit '4 thread * 16' of axis 0 reaches thread number 63 of 48; numbers begin at 0 and stay below (distributed-C5)}}
#l = #tile.distributed<4x16 = [(4 thread * 16), (16 thread)] threads 48>

// -----

// expected-error @below {{digit '32 thread' of axis 0 and copy '2 thread * 16' give one thread number to two combinations; they differ (distributed-C6)}}
#l = #tile.distributed<32 = [(32 thread)] threads 64 copies (2 thread * 16)>

// -----

// expected-error @below {{is no layout: digit '2 thread * 3' of axis 0 overlaps digit '2 thread * 2' of axis 1; its stride must be at least 4 (distributed-C7)}}
#l = #tile.distributed<2x2 = [(2 thread * 3), (2 thread * 2)] threads 32>

// -----

tile.kernel @f(%x: memref<4x16xf32>) grid(%b) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<4x16xf32, #tile.fragment>
  // expected-error @below {{'tile.copy' op is laid out by a layout of shape [4x8], its own shape is [4x16]: the digits (2 thread * 4, 4 thread) of axis 1 hold 8 of 16; the shapes are equal (layout-C1)}}
  tile.copy %x to %f layout(#tile.distributed<4x8 = [(4 thread * 8), (2 thread * 4, 4 thread)] threads 32>) : memref<4x16xf32> to memref<4x16xf32, #tile.fragment>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.alloc_fragment' op is laid out by a layout of shape [4x8], its own shape is [1x8x8]: the digits (4 reg) of axis 0 hold 4 of 8; the shapes are equal (layout-C1)}}
  %a = tile.alloc_fragment layout(#tile.distributed<4x8 = [(4 reg), (8 thread)] threads 32>) : memref<1x8x8xf32, #tile.fragment>
}
