// Random.cpp - seeded inputs by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Random.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace tile {

/// A bijection of 64 bits in which every input bit reaches every output bit: two rounds of xor, shift and multiply.
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

uint64_t randomBits(uint64_t seed, uint64_t index) {
  // The odd step keeps neighbouring counters far apart before they are mixed with the stream.
  return mix(mix(seed + 0x632be59bd9b4e019) ^ mix(index * 0x9e3779b97f4a7c15 + 0x2545f4914f6cdd1d));
}

/// 53 bits as a number in [0, 1).
static double unit(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Mean 0, deviation 1, from two counters (Box and Muller).
static double normal(uint64_t seed, uint64_t index) {
  double radius = std::sqrt(-2 * std::log(1 - unit(randomBits(seed, 2 * index))));
  return radius * std::cos(2 * std::numbers::pi * unit(randomBits(seed, 2 * index + 1)));
}

Result<Generator> parseGenerator(std::string_view text, ScalarType type) {
  static constexpr std::array<std::pair<std::string_view, Generator::Kind>, 5> names = {
      {{"normal", Generator::Kind::Normal},
       {"uniform", Generator::Kind::Uniform},
       {"zeros", Generator::Kind::Zeros},
       {"ones", Generator::Kind::Ones},
       {"iota", Generator::Kind::Iota}}};
  for (const auto &[candidate, kind] : names)
    if (candidate == text)
      return Generator{kind, 0};
  if (!text.starts_with("const:"))
    return Error{"found '" + std::string(text) +
                 "'; inputs are called normal, uniform, zeros, ones, iota or const:VALUE"};
  auto value = parseValue(type, text.substr(6));
  if (!value)
    return Error{value.error()};
  return Generator{Generator::Kind::Const, *value};
}

static uint64_t integer(ScalarType type, int64_t value) {
  return wrap(type, static_cast<uint64_t>(value));
}

uint64_t generate(const Generator &generator, ScalarType type, uint64_t seed, uint64_t index) {
  switch (generator.kind) {
  case Generator::Kind::Normal:
    if (type == ScalarType::I1)
      return randomBits(seed, index) >> 63;
    if (isInteger(type))
      return convert(ScalarType::F64, type, fromDouble(ScalarType::F64, std::nearbyint(10 * normal(seed, index))));
    return fromDouble(type, normal(seed, index));
  case Generator::Kind::Uniform:
    if (type == ScalarType::I1)
      return randomBits(seed, index) >> 63;
    if (isInteger(type))
      return integer(type, static_cast<int64_t>(randomBits(seed, index) % 201) - 100);
    return fromDouble(type, 2 * unit(randomBits(seed, index)) - 1);
  case Generator::Kind::Zeros:
    return 0;
  case Generator::Kind::Ones:
    return isFloat(type) ? floatFormat(type).one() : 1;
  case Generator::Kind::Iota:
    return isFloat(type) ? fromUnsigned(type, index) : wrap(type, index);
  case Generator::Kind::Const:
    return generator.constant;
  }
  return 0;
}

void generate(const Generator &generator, ScalarType type, uint64_t seed, int64_t count, void *memory) {
  auto *bytes = static_cast<char *>(memory);
  for (int64_t i = 0; i < count; ++i)
    storeBits(type, bytes + i * byteSize(type), generate(generator, type, seed, static_cast<uint64_t>(i)));
}

} // namespace tile
