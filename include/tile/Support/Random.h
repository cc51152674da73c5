// Random.h - seeded inputs: element i depends on the seed and i alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_RANDOM_H
#define TILE_SUPPORT_RANDOM_H

#include "tile/Support/Result.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <string_view>

namespace tile {

/// 64 well-mixed bits for counter `index` of stream `seed`.
uint64_t randomBits(uint64_t seed, uint64_t index);

/// A named rule that gives element i of an input.
///
/// | kind     | floats                 | integers                    | i1           |
/// |----------|------------------------|-----------------------------|--------------|
/// | normal   | mean 0, deviation 1    | nearest to 10 z, saturated  | fair coin    |
/// | uniform  | -1 ... 1               | -100 ... 100                | fair coin    |
/// | zeros    | 0                      | 0                           | false        |
/// | ones     | 1                      | 1                           | true         |
/// | iota     | i, rounded             | i, wrapped                  | i odd        |
/// | const:V  | V                      | V                           | V            |
struct Generator {
  enum class Kind : uint8_t { Normal, Uniform, Zeros, Ones, Iota, Const };
  Kind kind = Kind::Zeros;
  uint64_t constant = 0; ///< the bits of V
};

/// Reads "normal", "uniform", "zeros", "ones", "iota" or "const:V"; V is checked against `type`.
Result<Generator> parseGenerator(std::string_view text, ScalarType type);

/// Element `index`.
/// \pre the generator was parsed for this type.
uint64_t generate(const Generator &generator, ScalarType type, uint64_t seed, uint64_t index);

/// Elements 0 … count - 1, `byteSize(type)` bytes each, to memory.
void generate(const Generator &generator, ScalarType type, uint64_t seed, int64_t count, void *memory);

} // namespace tile

#endif // TILE_SUPPORT_RANDOM_H
