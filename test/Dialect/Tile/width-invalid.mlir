// RUN: tile-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts))"
// Widths that cannot hold: each is refused with what was found and what was asked for.

tile.kernel @f(%x: memref<64xf32>, %y: memref<64xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op has width(3); a width is a power of two (width-C1)}}
  tile.copy %x to %y width(3) : memref<64xf32> to memref<64xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has width(0); a width is a power of two (width-C1)}}
  tile.parallel %i in (64) width(0) {
  }
}

// -----

tile.kernel @f(%x: memref<128xf32>) grid(%b) in (1) threads(32) {
  %t = tile.thread_id
  %p = tile.alloc_local : memref<4xf32, #tile.local>
  // expected-error @below {{'tile.copy' op has width(4) and copies a private array; the block moves nothing here together (width-C1)}}
  tile.copy %x[%t * 4] to %p width(4) : memref<128xf32> to memref<4xf32, #tile.local>
}

// -----

tile.kernel @f(%x: memref<64xf16>, %y: memref<64xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op has width(8) and moves elements of type 'f32', 32 bytes at once; a thread moves at most 16 bytes at once (width-C2)}}
  tile.copy %x to %y cast width(8) : memref<64xf16> to memref<64xf32>
}

// -----

tile.kernel @f(%x: memref<64xf64>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has width(4) and moves elements of type 'f64', 32 bytes at once; a thread moves at most 16 bytes at once (width-C2)}}
  tile.parallel %i in (64) width(4) {
    %v = tile.load %x[%i] : memref<64xf64>
    tile.store %v, %x[%i] : memref<64xf64>
  }
}

// -----

tile.kernel @f(%x: memref<64x2xf32>, %y: memref<64x2xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.copy' op has width(4) along axis 1, which has 2 elements; at most all of them move at once (width-C3)}}
  tile.copy %x to %y width(4) : memref<64x2xf32> to memref<64x2xf32>
}

// -----

tile.kernel @f(%x: memref<64x8xf32>, %y: memref<128xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has width(2), and nothing that it moves is contiguous in memory along an axis of its own; only neighbours move at once (width-C3)}}
  tile.parallel %i in (64) width(2) {
    %v = tile.load %x[%i, 0] : memref<64x8xf32>
    tile.store %v, %y[2 * %i] : memref<128xf32>
  }
}

// -----

// Rows of 100 elements: those after the first begin at multiples of 4 only.
// expected-note @below {{defined here}}
tile.kernel @f(%x: memref<8x100xf16>) grid(%b) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<8x96xf16, #tile.fragment>
  // expected-error @below {{'tile.copy' op has width(8) along axis 1, and what is proven of 'x' is that its vectors begin at multiples of 4; they begin at multiples of the width (width-C4)}}
  tile.copy %x[0, 0] to %f width(8) : memref<8x100xf16> to memref<8x96xf16, #tile.fragment>
}

// -----

// A start known at launch only.
// expected-note @below {{defined here}}
tile.kernel @f(%x: memref<256xf32>, %at: index) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has width(4) along axis 0, and what is proven of 'x' is that its vectors begin at multiples of 1; they begin at multiples of the width (width-C4)}}
  tile.parallel %i in (64) width(4) {
    %v = tile.load %x[%at + %i] : memref<256xf32>
    tile.store %v, %x[%i] : memref<256xf32>
  }
}

// -----

// A tile whose rows are padded by one element.
tile.kernel @f(%x: memref<16x32xf32>) grid(%b) in (1) threads(32) {
  // expected-note @below {{defined here}}
  %s = tile.alloc_shared layout(#tile.padded<1>) : memref<16x32xf32, #tile.shared>
  // expected-error @below {{'tile.copy' op has width(2) along axis 1, and what is proven of 's' is that its vectors begin at multiples of 1; they begin at multiples of the width (width-C4)}}
  tile.copy %x to %s width(2) : memref<16x32xf32> to memref<16x32xf32, #tile.shared>
}

// -----

tile.kernel @f(%x: memref<128xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.parallel' op has width(4) along axis 0 and the layout 128 = [(2 reg * 2, 32 thread, 2 reg)] threads 32, whose lowest digit there is '2 reg'; it is of registers and a multiple of the width (width-C5)}}
  tile.parallel %i in (128) width(4) layout(#tile.distributed<128 = [(2 reg * 2, 32 thread, 2 reg)] threads 32>) {
    %v = tile.load %x[%i] : memref<128xf32>
    tile.store %v, %x[%i] : memref<128xf32>
  }
}

// -----

tile.kernel @f(%x: memref<128xf32>) grid(%b) in (1) threads(32) {
  %f = tile.alloc_fragment : memref<128xf32, #tile.fragment>
  // expected-error @below {{'tile.copy' op has width(2) along axis 0 and the layout 128 = [(4 reg, 32 thread)] threads 32, whose lowest digit there is '32 thread'; it is of registers and a multiple of the width (width-C5)}}
  tile.copy %x to %f width(2) layout(#tile.distributed<128 = [(4 reg, 32 thread)] threads 32>) : memref<128xf32> to memref<128xf32, #tile.fragment>
}
