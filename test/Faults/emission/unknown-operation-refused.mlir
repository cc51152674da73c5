// An operation that the language does not have is an error at its place, not text.
// RUN: not tile-translate --tile-to-cuda %s 2>&1 | FileCheck %s
// CHECK: unknown-operation-refused.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: {{.*}}(kernel-C18)
!X = memref<32xf32>
tile.kernel @k(%x: !X) grid(%b) in (1) threads(32) {
  %c = arith.constant 0 : index
  %d = memref.load %x[%c] : !X
}
