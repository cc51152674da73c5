// RUN: tile-opt %s --tile-choose-index-width | FileCheck %s

// Inside a tile 32 bits are enough: every intermediate is below 2^31; what cannot be negative divides by shifts and masks.
// CHECK-LABEL: simt.kernel @small
// CHECK: %[[T:.+]] = simt.thread_id : i32
// CHECK: %[[ROW:.+]] = arith.shrsi %[[T]], %{{.+}} : i32
// CHECK: %[[OFF:.+]] = arith.muli %[[ROW]], %{{.+}} overflow<nsw> : i32
// CHECK: %[[COL:.+]] = arith.andi %[[T]], %{{.+}} : i32
// CHECK: %[[AT:.+]] = arith.addi %[[OFF]], %[[COL]] overflow<nsw> : i32
// CHECK: simt.load %{{.+}}[%[[AT]] : i32]
// CHECK-NOT: index
simt.kernel @small() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  %s = simt.shared : memref<1024xf32, #simt.shared>
  %t = simt.thread_id : index
  %i = affine.apply affine_map<(d0) -> ((d0 floordiv 32) * 33 + d0 mod 32)>(%t)
  %v = simt.load %s[%i : index] : memref<1024xf32, #simt.shared> -> f32
  simt.store %v, %s[%i : index] : f32, memref<1024xf32, #simt.shared>
}

// A row of a tensor of any size needs 64 bits: the block's part is computed once, the thread's part in 32 bits.
// CHECK-LABEL: simt.kernel @base
// CHECK-SAME: %[[N:[A-Za-z0-9]+]]: i64) grid(%[[BX:[A-Za-z0-9]+]]: i32)
// CHECK: %[[WIDE:.+]] = arith.extsi %[[BX]] : i32 to i64
// CHECK: %[[BASE:.+]] = arith.muli %[[WIDE]], %[[N]] overflow<nsw> : i64
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} : i32
// CHECK: %[[IN:.+]] = arith.addi %{{.+}}, %{{.+}} overflow<nsw> : i32
// CHECK: %[[INWIDE:.+]] = arith.extsi %[[IN]] : i32 to i64
// CHECK: %[[AT:.+]] = arith.addi %[[BASE]], %[[INWIDE]] overflow<nsw> : i64
// CHECK: simt.load %{{.+}}[%[[AT]] : i64]
simt.kernel @base(%X: memref<?xf32>, %N: index) grid(%bx: index) in affine_map<(d0) -> (d0)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>, #simt.parameter<symbol 0>], requirements = []} {
  %t = simt.thread_id : index
  %r = simt.registers : memref<8xf32, #simt.register>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %row = arith.muli %bx, %N : index
  scf.for %u = %c0 to %c8 step %c1 {
    %col = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 128)>(%t, %u)
    %at = arith.addi %row, %col : index
    %v = simt.load %X[%at : index] : memref<?xf32> -> f32
    simt.store %v, %r[%u : index] : f32, memref<8xf32, #simt.register>
  } {simt.unroll}
}

// Division of what may be negative rounds down; only powers of two become shifts.
// CHECK-LABEL: simt.kernel @negative
// CHECK: %[[X:.+]] = arith.subi
// CHECK: arith.shrsi %[[X]]
// CHECK: arith.floordivsi %[[X]]
// CHECK: arith.remsi %[[X]]
simt.kernel @negative(%X: memref<?xf32>) grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [#simt.parameter<tensor 0>], requirements = []} {
  %t = simt.thread_id : index
  %x = affine.apply affine_map<(d0, d1) -> (d0 - d1 * 10)>(%t, %bx)
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%x)
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 5)>(%x)
  %c = affine.apply affine_map<(d0) -> (d0 mod 5)>(%x)
  simt.print "abc" %a, %b, %c : index, index, index
}

// A guard that always holds goes away; one that may fail stays.
// CHECK-LABEL: simt.kernel @guards
// CHECK: simt.print "always"
// CHECK: %[[C:.+]] = arith.cmpi slt, %{{.+}}, %{{.+}} : i32
// CHECK-NEXT: scf.if %[[C]]
simt.kernel @guards() grid(%bx: index) in affine_map<() -> (4)> threads(100) attributes {source = "k", parameters = [], requirements = []} {
  %t = simt.thread_id : index
  %c100 = arith.constant 100 : index
  %c99 = arith.constant 99 : index
  %always = arith.cmpi slt, %t, %c100 : index
  scf.if %always {
    simt.print "always"
  }
  %sometimes = arith.cmpi slt, %t, %c99 : index
  scf.if %sometimes {
    simt.print "sometimes"
  }
}

// A loop whose step past the end leaves 32 bits is counted in 64.
// CHECK-LABEL: simt.kernel @edge
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} : i64
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} : i32
simt.kernel @edge() grid(%bx: index) in affine_map<() -> (4)> threads(100) attributes {source = "k", parameters = [], requirements = []} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 1073741824 : index
  %end = arith.constant 2147483647 : index
  %less = arith.constant 1073741825 : index
  scf.for %i = %c0 to %end step %step {
    simt.print "i" %i : index
  }
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %less step %c5 {
    simt.print "i" %i : index
  }
}
