// A tile on the chip has constant extents; one that has not is refused by name.
// RUN: tile-opt %s --verify-diagnostics
tile.kernel @k[%N](%x[%N]: memref<?xf32>) grid(%b) in (1) threads(32) {
  // expected-error-re @below {{{{.*}}(buffer-C5)}}
  %s = tile.alloc_shared : memref<?x4xf32, #tile.shared>
}
