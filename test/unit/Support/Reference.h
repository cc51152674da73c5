// Reference.h - a second, slower opinion on every format: values by definition, rounding by search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_SUPPORT_REFERENCE_H
#define TILE_TEST_UNIT_SUPPORT_REFERENCE_H

#include "tile/Support/ScalarType.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tile::test {

/// Exact for every f64 and every 64-bit integer (64 bits of mantissa).
using Real = long double;
/// Exact for products of two f64, and for sums of values less than 60 binary orders apart.
using Quad = __float128;

inline constexpr std::array<ScalarType, 12> kAllTypes = {
    ScalarType::I1,   ScalarType::I8,  ScalarType::I16, ScalarType::I32,      ScalarType::I64,    ScalarType::F16,
    ScalarType::BF16, ScalarType::F32, ScalarType::F64, ScalarType::F8E4M3FN, ScalarType::F8E5M2, ScalarType::Index};
inline constexpr std::array<ScalarType, 6> kIntegers = {ScalarType::I1,  ScalarType::I8,  ScalarType::I16,
                                                        ScalarType::I32, ScalarType::I64, ScalarType::Index};
inline constexpr std::array<ScalarType, 4> kNarrow = {ScalarType::F16, ScalarType::BF16, ScalarType::F8E4M3FN,
                                                      ScalarType::F8E5M2};
inline constexpr std::array<ScalarType, 4> kArithmetic = {ScalarType::F16, ScalarType::BF16, ScalarType::F32,
                                                          ScalarType::F64};

/// Canonical NaNs, written out.
inline uint64_t nanBits(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return 0x7e00;
  case ScalarType::BF16:
    return 0x7fc0;
  case ScalarType::F32:
    return 0x7fc00000;
  case ScalarType::F64:
    return 0x7ff8000000000000;
  case ScalarType::F8E4M3FN:
    return 0x7f;
  default:
    return 0x7e;
  }
}

