// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What the head of a kernel may not say.

// expected-error @below {{custom op 'tile.kernel' '%X' is no size symbol of this kernel (kernel-C1)}}
tile.kernel @f[%M](%A[%X]: memref<?xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{custom op 'tile.kernel' '%Q' is no size symbol or index argument of this kernel (kernel-C1)}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>) grid(%b) in (%Q) threads(32) {
}

// -----

// expected-error @below {{custom op 'tile.kernel' '%B' is no argument of this kernel (kernel-C1)}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) disjoint(%B) {
}

// -----

// expected-error @below {{custom op 'tile.kernel' found 2 block indices and 1 extents; a grid has one index an extent (kernel-C2)}}
tile.kernel @f() grid(%b, %c) in (1) threads(32) {
}

// -----

// expected-error @below {{custom op 'tile.kernel' 'quick' is no fastmath flag; flags are none, reassoc, nnan, ninf, nsz, arcp, contract, afn, fast (kernel-C3)}}
tile.kernel @f() grid(%b) in (1) threads(32) fastmath(quick) {
}

// -----

// expected-error @below {{custom op 'tile.kernel' 'cheap' is no clause of a kernel; clauses are where, disjoint, fastmath, min_blocks, block_order (kernel-C4)}}
tile.kernel @f() grid(%b) in (1) threads(32) cheap {
}

// -----

// expected-error @below {{custom op 'tile.kernel' clause 'min_blocks' stands twice; a kernel has one of each (kernel-C5)}}
tile.kernel @f() grid(%b) in (1) threads(32) min_blocks(2) min_blocks(2) {
}

// -----

module {
  module {
    // expected-error @below {{'tile.kernel' op does not stand in the outermost module; kernels are not nested (kernel-C6)}}
    tile.kernel @f() grid(%b) in (1) threads(32) {
    }
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-error @below {{'tile.kernel' op symbol's parent must have the SymbolTable trait}}
  tile.kernel @g() grid(%c) in (1) threads(32) {
  }
}

// -----

// expected-error @below {{'tile.kernel' op has 0 threads; a block has 1 to 1024 (kernel-C7)}}
tile.kernel @f() grid(%b) in (1) threads(0) {
}

// -----

// expected-error @below {{'tile.kernel' op has -1 threads; a block has 1 to 1024 (kernel-C7)}}
tile.kernel @f() grid(%b) in (1) threads(-1) {
}

// -----

// expected-error @below {{'tile.kernel' op has 1025 threads; a block has 1 to 1024 (kernel-C7)}}
tile.kernel @f() grid(%b) in (1) threads(1025) {
}

// -----

// expected-error @below {{'tile.kernel' op has 0 grid axes; a grid has 1 to 3 (kernel-C8)}}
tile.kernel @f() grid() in () threads(32) {
}

// -----

// expected-error @below {{'tile.kernel' op has 4 grid axes; a grid has 1 to 3 (kernel-C8)}}
tile.kernel @f() grid(%a, %b, %c, %d) in (1, 1, 1, 1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel lives in shared memory; arguments are global tensors and scalars (kernel-C9)}}
tile.kernel @f(%A: memref<4xf32, #tile.shared>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has type 'tensor<4xf32>'; arguments are global tensors, scalars of an element type, or index (kernel-C9)}}
tile.kernel @f(%A: tensor<4xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has type 'i7'; arguments are global tensors, scalars of an element type, or index (kernel-C9)}}
tile.kernel @f(%A: i7) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has 1 sizes in its bracket and rank 2; a bracket has one entry a dimension (kernel-C10)}}
tile.kernel @f[%M](%A[%M]: memref<?x?xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has size 8 in its bracket for dimension 1, whose extent is 16; a static extent stands as its number (kernel-C11)}}
tile.kernel @f[%M](%A[%M, 8]: memref<?x16xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has an expression in its bracket for dimension 1, whose extent is 16; a static extent stands as its number (kernel-C11)}}
tile.kernel @f[%M](%A[%M, %M]: memref<?x16xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has size 8 in its bracket for the '?' of dimension 1; a size known now stands in the type too (kernel-C11)}}
tile.kernel @f[%M](%A[%M, 8]: memref<?x?xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 0 of the kernel has type 'memref<?xf32>' and no bracket; a tensor with '?' names its sizes, as in %A[%M] (kernel-C12)}}
tile.kernel @f(%A: memref<?xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{argument 1 of the kernel has type 'f32' and a bracket; only tensors have sizes (kernel-C13)}}
tile.kernel @f[%M](%A[%M]: memref<?xf32>, %s[%M]: f32) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{size symbol 0 is bound by no tensor; some dimension of an argument is exactly each symbol, as in %A[%M] (kernel-C14)}}
tile.kernel @f[%M](%A[%M * 2]: memref<?xf32>) grid(%b) in (1) threads(32) {
}

