// Index arithmetic and trivial control flow fold; floats stay as they were written.
// RUN: tile-opt %s --pass-pipeline="builtin.module(simt.kernel(tile-simplify,cse))" | FileCheck %s

// CHECK-LABEL: simt.kernel @f
simt.kernel @f(%x: memref<?xf32>) grid(%b: index) in affine_map<() -> (1)> threads(32) attributes {
    parameters = [#simt.parameter<tensor 0>], requirements = [], source = "f"} {
  // The index is 8, the condition true, and the loop runs once.
  // CHECK-DAG: %[[C8:.+]] = arith.constant 8 : index
  // CHECK-NOT: scf
  // CHECK: simt.load %{{.*}}[%[[C8]] : index]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%c2)
  %less = arith.cmpi slt, %c1, %c2 : index
  scf.for %k = %c0 to %c1 step %c1 {
    scf.if %less {
      %v = simt.load %x[%i : index] : memref<?xf32> -> f32
      // A function of a constant is left to the device.
      // CHECK: %[[E:.+]] = math.exp2
      %half = arith.constant 0.5 : f32
      %e = math.exp2 %half : f32
      // Two roundings stay two.
      // CHECK: arith.sitofp
      // CHECK: arith.truncf
      %n = arith.constant 2049 : i32
      %wide = arith.sitofp %n : i32 to f32
      %narrow = arith.truncf %wide : f32 to f16
      %back = arith.extf %narrow : f16 to f32
      %s = arith.addf %v, %e : f32
      %t = arith.addf %s, %back : f32
      simt.store %t, %x[%i : index] : f32, memref<?xf32>
    }
  }
}