/// The value of a pattern of at most 16 bits, from the textbook formula.
inline Real narrowValue(ScalarType type, uint64_t bits) {
  int mantissaBits = type == ScalarType::F16 ? 10 : type == ScalarType::BF16 ? 7 : type == ScalarType::F8E4M3FN ? 3 : 2;
  int width = type == ScalarType::F16 || type == ScalarType::BF16 ? 16 : 8;
  int exponentBits = width - 1 - mantissaBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = static_cast<int>(bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = static_cast<int>(bits) & ((1 << mantissaBits) - 1);
  Real sign = bits >> (width - 1) ? -1 : 1;
  bool isTop = exponent == (1 << exponentBits) - 1;
  if (type == ScalarType::F8E4M3FN ? isTop && mantissa == 7 : isTop && mantissa != 0)
    return std::numeric_limits<Real>::quiet_NaN();
  if (isTop && type != ScalarType::F8E4M3FN)
    return sign * std::numeric_limits<Real>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(static_cast<Real>(mantissa), 1 - bias - mantissaBits);
  return sign * std::ldexp(1 + std::ldexp(static_cast<Real>(mantissa), -mantissaBits), exponent - bias);
}

template <typename To, typename From> To bitsAs(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// The value of any pattern; integers signed, i1 0 or 1.
inline Real valueOf(ScalarType type, uint64_t bits) {
  switch (type) {
  case ScalarType::I1:
    return bits ? 1 : 0;
  case ScalarType::I8:
    return static_cast<int8_t>(bits);
  case ScalarType::I16:
    return static_cast<int16_t>(bits);
  case ScalarType::I32:
    return static_cast<int32_t>(bits);
  case ScalarType::I64:
  case ScalarType::Index:
    return static_cast<Real>(static_cast<int64_t>(bits));
  case ScalarType::F32:
    return bitsAs<float>(static_cast<uint32_t>(bits));
  case ScalarType::F64:
    return bitsAs<double>(bits);
  default:
    return narrowValue(type, bits);
  }
}

/// All non-negative finite values of a narrow format in order (value k has pattern k), then the first power of two
/// beyond them, where IEEE rounding begins to see infinity.
class NarrowValues {
public:
  explicit NarrowValues(ScalarType type) : type(type) {
    uint64_t count = 0;
    while (std::isfinite(narrowValue(type, count)))
      values.push_back(narrowValue(type, count++));
    values.push_back(type == ScalarType::F8E4M3FN ? Real(480) : std::exp2(std::ceil(std::log2(values.back()))));
  }

  /// Nearest value; of two equally near, the one with the even pattern.
  template <typename Number> uint64_t round(Number x) const {
    uint64_t sign = signOf(x) ? uint64_t(1) << (bitWidth(type) - 1) : 0;
    if (x != x)
      return nanBits(type);
    Number magnitude = sign ? -x : x;
    bool isInfinite = magnitude - magnitude != 0;
    if (isInfinite && type == ScalarType::F8E4M3FN)
      return nanBits(type);
    size_t last = values.size() - 1; // stands for overflow
    size_t best = last;
    if (!isInfinite && magnitude < static_cast<Number>(values[last])) {
      size_t above =
          static_cast<size_t>(std::partition_point(values.begin(), values.end(),
                                                   [&](Real v) { return static_cast<Number>(v) < magnitude; }) -
                              values.begin());
      size_t below = above == 0 ? 0 : above - 1;
      Number up = static_cast<Number>(values[above]) - magnitude, down = magnitude - static_cast<Number>(values[below]);
      best = up < down || (up == down && above % 2 == 0) ? above : below;
    }
    bool isFp8 = bitWidth(type) == 8;
    if (best == last && isFp8 && !isInfinite)
      best = last - 1;
    return sign | best; // for formats with infinities pattern `last` is infinity
  }

  const std::vector<Real> &all() const { return values; }

private:
  static bool signOf(Real x) { return std::signbit(x); }
  static bool signOf(Quad x) { return std::signbit(static_cast<Real>(x)); }

  ScalarType type;
  std::vector<Real> values;
};

/// Rounds to any float type once.
class Rounder {
public:
  template <typename Number> uint64_t operator()(ScalarType type, Number x) const {
    switch (type) {
    case ScalarType::F32:
      return x != x ? nanBits(type) : bitsAs<uint32_t>(static_cast<float>(x));
    case ScalarType::F64:
      return x != x ? nanBits(type) : bitsAs<uint64_t>(static_cast<double>(x));
    case ScalarType::F16:
      return f16.round(x);
    case ScalarType::BF16:
      return bf16.round(x);
    case ScalarType::F8E4M3FN:
      return e4m3.round(x);
    default:
      return e5m2.round(x);
    }
  }
  const NarrowValues &narrow(ScalarType type) const {
    return type == ScalarType::F16 ? f16 : type == ScalarType::BF16 ? bf16 : type == ScalarType::F8E4M3FN ? e4m3 : e5m2;
  }

private:
  NarrowValues f16{ScalarType::F16}, bf16{ScalarType::BF16}, e4m3{ScalarType::F8E4M3FN}, e5m2{ScalarType::F8E5M2};
};

/// Patterns worth trying: all of them up to 16 bits if `exhaustive`, else corners, their neighbours and random ones.
inline std::vector<uint64_t> patterns(ScalarType type, bool exhaustive, int randomCount) {
  std::vector<uint64_t> list;
  uint64_t mask = bitWidth(type) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(type)) - 1;
  if (bitWidth(type) <= 8 || (exhaustive && bitWidth(type) <= 16)) {
    for (uint64_t bits = 0; bits <= mask; ++bits)
      list.push_back(bits);
    return list;
  }
  for (int bit = 0; bit < bitWidth(type); ++bit)
    for (uint64_t corner : {uint64_t(1) << bit, ~(uint64_t(1) << bit), ~uint64_t(0) << bit})
      for (uint64_t delta : {uint64_t(0), uint64_t(1), ~uint64_t(0)})
        list.push_back((corner + delta) & mask);
  std::mt19937_64 random(17);
  for (int i = 0; i < randomCount; ++i)
    list.push_back(random() & mask);
  if (isFloat(type)) // numbers near one, where random patterns are rare
    for (int i = 0; i < randomCount; ++i) {
      double near = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 24) - 64);
      near = random() % 2 ? -near : near;
      list.push_back(type == ScalarType::F32   ? bitsAs<uint32_t>(static_cast<float>(near))
                     : type == ScalarType::F64 ? bitsAs<uint64_t>(near)
                     : type == ScalarType::F16 ? 0x2400 + random() % 0x3000
                                               : 0x3d80 + random() % 0x400);
    }
  return list;
}

inline bool isNanBits(ScalarType type, uint64_t bits) {
  return isFloat(type) && valueOf(type, bits) != valueOf(type, bits);
}

/// Equal bits, or both NaN.
inline bool same(ScalarType type, uint64_t a, uint64_t b) {
  return a == b || (isNanBits(type, a) && isNanBits(type, b));
}

} // namespace tile::test

#endif // TILE_TEST_UNIT_SUPPORT_REFERENCE_H
