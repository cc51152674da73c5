// Two kernels of one name are refused with both places.
// RUN: not tile-translate --tile-to-cuda %s 2>&1 | FileCheck %s
// CHECK: one-name-twice-refused.mlir:[[#@LINE+3]]:{{[0-9]+}}: error: {{.*}}'twice'
tile.kernel @twice() grid(%b) in (1) threads(32) {
}
tile.kernel @twice() grid(%b) in (1) threads(32) {
}
