// RUN: tile-opt %s --split-input-file --verify-diagnostics
// What the points of a parallel may not do.

tile.kernel @f() grid(%b) in (1) threads(32) {
  %p = tile.alloc_local : memref<4xf32, #tile.local>
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'tile.load' op uses a private array inside 'tile.parallel'; points are not threads, so private arrays stay outside (parallel-C1)}}
    %x = tile.load %p[%i] : memref<4xf32, #tile.local>
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'tile.thread_id' op asks for the thread inside 'tile.parallel'; points are not threads (parallel-C2)}}
    %t = tile.thread_id
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{the threads differ from here}}
  %t = tile.thread_id
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'arith.addi' op uses a value that differs between threads inside 'tile.parallel'; points are not threads (parallel-C2)}}
    %x = arith.addi %i, %t : index
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'tile.sync' op acts on the whole block inside 'tile.parallel'; its body acts on single elements (parallel-C3)}}
    tile.sync
  }
}

// -----

tile.kernel @f(%A: memref<4xf32>) grid(%b) in (1) threads(32) {
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'tile.fill' op acts on the whole block inside 'tile.parallel'; its body acts on single elements (parallel-C3)}}
    tile.fill %A with 0.0 : memref<4xf32>
  }
}

// -----

tile.kernel @f() grid(%b) in (1) threads(32) {
  // expected-note @below {{the parallel is here}}
  tile.parallel %i in (4) {
    // expected-error @below {{'tile.parallel' op acts on the whole block inside 'tile.parallel'; its body acts on single elements (parallel-C3)}}
    tile.parallel %j in (4) {
    }
  }
}

// -----

// 32 points of each row add to one element.
tile.kernel @f() grid(%b) in (1) threads(128) {
  // expected-note @below {{buffer of type 'memref<16x14xi32, #tile.fragment>' defined here}}
  %A = tile.alloc_fragment : memref<16x14xi32, #tile.fragment>
  %B = tile.alloc_fragment : memref<16x448xi32, #tile.fragment>
  tile.parallel (%i, %j) in (16, 448) {
    %x = tile.load %B[%i, %j] : memref<16x448xi32, #tile.fragment>
    %y = tile.load %A[%i, %j floordiv 32] : memref<16x14xi32, #tile.fragment>
    %z = arith.addi %x, %y : i32
    // expected-error @below {{'tile.store' op writes element [0, 0] at point (0, 1), which point (0, 0) writes; each point writes elements of its own, or combines them by 'tile.atomic' (parallel-C4)}}
    tile.store %z, %A[%i, %j floordiv 32] : memref<16x14xi32, #tile.fragment>
  }
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%N](%A[%N]: memref<?xf32>, %x: f32) grid(%b) in (2) threads(128) {
  tile.parallel (%i, %j) in (8, 8) {
    // expected-error @below {{'tile.store' op writes element [... + 7] at point (1, 0), which point (0, 7) writes; each point writes elements of its own, or combines them by 'tile.atomic' (parallel-C4)}}
    tile.store %x, %A[%b * 64 + %i * 7 + %j] : memref<?xf32>
  }
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%N](%A[%N]: memref<?xf32>, %x: f32) grid(%b) in (2) threads(128) {
  tile.parallel %i in (8) {
    tile.vectorized %v in (4) {
      // expected-error @below {{'tile.store' op writes element [2] at point (1), which point (0) writes; each point writes elements of its own, or combines them by 'tile.atomic' (parallel-C4)}}
      tile.store %x, %A[%i * 2 + %v] : memref<?xf32>
    }
  }
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%N](%A[%N]: memref<?xf32>, %x: f32) grid(%b) in (2) threads(128) {
  tile.parallel %i in (8) {
    // expected-note @below {{the other write is here}}
    tile.store %x, %A[%i] : memref<?xf32>
    // expected-error @below {{'tile.store' op writes element [1] at point (0), which point (1) writes; each point writes elements of its own, or combines them by 'tile.atomic' (parallel-C4)}}
    tile.store %x, %A[%i + 1] : memref<?xf32>
  }
}

// -----

// expected-note @below {{buffer of type 'memref<?xf32>' defined here}}
tile.kernel @f[%N](%A[%N]: memref<?xf32>) grid(%b) in (2) threads(128) {
  tile.parallel %i in (8) {
    // expected-error @below {{'tile.load' op reads element [... + 1] at point (0), which point (1) writes; an element that one point writes is read by that point only (parallel-C5)}}
    %x = tile.load %A[%b * 8 + %i + 1] : memref<?xf32>
    // expected-note @below {{the other write is here}}
    tile.store %x, %A[%b * 8 + %i] : memref<?xf32>
  }
}
