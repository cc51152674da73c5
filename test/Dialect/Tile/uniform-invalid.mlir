// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What all threads do together, where some threads are missing.

tile.kernel @f() grid(%b) in (1) threads(64) {
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %c48 = arith.constant 48 : index
  %c = arith.cmpi slt, %t, %c48 : index
  // expected-note @below {{the threads part here}}
  scf.if %c {
    // expected-error @below {{'tile.sync' op acts on the whole block and stands in 'scf.if', which threads may leave or skip at different times; all threads of the block reach it together (uniform-C1)}}
    tile.sync
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  // expected-note @below {{the threads part here}}
  tile.serial %i in (%t mod 4) {
    // expected-error @below {{'tile.fill' op acts on the whole block and stands in 'tile.serial', which threads may leave or skip at different times; all threads of the block reach it together (uniform-C1)}}
    tile.fill %s with 0.0 : memref<4xf32, #tile.shared>
  }
}

// -----

// The condition depends on the thread by way of a loop-carried value.
tile.kernel @f(%A: memref<64xi32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %start = tile.load %A[%t] : memref<64xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-note @below {{the threads part here}}
  %r = scf.while (%x = %start) : (i32) -> i32 {
    %c = arith.cmpi ne, %x, %zero : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%x: i32):
    %y = arith.subi %x, %one : i32
    // expected-error @below {{'tile.fill' op acts on the whole block and stands in 'scf.while', which threads may leave or skip at different times; all threads of the block reach it together (uniform-C1)}}
    tile.fill %s with 0.0 : memref<4xf32, #tile.shared>
    scf.yield %y : i32
  }
}

// -----

tile.kernel @f(%A: memref<4xi32>) grid(%b) in (1) threads(64) {
  %one = arith.constant 1 : i32
  // expected-note @below {{the threads differ from here}}
  %old = tile.atomic add %one, %A[0] : memref<4xi32>
  %c = arith.cmpi eq, %old, %one : i32
  // expected-note @below {{the threads part here}}
  scf.if %c {
    // expected-error @below {{'tile.parallel' op acts on the whole block and stands in 'scf.if', which threads may leave or skip at different times; all threads of the block reach it together (uniform-C1)}}
    tile.parallel %i in (4) {
    }
  }
}

// -----

tile.kernel @f(%A: memref<64xf32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  // expected-error @below {{'tile.copy' op acts on the whole block and has an operand that differs between threads; its operands are the same for all threads of the block (uniform-C2)}}
  tile.copy %A[%t] to %s : memref<64xf32> to memref<4xf32, #tile.shared>
}

// -----

tile.kernel @f(%A: memref<64xf32>) grid(%b) in (1) threads(64) {
  %s = tile.alloc_shared : memref<4xf32, #tile.shared>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %x = tile.load %A[%t] : memref<64xf32>
  // expected-error @below {{'tile.fill' op acts on the whole block and has an operand that differs between threads; its operands are the same for all threads of the block (uniform-C2)}}
  tile.fill %s with %x : memref<4xf32, #tile.shared>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(64) {
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  // expected-error @below {{'tile.parallel' op acts on the whole block and has an operand that differs between threads; its operands are the same for all threads of the block (uniform-C2)}}
  tile.parallel %i in (%t) {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(64) {
  %r = tile.alloc_fragment : memref<64xf32, #tile.fragment>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  // expected-error @below {{'tile.load' op reads an element of a fragment outside 'tile.parallel' and has an operand that differs between threads; its operands are the same for all threads of the block (uniform-C2)}}
  %x = tile.load %r[%t] : memref<64xf32, #tile.fragment>
}

// -----

// Half of the threads cannot copy a tile of the block.
tile.kernel @f(%x: memref<64xf32>) grid(%b) in (1) threads(256) {
  %s = tile.alloc_shared : memref<64xf32, #tile.shared>
  %f = tile.alloc_fragment : memref<64xf32, #tile.fragment>
  %r = tile.alloc_fragment : memref<f32, #tile.fragment>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %half = arith.constant 128 : index
  %c = arith.cmpi slt, %t, %half : index
  // expected-note @below {{the threads part here}}
  scf.if %c {
    // expected-error @below {{'tile.copy' op acts on the whole block and stands in 'scf.if'}}
    tile.copy %x to %s : memref<64xf32> to memref<64xf32, #tile.shared>
  }
}

// -----

// Nor reduce one.
tile.kernel @f() grid(%b) in (1) threads(256) {
  %f = tile.alloc_fragment : memref<64xf32, #tile.fragment>
  %r = tile.alloc_fragment : memref<f32, #tile.fragment>
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  %half = arith.constant 128 : index
  %c = arith.cmpi slt, %t, %half : index
  // expected-note @below {{the threads part here}}
  scf.if %c {
    // expected-error @below {{'tile.reduce' op acts on the whole block and stands in 'scf.if'}}
    tile.reduce sum %f into %r dim 0 : memref<64xf32, #tile.fragment> into memref<f32, #tile.fragment>
  }
}
