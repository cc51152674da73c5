// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-expand-copies))" | FileCheck %s

!S = memref<100xf16, #tile.shared>
!R = memref<100xf32, #tile.fragment>
!L = memref<4xf32, #tile.local>

// No copy or fill is left; each loop has the layout of its op and remembers what it was.
// CHECK-LABEL: tile.kernel @f
// CHECK-NOT: tile.copy
// CHECK-NOT: tile.fill
tile.kernel @f[%M](%x[%M]: memref<?xf16>, %y: memref<100xf32>) grid(%b) in (%M ceildiv 100) threads(32) {
  %s = tile.alloc_shared : !S
  %r = tile.alloc_fragment : !R
  %l = tile.alloc_local : !L
  // A private array is filled by each thread.
  // CHECK: tile.vectorized %[[V:.+]] in (4)
  // CHECK: tile.store %{{.+}}, %l[%[[V]]]
  tile.fill %l with 1.0 : !L
  // The start of the window joins the index; the pad value stays.
  // CHECK: tile.parallel %[[I:.+]] in (100) layout(#tile.distributed<100 = [(25 thread, 4 reg)] threads 32>)
  // CHECK-SAME: note = "copy x to s"
  // CHECK: %[[X:.+]] = tile.load %x[%b * 100 + %[[I]]] pad -inf
  // CHECK: tile.store %[[X]], %s[%[[I]]]
  tile.copy %x[%b * 100] to %s pad -inf : memref<?xf16> to !S
  // A cast converts each element.
  // CHECK: tile.parallel
  // CHECK: %[[H:.+]] = tile.load %s
  // CHECK: %[[F:.+]] = simt.convert %[[H]] : f16 to f32
  // CHECK: tile.store %[[F]], %r
  tile.copy %s to %r cast : !S to !R
  // CHECK: note = "copy r to y"
  tile.copy %r to %y : !R to memref<100xf32>
}
