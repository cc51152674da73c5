// RUN: tile-run %s --device sim --variant all | FileCheck %s
// CHECK: verdict: right

// A copy of seven elements into the front of a fragment of twelve leaves the other five as they were.
tile.kernel @copy_into_part(%x: memref<12xi8>, %u: memref<7xi8>, %y: memref<12xi8>) grid(%b) in (1) threads(128) {
  %f = tile.alloc_fragment layout(#tile.distributed<12 = [(3 reg * 2, 2 thread, 2 reg)] threads 128 copies (64 thread * 2)>) : memref<12xi8, #tile.fragment>
  %s = tile.alloc_shared : memref<7xi8, #tile.shared>
  tile.copy %x to %f : memref<12xi8> to memref<12xi8, #tile.fragment>
  tile.copy %u to %s : memref<7xi8> to memref<7xi8, #tile.shared>
  tile.copy %s to %f[0] : memref<7xi8, #tile.shared> to memref<12xi8, #tile.fragment>
  tile.copy %f to %y : memref<12xi8, #tile.fragment> to memref<12xi8>
}
