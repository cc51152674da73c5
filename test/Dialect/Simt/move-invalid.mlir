// What a move that asks the L2 to keep or to let go, or does not wait, must be; where a kernel is split.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

simt.kernel @shared(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %s = simt.shared at 0 : memref<4xf32, #simt.shared>
  %r = simt.registers : memref<4xf32, #simt.register>
  // expected-error @below {{'simt.move' op keeps what it moves from 'memref<4xf32, #simt.shared>' to 'memref<4xf32, #simt.register>'; the L2 keeps what is read from global memory alone}}
  simt.move %s[%c0 : i32] to %r[%c0 : i32] bytes 16 keep 12 : memref<4xf32, #simt.shared> to memref<4xf32, #simt.register>
}

// -----

simt.kernel @narrow(%x: memref<?xf16>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %r = simt.registers : memref<4xf16, #simt.register>
  // expected-error @below {{'simt.move' op keeps 2 bytes; accesses that ask the L2 to keep are of 4 bytes and more}}
  simt.move %x[%c0 : i32] to %r[%c0 : i32] bytes 2 keep 12 : memref<?xf16> to memref<4xf16, #simt.register>
}

// -----

simt.kernel @written(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %r = simt.registers : memref<4xf32, #simt.register>
  // expected-error @below {{'simt.move' op keeps what the kernel writes; only what is read alone is kept}}
  simt.move %x[%c0 : i32] to %r[%c0 : i32] bytes 16 keep 12 : memref<?xf32> to memref<4xf32, #simt.register>
  // expected-note @below {{written here}}
  simt.move %r[%c0 : i32] to %x[%c0 : i32] bytes 16 : memref<4xf32, #simt.register> to memref<?xf32>
}

// -----

simt.kernel @toRegisters(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %r = simt.registers : memref<4xf32, #simt.register>
  // expected-error @below {{'simt.move' op moves 16 bytes to 'memref<4xf32, #simt.register>'; 'async' is for 4, 8 or 16 bytes from global to shared memory}}
  simt.move %x[%c0 : i32] to %r[%c0 : i32] bytes 16 async : memref<?xf32> to memref<4xf32, #simt.register>
}

// -----

simt.kernel @half(%x: memref<?xf16>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %s = simt.shared at 0 : memref<4xf16, #simt.shared>
  // expected-error @below {{'simt.move' op moves 2 bytes to 'memref<4xf16, #simt.shared>'; 'async' is for 4, 8 or 16 bytes from global to shared memory}}
  simt.move %x[%c0 : i32] to %s[%c0 : i32] bytes 2 async : memref<?xf16> to memref<4xf16, #simt.shared>
}

// -----

simt.kernel @both(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %s = simt.shared at 0 : memref<4xf32, #simt.shared>
  // expected-error @below {{'simt.move' op asks for 'keep' and 'async'; what flies to shared memory asks the L2 for nothing}}
  simt.move %x[%c0 : i32] to %s[%c0 : i32] bytes 16 keep 12 async : memref<?xf32> to memref<4xf32, #simt.shared>
}

// -----

simt.kernel @streamsToShared(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %yes = arith.constant true
  %s = simt.shared at 0 : memref<4xf32, #simt.shared>
  // expected-error @below {{'simt.move' op moves 16 bytes to 'memref<4xf32, #simt.shared>'; 'streams' is for 4, 8 or 16 bytes from global memory to what a thread has for itself}}
  simt.move %x[%c0 : i32] to %s[%c0 : i32] bytes 16 streams %yes : memref<?xf32> to memref<4xf32, #simt.shared>
}

// -----

simt.kernel @streamsAndStays(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %yes = arith.constant true
  %r = simt.registers : memref<4xf32, #simt.register>
  // expected-error @below {{'simt.move' op asks for 'keep' and 'streams'; the L2 keeps what comes, or lets it go}}
  simt.move %x[%c0 : i32] to %r[%c0 : i32] bytes 16 keep 12 streams %yes : memref<?xf32> to memref<4xf32, #simt.register>
}

// -----

simt.kernel @twice(%flag: i1) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<scalar 0>]} {
  %a = simt.split %flag
  // expected-error @below {{'simt.split' op splits a kernel that is split already}}
  %b = simt.split %flag
}

// -----

simt.kernel @inside(%flag: i1) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<scalar 0>]} {
  scf.if %flag {
    // expected-error @below {{'simt.split' op stands inside 'scf.if'; the body of a kernel is split as a whole}}
    %a = simt.split %flag
  }
}

// -----

simt.kernel @paddedTensor(%x: memref<?xf32>) grid() in affine_map<() -> ()> threads(1) attributes {source = "k", requirements = [], parameters = [#simt.parameter<tensor 0>]} {
  %c0 = arith.constant 0 : i32
  %r = simt.registers : memref<4xf32, #simt.register>
  // expected-error @below {{'simt.move' op moves from 'memref<?xf32>' to 'memref<4xf32, #simt.register>'; 'simt.padded' is for moves from shared memory to what a thread has for itself}}
  simt.move %x[%c0 : i32] to %r[%c0 : i32] bytes 16 {simt.padded} : memref<?xf32> to memref<4xf32, #simt.register>
}
