// Every kernel waits for its turn before it touches memory: in both variants, and where it touches none.
// RUN: tile-translate --tile-to-cuda %s | FileCheck %s
// RUN: tile-run %s --kernel rows --emit ptx --arch sm_90a | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --kernel rows --emit ptx --arch sm_80 | FileCheck %s --check-prefix=OLDER --implicit-check-not=griddepcontrol

// Defined once.
// CHECK: void await_turn(unsigned most) {
// CHECK-NEXT: #if __CUDA_ARCH__ >= 900
// CHECK-NEXT: const unsigned long long blocks = (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
// CHECK-NEXT: asm volatile("{\n\t.reg .pred awaits;\n\tsetp.le.u64 awaits, %0, %1;\n\t"
// CHECK-NEXT: "@awaits griddepcontrol.wait;\n\t@awaits griddepcontrol.launch_dependents;\n\t}"
// CHECK: : "memory");
// CHECK-NEXT: #endif
// CHECK-NOT: void await_turn(

// CHECK: void __launch_bounds__(64) rows(
// CHECK: const int b = blockIdx.x;
// CHECK-NEXT: const int tid = threadIdx.x;
// CHECK-NEXT: await_turn(2048);
// CHECK-NOT: await_turn
// CHECK: move16{{.*}}(&{{.+}}, &x[
// CHECK: void __launch_bounds__(64) rows_careful(
// CHECK: const int b = blockIdx.x;
// CHECK-NEXT: const int tid = threadIdx.x;
// CHECK-NEXT: await_turn(2048);
// CHECK-NOT: await_turn
// CHECK: = x[
// CHECK: void __launch_bounds__(32) idle() {
// CHECK-NEXT: await_turn(2048);
// CHECK-NEXT: }

// Loads of what nobody writes while the kernel runs may move: not past the wait.
// PTX: .entry rows(
// PTX-NOT: {{(ld|st|red|atom|cp)[a-z.]*\.global}}
// PTX: griddepcontrol.wait;
// PTX-NOT: {{(ld|st|red|atom|cp)[a-z.]*\.global}}
// PTX: griddepcontrol.launch_dependents;
// PTX: ld.global.cs.v4
// PTX: ld.global.v4
// PTX: .entry rows_careful(
// PTX-NOT: {{(ld|st|red|atom|cp)[a-z.]*\.global}}
// PTX: griddepcontrol.wait;
// PTX: ld.global.nc

// OLDER: .entry rows(
// OLDER: .entry rows_careful(
!X = memref<?x1024xf32>
!Y = memref<?xf32>
tile.kernel @rows[%N](%x[%N, 1024]: !X, %y[%N]: !Y) grid(%b) in (%N) threads(64) disjoint(%x, %y) {
  %t = tile.alloc_fragment : memref<1024xf32, #tile.fragment>
  %s = tile.alloc_fragment : memref<f32, #tile.fragment>
  tile.copy %x[%b, 0] to %t : !X to memref<1024xf32, #tile.fragment>
  tile.reduce sum %t into %s dim 0 : memref<1024xf32, #tile.fragment> into memref<f32, #tile.fragment>
  tile.copy %s to %y[%b] : memref<f32, #tile.fragment> to !Y
}

tile.kernel @idle[%N](%y[%N]: !Y) grid(%b) in (%N) threads(32) {
}
