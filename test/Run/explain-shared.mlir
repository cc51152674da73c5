// The report on shared tiles: what was chosen, its wavefronts, the next best, and why; of a pin, what it costs.
// RUN: tile-run %s --kernel chosen --explain | FileCheck %s --check-prefix=TEXT
// RUN: tile-run %s --kernel chosen --explain=json | FileCheck %s --check-prefix=JSON
// RUN: tile-run %s --kernel pinned --explain | FileCheck %s --check-prefix=PIN
// RUN: tile-run %s --kernel scattered --explain=json | FileCheck %s --check-prefix=DATA
// RUN: tile-run %s --kernel chosen --device sim | FileCheck %s --check-prefix=RIGHT

// TEXT: ld.shared.b16 {{.*}} 1 (ideal 1)
// TEXT: layouts
// TEXT: s {{ *}}shared {{ *}}xor<unit 16, bits 3, shift 10> {{ *}}192 (ideal 192) {{ *}}xor<{{.*}}>: 320 {{.*}}192 wavefronts, no bank conflicts; next best is

// JSON: "layouts": [
// JSON: "buffer": "s"
// JSON: "cost": 192
// JSON: "ideal": 192
// JSON: "layout": "xor<unit 16, bits 3, shift 10>"
// JSON: "runner_up": "xor<
// JSON: "runner_up_cost": 320
// JSON: "why": "xor<unit 16, bits 3, shift 10>: 192 wavefronts, no bank conflicts

// PIN: s {{ *}}shared {{ *}}linear {{.*}} (ideal 192) {{.*}}pinned by the program; xor<unit 16, bits 3, shift 10> would take 192

// DATA: "cost": null
// DATA: "ideal": null
// DATA: "layout": "linear"
// DATA: "why": "linear: the address of an access depends on data"

// RIGHT: verdict: right
!M = memref<64x64xbf16>
!T = memref<64x64xbf16, #tile.shared>

tile.kernel @chosen(%a: !M, %b: !M) grid(%g) in (1) threads(256) {
  %s = tile.alloc_shared : !T
  tile.copy %a to %s : !M to !T
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %s[%i, %j] : !T
    tile.store %x, %b[%j, %i] : !M
  }
}

tile.kernel @pinned(%a: !M, %b: !M) grid(%g) in (1) threads(256) {
  %s = tile.alloc_shared layout(#tile.linear) : !T
  tile.copy %a to %s : !M to !T
  tile.parallel (%j, %i) in (64, 64) {
    %x = tile.load %s[%i, %j] : !T
    tile.store %x, %b[%j, %i] : !M
  }
}

tile.kernel @scattered(%at: memref<64xi32>, %b: memref<64xi32>) grid(%g) in (1) threads(64) {
  %s = tile.alloc_shared : memref<64xi32, #tile.shared>
  tile.fill %s with 0 : memref<64xi32, #tile.shared>
  tile.parallel %i in (64) {
    %n = tile.load %at[%i] : memref<64xi32>
    %place = arith.index_castui %n : i32 to index
    tile.atomic add %n, %s[%place] : memref<64xi32, #tile.shared>
  }
  tile.copy %s to %b : memref<64xi32, #tile.shared> to memref<64xi32>
}
