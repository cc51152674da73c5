// Where the layouts that are fastest one by one would need more shared memory to change from one to the next than there
// is, others are chosen.
// RUN: tile-run %s --device sim --variant all --dim M=2 | FileCheck %s
// CHECK: verdict: right
!Row = memref<2x66001xi16, #tile.fragment>
!T = memref<?x66001xi16>
tile.kernel @f[%M](%y[%M, 66001]: !T, %z[%M, 66001]: !T) grid(%g) in (%M ceildiv 2) threads(64) disjoint(%y, %z) {
  %r = tile.alloc_fragment : !Row
  %e = tile.alloc_fragment : !Row
  tile.fill %r with 1 : !Row
  tile.copy %r to %y[%g * 2, 2] : !Row to !T
  tile.fill %e with 2 : !Row
  tile.copy %e to %z[%g * 2, 0] : !Row to !T
}
