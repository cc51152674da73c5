// Subnormal constants and the extremes of each type arrive bit for bit.
// RUN: tile-run %s --device sim --variant all | FileCheck %s
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s --check-prefix=TEXT
// CHECK: a: 6 i32, max error 0, ok
// CHECK: b: 4 i16, max error 0, ok
// CHECK: c: 4 i16, max error 0, ok
// CHECK: verdict: right
// TEXT: a[0] = __float_as_int(0x0.022d84p-126f);
// TEXT-NEXT: a[1] = __float_as_int(0x0.000002p-126f);
tile.kernel @constants(%a: memref<6xi32>, %b: memref<4xi16>, %c: memref<4xi16>) grid(%g) in (1) threads(1) {
  %a0 = arith.constant 1.0e-40 : f32
  %a1 = arith.constant 1.4e-45 : f32
  %a2 = arith.constant 1.1754944e-38 : f32
  %a3 = arith.constant 3.4028235e38 : f32
  %a4 = arith.constant -0.0 : f32
  %a5 = arith.constant 0x7FC12345 : f32
  %b0 = arith.constant 5.9604645e-8 : f16
  %b1 = arith.constant 65504.0 : f16
  %b2 = arith.constant 0x7C00 : f16
  %b3 = arith.constant 0x0001 : f16
  %c0 = arith.constant 9.2e-41 : bf16
  %c1 = arith.constant 3.3895314e38 : bf16
  %c2 = arith.constant 0xFF80 : bf16
  %c3 = arith.constant 0x7FC1 : bf16
  %p0 = arith.bitcast %a0 : f32 to i32
  %p1 = arith.bitcast %a1 : f32 to i32
  %p2 = arith.bitcast %a2 : f32 to i32
  %p3 = arith.bitcast %a3 : f32 to i32
  %p4 = arith.bitcast %a4 : f32 to i32
  %p5 = arith.bitcast %a5 : f32 to i32
  %q0 = arith.bitcast %b0 : f16 to i16
  %q1 = arith.bitcast %b1 : f16 to i16
  %q2 = arith.bitcast %b2 : f16 to i16
  %q3 = arith.bitcast %b3 : f16 to i16
  %r0 = arith.bitcast %c0 : bf16 to i16
  %r1 = arith.bitcast %c1 : bf16 to i16
  %r2 = arith.bitcast %c2 : bf16 to i16
  %r3 = arith.bitcast %c3 : bf16 to i16
  tile.store %p0, %a[0] : memref<6xi32>
  tile.store %p1, %a[1] : memref<6xi32>
  tile.store %p2, %a[2] : memref<6xi32>
  tile.store %p3, %a[3] : memref<6xi32>
  tile.store %p4, %a[4] : memref<6xi32>
  tile.store %p5, %a[5] : memref<6xi32>
  tile.store %q0, %b[0] : memref<4xi16>
  tile.store %q1, %b[1] : memref<4xi16>
  tile.store %q2, %b[2] : memref<4xi16>
  tile.store %q3, %b[3] : memref<4xi16>
  tile.store %r0, %c[0] : memref<4xi16>
  tile.store %r1, %c[1] : memref<4xi16>
  tile.store %r2, %c[2] : memref<4xi16>
  tile.store %r3, %c[3] : memref<4xi16>
}
