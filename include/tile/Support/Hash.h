// Hash.h - SHA-256, for keys that must never collide and bytes that must not have changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_HASH_H
#define TILE_SUPPORT_HASH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tile {

/// SHA-256 of everything given to `update`, in order.
///
/// Example: `Sha256().update("abc").hex()` starts with "ba7816bf".
class Sha256 {
public:
  Sha256 &update(std::string_view bytes);

  /// Adds the length before the bytes, so that ("ab", "c") and ("a", "bc") differ.
  Sha256 &field(std::string_view bytes);

  /// The digest of what was added so far, as 64 lower-case hexadecimal digits; ends the use of this object.
  std::string hex();

private:
  void compress(const uint8_t *block);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending{};
  size_t pendingBytes = 0;
  uint64_t totalBytes = 0;
};

} // namespace tile

#endif // TILE_SUPPORT_HASH_H
