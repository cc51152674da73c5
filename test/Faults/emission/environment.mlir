// A machine that lacks the device's compiler or its driver is a problem of the environment, with what was tried.
// RUN: env TILE_NVRTC=%t.nowhere %status 3 tile-run %s --emit cubin -o %t.cubin | FileCheck %s --check-prefix=COMPILER
// RUN: env TILE_LIBCUDA=%t.nowhere %status 3 tile-run %s --device gpu | FileCheck %s --check-prefix=DRIVER
// COMPILER: error: {{.*}}nowhere
// DRIVER: error: {{.*}}nowhere
tile.kernel @k(%x: memref<32xf32>) grid(%b) in (1) threads(32) {
  tile.parallel %i in (32) {
    %c = arith.constant 1.0 : f32
    tile.store %c, %x[%i] : memref<32xf32>
  }
}
