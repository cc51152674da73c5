// RUN: tile-opt %s --tile-fuse-multiply-add -split-input-file | FileCheck %s

// A product that a sum or a difference alone takes is fused with it, of every type.
// CHECK-LABEL: simt.kernel @types
// CHECK-NOT: arith.mulf
// CHECK: math.fma %a, %b, %c fastmath<contract> : f32
// CHECK: math.fma %a, %b, %c fastmath<contract> : f32
// CHECK: %[[MINUS:.+]] = arith.negf %c : f32
// CHECK: math.fma %a, %b, %[[MINUS]] fastmath<contract> : f32
// CHECK: %[[FACTOR:.+]] = arith.negf %a : f32
// CHECK: math.fma %[[FACTOR]], %b, %c fastmath<contract> : f32
// CHECK: math.fma %h, %h, %h fastmath<fast> : f16
// CHECK: math.fma %bf, %bf, %bf fastmath<contract> : bf16
// CHECK: math.fma %d, %d, %d fastmath<contract> : f64
simt.kernel @types(%a: f32, %b: f32, %c: f32, %h: f16, %bf: bf16, %d: f64) grid() in affine_map<() -> ()> threads(32) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<scalar 1>, #simt.parameter<scalar 2>, #simt.parameter<scalar 3>, #simt.parameter<scalar 4>, #simt.parameter<scalar 5>], requirements = []} {
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.addf %0, %c fastmath<contract> : f32
  %2 = arith.mulf %a, %b fastmath<contract> : f32
  %3 = arith.addf %c, %2 fastmath<contract> : f32
  %4 = arith.mulf %a, %b fastmath<contract> : f32
  %5 = arith.subf %4, %c fastmath<contract> : f32
  %6 = arith.mulf %a, %b fastmath<contract> : f32
  %7 = arith.subf %c, %6 fastmath<contract> : f32
  %8 = arith.mulf %h, %h fastmath<contract> : f16
  %9 = arith.addf %8, %h fastmath<fast> : f16
  %10 = arith.mulf %bf, %bf fastmath<contract> : bf16
  %11 = arith.addf %10, %bf fastmath<contract> : bf16
  %12 = arith.mulf %d, %d fastmath<contract> : f64
  %13 = arith.addf %12, %d fastmath<contract> : f64
  simt.print "all" %1, %3, %5, %7, %9, %11, %13 : f32, f32, f32, f32, f16, bf16, f64
}

// -----

// Neither without the flag on both, nor a product that something else takes too, nor an integer one.
// CHECK-LABEL: simt.kernel @kept
// CHECK-NOT: math.fma
simt.kernel @kept(%a: f32, %b: f32, %c: f32, %i: i32) grid() in affine_map<() -> ()> threads(32) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<scalar 1>, #simt.parameter<scalar 2>, #simt.parameter<scalar 3>], requirements = []} {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.addf %0, %c fastmath<contract> : f32
  %2 = arith.mulf %a, %b fastmath<contract> : f32
  %3 = arith.addf %2, %c : f32
  %4 = arith.mulf %a, %b fastmath<contract> : f32
  %5 = arith.addf %4, %4 fastmath<contract> : f32
  %6 = arith.muli %i, %i : i32
  %7 = arith.addi %6, %i : i32
  %8 = arith.mulf %a, %b fastmath<afn, arcp> : f32
  %9 = arith.subf %8, %c fastmath<afn, arcp> : f32
  simt.print "all" %1, %3, %5, %7, %9 : f32, f32, f32, i32, f32
}

// -----

// Of two products the left one.
// CHECK-LABEL: simt.kernel @two
// CHECK: %[[RIGHT:.+]] = arith.mulf %b, %c
// CHECK: math.fma %a, %b, %[[RIGHT]]
simt.kernel @two(%a: f32, %b: f32, %c: f32) grid() in affine_map<() -> ()> threads(32) attributes {source = "k", parameters = [#simt.parameter<scalar 0>, #simt.parameter<scalar 1>, #simt.parameter<scalar 2>], requirements = []} {
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.mulf %b, %c fastmath<contract> : f32
  %2 = arith.addf %0, %1 fastmath<contract> : f32
  simt.print "r" %2 : f32
}
