// Shared memory is checked when the kernel is compiled, against the architecture's limit, with the bytes of each buffer.
// RUN: tile-translate --tile-to-cuda %s -DBYTES=48128 --arch sm_90a | FileCheck %s --check-prefix=STATIC
// RUN: tile-translate --tile-to-cuda %s -DBYTES=49152 --arch sm_80 | FileCheck %s --check-prefix=STATIC
// RUN: tile-translate --tile-to-cuda %s -DBYTES=49153 --arch sm_90a | FileCheck %s --check-prefix=DYNAMIC
// RUN: tile-translate --tile-to-cuda %s -DBYTES=101376 --arch sm_86 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tile-translate --tile-to-cuda %s -DBYTES=101377 --arch sm_86 2>&1 | FileCheck %s -DLIMIT=101376
// RUN: tile-translate --tile-to-cuda %s -DBYTES=166912 --arch sm_80 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tile-translate --tile-to-cuda %s -DBYTES=167936 --arch sm_80 2>&1 | FileCheck %s -DLIMIT=166912
// RUN: tile-translate --tile-to-cuda %s -DBYTES=232448 --arch sm_90a | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tile-translate --tile-to-cuda %s -DBYTES=232449 --arch sm_90a 2>&1 | FileCheck %s -DLIMIT=232448
// RUN: not tile-translate --tile-to-cuda %s -DBYTES=339968 --arch sm_90a 2>&1 | FileCheck %s -DLIMIT=232448
// STATIC: __shared__ alignas({{[0-9]+}}) unsigned char arena[
// DYNAMIC: extern __shared__
// CHECK: shared-memory-limits.mlir:{{.*}}error: {{.*}}[[LIMIT]]
!S = memref<$BYTESxi8, #tile.shared>
tile.kernel @large(%o: memref<4xi8>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared : !S
  tile.fill %s with 1 : !S
  tile.parallel %i in (4) {
    %v = tile.load %s[%i] : !S
    tile.store %v, %o[%i] : memref<4xi8>
  }
}
