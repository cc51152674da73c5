// The report on a kernel: its accesses with figures, as a table and as JSON; alone, it runs nothing.
// RUN: tile-run %s --explain | FileCheck %s
// RUN: env TILE_NVRTC=%t.nowhere tile-run %s --explain=json | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --explain --device sim --dim M=32 --dim N=32 | FileCheck %s --check-prefix=BOTH

// CHECK: kernel columns: sm_90a, 32 threads
// CHECK-NEXT: limited by starting blocks
// CHECK-NOT: regime
// CHECK: load {{ *}}ld.global.b32 {{ *}}4 {{ *}}32 (ideal 4)
// CHECK-SAME: neighbouring lanes lie {{[0-9]+}} bytes apart
// CHECK: parallel (i) {{ *}}loop {{ *}}32 = [(32 thread)] threads 32 {{ *}}{{[0-9.]+}} {{ *}}32 = [{{.*}}]{{.*}}: {{[0-9.]+}} {{ *}}as fast as the runner-up within 2 %, without masks or idle threads
// CHECK-NOT: verdict

// JSON: "accesses": [
// JSON: "buffer": "x"
// JSON: "instruction": "ld.global.b32"
// JSON: "sectors_per_request": 32
// JSON: "buffer": "parallel (i)"
// JSON: "cost": {{[0-9.]+}}
// JSON: "runner_up": "32 = [
// JSON: "runner_up_cost": {{[0-9.]+}}
// JSON: "space": "loop"
// JSON: "why": "as fast as the runner-up
// JSON: "limited_by": "starting blocks"
// JSON: "regime": null
// JSON: "registers": null
// JSON: "spill_bytes": null

// BOTH: kernel columns
// BOTH: regime: too few blocks: 1, the device runs {{[0-9]+}} at a time
// BOTH: verdict: right
tile.kernel @columns[%M, %N](%x[%M, %N]: memref<?x?xf32>, %y[%M]: memref<?xf32>) grid(%b) in (%M ceildiv 32) threads(32) {
  tile.parallel (%i) in (32) {
    %v = tile.load %x[%b * 32 + %i, 0] : memref<?x?xf32>
    tile.store %v, %y[%b * 32 + %i] : memref<?xf32>
  }
}
