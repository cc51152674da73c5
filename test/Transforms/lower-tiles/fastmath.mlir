// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions,tile-expand-copies),tile-lower-tiles)" | FileCheck %s

// The kernel's flags become those of every op that has none of its own, conversions included.
// CHECK-LABEL: simt.kernel @flags(
// CHECK: arith.extf {{.*}} fastmath<contract,afn>
// CHECK: math.exp {{.*}} fastmath<contract,afn>
// CHECK: arith.mulf {{.*}} fastmath<nnan>
// CHECK: arith.truncf {{.*}} fastmath<contract,afn>
tile.kernel @flags(%x: memref<32xbf16>) grid(%b) in (1) threads(32) fastmath(contract, afn) {
  tile.parallel %i in (32) {
    %h = tile.load %x[%i] : memref<32xbf16>
    %v = arith.extf %h : bf16 to f32
    %e = math.exp %v : f32
    %p = arith.mulf %e, %e fastmath<nnan> : f32
    %o = arith.truncf %p : f32 to bf16
    tile.store %o, %x[%i] : memref<32xbf16>
  }
}
