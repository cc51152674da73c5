// Each way tile-run can end, with its status and its message.
// RUN: %status 0 tile-run %s --device sim --kernel add --dim N=40 --arg x=2 --arg y=ones --out z=%t.npy | FileCheck %s --check-prefix=RIGHT
// RIGHT: verdict: right

// Wrong values: the first differing element.
// RUN: %status 1 tile-run %s --device sim --kernel add --arg x=5 --arg y=ones --expect z=%t.npy | FileCheck %s --check-prefix=WRONG
// WRONG: z: 40 f32, max error 3 against the file, 40 wrong
// WRONG-NEXT: z[0]: got 6, expected 3
// WRONG: z: 40 f32, max error 0, ok
// WRONG: verdict: wrong

// A fault of the program, found by either CPU device.
// RUN: %status 1 tile-run %s --device sim --kernel wild --dim N=4 | FileCheck %s --check-prefix=FAULT
// RUN: %status 1 tile-run %s --device sim --kernel wild --dim N=4 --no-check | FileCheck %s --check-prefix=FAULT
// FAULT: status.mlir:[[#]]:[[#]]: error:

// Arguments that are refused.
// RUN: %status 2 tile-run %s --device sim --kernel add | FileCheck %s --check-prefix=SIZE
// SIZE: error: size 'N' is not known; give --dim N=number, or a file of a tensor that has it
// RUN: %status 2 tile-run %s --device sim --kernel add --dim M=4 | FileCheck %s --check-prefix=DIM
// DIM: error: found --dim M; the kernel's sizes: N
// RUN: %status 2 tile-run %s --device sim --kernel add --dim N=4 --arg w=ones | FileCheck %s --check-prefix=ARG
// ARG: error: found --arg w; the kernel's arguments: x, y, z
// RUN: %status 2 tile-run %s --device sim --kernel add --dim N=4 --arg x=ons | FileCheck %s --check-prefix=VALUE
// VALUE: error: --arg x: {{.*}}ons
// RUN: %status 2 tile-run %s --device sim --kernel add --dim N=41 --arg x=%t.npy | FileCheck %s --check-prefix=FILE
// FILE: error: '{{.*}}.npy' has extent 40 in dimension 0 of 'x'; expected N = 41
// RUN: %status 2 tile-run %s --device sim --dim N=4 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: found 2 kernels, 'add', 'wild'; name one
// RUN: %status 2 tile-run %s --device sim --kernel sub --dim N=4 | FileCheck %s --check-prefix=NAME
// NAME: error: found no kernel 'sub'; the program has 'add', 'wild'
// RUN: %status 2 tile-run %s --frobnicate | FileCheck %s --check-prefix=OPTION
// OPTION: error: found no option '--frobnicate'; tile-run --help lists them
// RUN: %status 2 tile-run %s --device tpu | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: found 'tpu' for --device; expected one of auto, gpu, sim
// RUN: %status 2 tile-run %s --dim N=-1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: found '-1' for --dim N; expected a number of 0 or more
// RUN: %status 2 tile-run %t.nowhere.mlir | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot read '{{.*}}.nowhere.mlir': {{[Nn]}}o such file or directory
// RUN: %status 2 tile-run | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: found no file; expected tile-run FILE [options]

// What the machine lacks.
// RUN: env TILE_LIBCUDA=%t.nowhere %status 3 tile-run %s --device gpu --kernel add --dim N=4 | FileCheck %s --check-prefix=DRIVER
// DRIVER: error: {{.*}}nowhere
// RUN: %status 3 tile-run %s --device sim --arch sm_12x --kernel add --dim N=4 | FileCheck %s --check-prefix=ARCH
// ARCH: error: unknown architecture 'sm_12x'
// RUN: env TILE_NVRTC=%t.nowhere %status 3 tile-run %s --kernel add --emit cubin -o %t.cubin | FileCheck %s --check-prefix=NVRTC
// NVRTC: error: {{.*}}nowhere
// RUN: %status 3 tile-run %s --device sim --kernel add --dim N=4 --bench | FileCheck %s --check-prefix=BENCH
// BENCH: error: found no GPU to time; --bench measures on one
tile.kernel @add[%N](%x[%N]: memref<?xf32>, %y[%N]: memref<?xf32>, %z[%N]: memref<?xf32>)
    grid(%b) in (%N ceildiv 32) threads(32) {
  tile.parallel (%i) in (32) {
    %p = tile.load %x[%b * 32 + %i] : memref<?xf32>
    %q = tile.load %y[%b * 32 + %i] : memref<?xf32>
    %s = arith.addf %p, %q : f32
    tile.store %s, %z[%b * 32 + %i] : memref<?xf32>
  }
}

// Reads shared memory that nothing wrote.
tile.kernel @wild[%N](%z[%N]: memref<?xf32>) grid(%b) in (1) threads(32) {
  %s = tile.alloc_shared : memref<32xf32, #tile.shared>
  tile.copy %s to %z[0] : memref<32xf32, #tile.shared> to memref<?xf32>
}
