// The remainder of floats exists for each float type; an integer division of floats is a type error with its place.
// RUN: tile-run %s --device sim --variant all -DT=f32 -DOP=remf | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=f16 -DOP=remf | FileCheck %s
// RUN: tile-run %s --device sim --variant all -DT=bf16 -DOP=remf | FileCheck %s
// RUN: not tile-opt %s -DT=f32 -DOP=divsi 2>&1 | FileCheck %s --check-prefix=TYPE
// CHECK: z: 100 {{.*}}, max error 0, ok
// CHECK: verdict: right
// TYPE: remainder-of-floats.mlir:[[#@LINE+6]]:{{[0-9]+}}: error:
!X = memref<100x$T>
tile.kernel @rest(%x: !X, %y: !X, %z: !X) grid(%g) in (1) threads(32) {
  tile.parallel %i in (100) {
    %p = tile.load %x[%i] : !X
    %q = tile.load %y[%i] : !X
    %r = arith.$OP %p, %q : $T
    tile.store %r, %z[%i] : !X
  }
}
