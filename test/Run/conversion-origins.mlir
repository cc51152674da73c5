// Layouts that count from the kernel's origin are converted in registers and by shuffles too: what lies before it holds nothing.
// RUN: tile-run %s --kernel turned --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel parted --device sim --variant all | FileCheck %s
// RUN: tile-run %s --kernel apart --device sim --variant all | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-infer-layouts,tile-insert-conversions))" | FileCheck %s --check-prefix=KIND
// CHECK: verdict: right

!X = memref<9x53xbf16>
!Row = memref<53xbf16, #tile.fragment>

// KIND-LABEL: tile.kernel @turned
// KIND: tile.copy %r to %s {{.*}}{conversion
tile.kernel @turned(%x: !X, %y: !X) grid(%b) in (9) threads(48) attributes {origin = affine_map<(d0) -> (d0 * 5 mod 8)>} {
  %r = tile.alloc_fragment layout(#tile.distributed<53 = [(15 thread, 4 reg)] threads 48 origins (7)>) : !Row
  %s = tile.alloc_fragment layout(#tile.distributed<53 = [(3 thread, 5 thread * 3, 4 reg)] threads 48 origins (7)>) : !Row
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.copy %r to %s : !Row to !Row
  tile.copy %s to %y[%b, 0] : !Row to !X
}

// KIND-LABEL: tile.kernel @parted
// KIND: tile.copy %r to %s {{.*}}{conversion
tile.kernel @parted(%x: !X, %y: !X) grid(%b) in (9) threads(64) attributes {origin = affine_map<(d0) -> (d0 * 5 mod 8)>} {
  %r = tile.alloc_fragment layout(#tile.distributed<53 = [(2 reg, 32 thread)] threads 64 copies (2 thread * 32) origins (7)>) : !Row
  %s = tile.alloc_fragment layout(#tile.distributed<53 = [(2 thread * 32, 32 thread)] threads 64 origins (7)>) : !Row
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.copy %r to %s : !Row to !Row
  tile.copy %s to %y[%b, 0] : !Row to !X
}

// One counts from the origin, the other does not: where an element is depends on the block.
// KIND-LABEL: tile.kernel @apart
// KIND-NOT: conversion
// KIND: alloc_shared
tile.kernel @apart(%x: !X, %y: !X) grid(%b) in (9) threads(32) attributes {origin = affine_map<(d0) -> (d0 * 5 mod 8)>} {
  %r = tile.alloc_fragment layout(#tile.distributed<53 = [(2 reg, 32 thread)] threads 32 origins (7)>) : !Row
  %s = tile.alloc_fragment layout(#tile.distributed<53 = [(2 reg, 32 thread)] threads 32>) : !Row
  tile.copy %x[%b, 0] to %r : !X to !Row
  tile.copy %r to %s : !Row to !Row
  tile.copy %s to %y[%b, 0] : !Row to !X
}
