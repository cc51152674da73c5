// How often each access ran, as JSON, beside the prediction for one request; the lines of the run go elsewhere. The
// constants of the cost model need no program.
// RUN: tile-run %s --count --dim M=64 2> %t.run | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.run
// RUN: not tile-run %s --count --bench --dim M=64 2>&1 | FileCheck %s --check-prefix=BENCH
// RUN: not tile-run %s --count --device gpu --dim M=64 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: tile-run --cost-constants | FileCheck %s --check-prefix=CONSTANTS

// CHECK: "buffer": "x"
// CHECK: "requests": 64
// CHECK-NEXT: "sectors": 2048
// CHECK: "kind": "load"
// CHECK: "predicted": {
// CHECK-NEXT: "sectors": 32
// CHECK: "buffer": "y"
// CHECK: "requests": 64
// CHECK-NEXT: "sectors": 256
// CHECK: "kind": "store"
// CHECK: "predicted": {
// CHECK-NEXT: "sectors": 4
// CHECK: "blocks": 64
// CHECK: "kernel": "columns"
// CHECK-NOT: verdict

// SAYS: verdict: right

// BENCH: error: found --count with --bench; it counts in the simulator
// GPU: error: found --count with --device gpu; it counts in the simulator

// CONSTANTS: "name": "lineClocks"
// CONSTANTS: "unit": "clk"
// CONSTANTS: "value": 1.3
// CONSTANTS: "name": "baseRegisters"

tile.kernel @columns[%M](%x[32, %M]: memref<32x?xf32>, %y[%M, 32]: memref<?x32xf32>) grid(%b) in (%M) threads(32) {
  %t = tile.thread_id
  %v = tile.load %x[%t, %b] : memref<32x?xf32>
  tile.store %v, %y[%b, %t] : memref<?x32xf32>
}
