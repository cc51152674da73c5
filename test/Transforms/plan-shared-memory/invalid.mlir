// RUN: tile-opt %s --tile-plan-shared-memory="limit=1000" --verify-diagnostics

// What does not fit is reported with both numbers and every buffer.
// expected-error @below {{'simt.kernel' op needs 1280 bytes of shared memory; 1000 are available}}
simt.kernel @large() grid(%bx: index) in affine_map<() -> (4)> threads(128) attributes {source = "k", parameters = [], requirements = []} {
  // expected-note @below {{buffer 'a' takes 1024 bytes from byte 0 on}}
  %a = simt.shared : memref<256xf32, #simt.shared>
  // expected-note @below {{buffer 'b' takes 256 bytes from byte 1024 on}}
  %b = simt.shared : memref<64xf32, #simt.shared>
  %t = simt.thread_id : index
  %x = simt.load %a[%t : index] : memref<256xf32, #simt.shared> -> f32
  simt.store %x, %b[%t : index] : f32, memref<64xf32, #simt.shared>
  simt.store %x, %a[%t : index] : f32, memref<256xf32, #simt.shared>
}
