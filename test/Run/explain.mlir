// The report on a kernel: its accesses with figures, as a table and as JSON; alone, it runs nothing.
// RUN: tile-run %s --explain | FileCheck %s
// RUN: env TILE_NVRTC=%t.nowhere tile-run %s --explain=json | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --explain --device sim --dim M=32 --dim N=32 | FileCheck %s --check-prefix=BOTH

// CHECK: kernel columns: sm_90a, 32 threads
// CHECK: load {{ *}}ld.global.b32 {{ *}}4 {{ *}}32 (ideal 4)
// CHECK-SAME: neighbouring lanes lie {{[0-9]+}} bytes apart
// CHECK-NOT: verdict

// JSON: "accesses": [
// JSON: "buffer": "x"
// JSON: "instruction": "ld.global.b32"
// JSON: "sectors_per_request": 32
// JSON: "registers": null
// JSON: "spill_bytes": null

// BOTH: kernel columns
// BOTH: verdict: right
tile.kernel @columns[%M, %N](%x[%M, %N]: memref<?x?xf32>, %y[%M]: memref<?xf32>) grid(%b) in (%M ceildiv 32) threads(32) {
  tile.parallel (%i) in (32) {
    %v = tile.load %x[%b * 32 + %i, 0] : memref<?x?xf32>
    tile.store %v, %y[%b * 32 + %i] : memref<?xf32>
  }
}
