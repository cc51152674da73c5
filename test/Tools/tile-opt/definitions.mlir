// A name stands for its default, or for what -D says; errors name the user's file.

// RUN: tile-opt %s | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: tile-opt %s -D THREADS=96 -DN=7 | FileCheck %s --check-prefixes=CHECK,GIVEN
// RUN: not tile-opt %s -D THREADS=0 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: definitions.mlir:[[@LINE+6]]:1: error: 'tile.kernel' op has 0 threads

// $N = 5
// $THREADS = 128
// $T = f16

tile.kernel @f(%A: memref<$Nx$Nx$T>) grid(%b) in ($N * 2) threads($THREADS) {
}
// CHECK: tile.kernel @f
// DEFAULT-SAME: memref<5x5xf16>) grid(%b) in (10) threads(128)
// GIVEN-SAME: memref<7x7xf16>) grid(%b) in (14) threads(96)
