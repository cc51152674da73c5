// Private arrays of one element keep their own values, whatever the order of their first uses; an unwritten one is reported.
// RUN: tile-run %s --device sim --variant all --kernel apart | FileCheck %s
// RUN: %status 1 tile-run %s --device sim --kernel unwritten --no-check | FileCheck %s --check-prefix=UNWRITTEN
// CHECK: o: 32 i32, max error 0, ok
// CHECK: verdict: right
// UNWRITTEN: private-scalars.mlir:[[#@LINE+24]]:{{[0-9]+}}: error: read of element 0 of a private array, which the thread has not written
!L = memref<1xi32, #tile.local>
tile.kernel @apart(%o: memref<32xi32>) grid(%g) in (1) threads(32) {
  %a = tile.alloc_local : !L
  %b = tile.alloc_local : !L
  %c = tile.alloc_local : !L
  %t = tile.thread_id
  %n = arith.index_cast %t : index to i32
  tile.fill %c with 3 : !L
  tile.fill %a with 1 : !L
  tile.store %n, %b[0] : !L
  %p = tile.load %c[0] : !L
  %q = tile.load %b[0] : !L
  %r = tile.load %a[0] : !L
  %s = arith.muli %p, %q : i32
  %u = arith.addi %s, %r : i32
  tile.store %u, %o[%t] : memref<32xi32>
}

tile.kernel @unwritten(%o: memref<32xi32>) grid(%g) in (1) threads(32) {
  %a = tile.alloc_local : !L
  %t = tile.thread_id

  // The line of the fault.
  %v = tile.load %a[0] : !L
  tile.store %v, %o[%t] : memref<32xi32>
}
