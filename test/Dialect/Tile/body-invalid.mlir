// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What may not stand in a kernel.

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'affine.load' op stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, scf.while, affine.apply and memref.dim, and elements are read by 'tile.load' (kernel-C18)}}
  %x = affine.load %A[0] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  %c = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  // expected-error @below {{'memref.store' op stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, scf.while, affine.apply and memref.dim, and elements are written by 'tile.store' (kernel-C18)}}
  memref.store %x, %A[%c] : memref<4xf32>
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-error @below {{'affine.for' op stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, scf.while, affine.apply and memref.dim, and loops are written as 'tile.serial' or 'tile.parallel' (kernel-C18)}}
  affine.for %i = 0 to 4 {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'memref.alloc' op stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, scf.while, affine.apply and memref.dim, and buffers are made by 'tile.alloc_shared', 'tile.alloc_fragment' or 'tile.alloc_local' (kernel-C18)}}
  %a = memref.alloc() : memref<4xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'builtin.module' op stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, scf.while, affine.apply and memref.dim (kernel-C18)}}
  builtin.module {
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'arith.constant' op has a result of type 'vector<4xf32>'; values are scalars of an element type, or index (kernel-C19)}}
  %x = arith.constant dense<0.0> : vector<4xf32>
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'arith.constant' op has a result of type 'i7'; values are scalars of an element type, or index (kernel-C19)}}
  %x = arith.constant 3 : i7
}

// -----

tile.kernel @f(%A: memref<4xf32>, %B: memref<4xf32>, %c: i1) grid(%b) in (1) threads(32) {
  // expected-error @below {{'arith.select' op makes a buffer of type 'memref<4xf32>'; buffers come from arguments, allocations, 'tile.reshape', 'tile.view' and 'tile.slice' (kernel-C20)}}
  %x = arith.select %c, %A, %B : memref<4xf32>
}

// -----

// expected-error @below {{'tile.thread_id' op stands outside a kernel; operations on tiles belong into a 'tile.kernel' (kernel-C21)}}
%t = tile.thread_id

// -----

// expected-error @below {{'tile.sync' op stands outside a kernel; operations on tiles belong into a 'tile.kernel' (kernel-C21)}}
tile.sync

// -----

// expected-error @below {{'tile.alloc_shared' op stands outside a kernel; operations on tiles belong into a 'tile.kernel' (kernel-C21)}}
%a = tile.alloc_shared : memref<4xf32, #tile.shared>
