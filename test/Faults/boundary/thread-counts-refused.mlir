// Thread counts and extents beyond what exists are refused with the value and the limit.
// RUN: not tile-opt %s -DTHREADS=1025 -DEXTENT=8 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-opt %s -DTHREADS=0 -DEXTENT=8 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-opt %s -DTHREADS=-1 -DEXTENT=8 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-opt %s -DTHREADS=32 -DEXTENT=0 2>&1 | FileCheck %s --check-prefix=EMPTY
// MANY: thread-counts-refused.mlir:[[#@LINE+5]]:{{.*}}error: {{.*}}has 1025 threads; a block has 1 to 1024 (kernel-C7)
// NONE: thread-counts-refused.mlir:[[#@LINE+4]]:{{.*}}error: {{.*}}has 0 threads; a block has 1 to 1024 (kernel-C7)
// NEGATIVE: thread-counts-refused.mlir:[[#@LINE+3]]:{{.*}}error:
// EMPTY: thread-counts-refused.mlir:[[#@LINE+3]]:{{.*}}error: {{.*}}(buffer-C5)
// The lines the messages name.
tile.kernel @k(%x: memref<8xf32>) grid(%b) in (1) threads($THREADS) {
  %s = tile.alloc_shared : memref<$EXTENTxf32, #tile.shared>
}