// -----

// expected-error @below {{'tile.kernel' op has 2 block arguments for 0 size symbols, 0 arguments and 1 grid axes; there is one for each (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32}> ({
^bb0(%a: index, %b: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op has 1 block arguments for 7 size symbols, 0 arguments and 1 grid axes; there is one for each (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 7, argShapes = [], grid = affine_map<() -> (1)>, threads = 32}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op has a size symbol or block index of another type; both are of type index (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32}> ({
^bb0(%a: i32):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op found argShapes entry 4 : i32; it is an affine map or unit (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [4 : i32], grid = affine_map<() -> (1)>, threads = 32}> ({
^bb0(%s: f32, %a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op found 1 comparisons in 'where'; each has a left and a right side (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32, whereKinds = array<i64: 1>}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op found comparison 9; there are 0 to 4 (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32, whereKinds = array<i64: 9>, whereMap = affine_map<() -> (1, 1)>}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op found 1 : i64 in 'disjoint'; a group is a list of argument numbers (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32, disjoint = [1]}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op found argument 3 in 'disjoint'; the kernel has 0 (kernel-C15)}}
"tile.kernel"() <{sym_name = "f", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32, disjoint = [array<i64: 3>]}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op has an empty name; a kernel is launched by its name (kernel-C15)}}
"tile.kernel"() <{sym_name = "", numSymbols = 0, argShapes = [], grid = affine_map<() -> (1)>, threads = 32}> ({
^bb0(%a: index):
}) : () -> ()

// -----

// expected-error @below {{'tile.kernel' op has min_blocks(0); 1 to 32 blocks may share a multiprocessor (kernel-C16)}}
tile.kernel @f() grid(%b) in (1) threads(32) min_blocks(0) {
}

// -----

// expected-error @below {{argument 0 of the kernel has type 'f32' and stands in 'disjoint'; its members are tensors (kernel-C17)}}
tile.kernel @f(%s: f32) grid(%b) in (1) threads(32) disjoint(%s) {
}

// -----

// expected-error @below {{argument 0 of the kernel stands twice in one 'disjoint'; members differ (kernel-C17)}}
tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) disjoint(%A, %A) {
}

// -----

// expected-error @below {{'tile.kernel' op has extent -1 on grid axis 0; extents of a grid are not negative (kernel-C22)}}
tile.kernel @f() grid(%b) in (-1) threads(32) {
}

// -----

// expected-error @+1 {{custom op 'tile.kernel' '%z' is no block index of this kernel; block_order names them all, the fastest first (kernel-C23)}}
tile.kernel @f() grid(%x, %y) in (1, 2) threads(32) block_order(%y, %z) {
}

// -----

// expected-error @below {{'tile.kernel' op has block_order of 1 indices for 2 grid axes; it names each block index once, the fastest first (kernel-C23)}}
tile.kernel @f() grid(%x, %y) in (1, 2) threads(32) block_order(%y) {
}

// -----

// expected-error @below {{'tile.kernel' op has block_order of 2 indices for 2 grid axes; it names each block index once, the fastest first (kernel-C23)}}
tile.kernel @f() grid(%x, %y) in (1, 2) threads(32) block_order(%y, %y) {
}
