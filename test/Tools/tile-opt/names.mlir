// Values keep the names of the text, unless the command line says otherwise.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-use-nameloc-as-prefix=false | FileCheck %s --check-prefix=NUMBERS
// RUN: tile-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: tile-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// VERSION: LLVM version 22
// DIALECTS: affine,arith,{{.*}}tile

// CHECK: tile.kernel @f[%rows](%in[%rows]: memref<?xf32>) grid(%block)
// NUMBERS: tile.kernel @f[%arg0](%arg1[%arg0]: memref<?xf32>) grid(%arg2)
tile.kernel @f[%rows](%in[%rows]: memref<?xf32>) grid(%block) in (%rows) threads(32) {
  // CHECK: tile.parallel (%i, %column-1) in (4, 8)
  tile.parallel (%i, %column-1) in (4, 8) {
    // CHECK: %first.value = tile.load %in[%i + %column-1]
    // NUMBERS: %0 = tile.load
    %first.value = tile.load %in[%i + %column-1] : memref<?xf32>
  }
}
