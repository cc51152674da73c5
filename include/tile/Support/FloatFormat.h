// FloatFormat.h - how each float type spends its bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_FLOATFORMAT_H
#define TILE_SUPPORT_FLOATFORMAT_H

#include "tile/Support/ScalarType.h"

#include <cstdint>

namespace tile {

/// A binary float format: sign, exponent, mantissa, from the highest bit down.
///
/// Example: f16 is {10, 5, true}: 1.0 is 0x3c00, the largest finite 0x7bff (65504), the smallest subnormal 2^-24.
/// f8E4M3FN has no infinity: its topmost exponent holds ordinary numbers, and only the pattern of all ones is NaN.
struct FloatFormat {
  int mantissaBits;
  int exponentBits;
  bool hasInfinity;

  constexpr int width() const { return 1 + exponentBits + mantissaBits; }
  constexpr int bias() const { return (1 << (exponentBits - 1)) - 1; }
  /// Exponent of the smallest normal number: f16 -14.
  constexpr int minExponent() const { return 1 - bias(); }
  constexpr uint64_t signBit() const { return uint64_t(1) << (width() - 1); }
  constexpr uint64_t exponentMask() const { return ((uint64_t(1) << exponentBits) - 1) << mantissaBits; }
  constexpr uint64_t mantissaMask() const { return (uint64_t(1) << mantissaBits) - 1; }
  /// \pre `hasInfinity`.
  constexpr uint64_t infinity() const { return exponentMask(); }
  /// The canonical NaN: positive and quiet.
  constexpr uint64_t nan() const {
    return hasInfinity ? exponentMask() | (uint64_t(1) << (mantissaBits - 1)) : signBit() - 1;
  }
  constexpr uint64_t largest() const { return hasInfinity ? exponentMask() - 1 : signBit() - 2; }
  constexpr uint64_t smallestSubnormal() const { return 1; }
  constexpr uint64_t smallestNormal() const { return mantissaMask() + 1; }
  constexpr uint64_t one() const { return static_cast<uint64_t>(bias()) << mantissaBits; }

  constexpr bool isNan(uint64_t bits) const {
    uint64_t magnitude = bits & (signBit() - 1);
    return hasInfinity ? magnitude > exponentMask() : magnitude == signBit() - 1;
  }
  constexpr bool isInfinity(uint64_t bits) const { return hasInfinity && (bits & (signBit() - 1)) == exponentMask(); }
  /// True of +0 and -0.
  constexpr bool isZero(uint64_t bits) const { return (bits & (signBit() - 1)) == 0; }
};

/// The format of a float type.
/// \pre `isFloat(type)`; integers have no format (an f64's is returned).
constexpr FloatFormat floatFormat(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return {10, 5, true};
  case ScalarType::BF16:
    return {7, 8, true};
  case ScalarType::F32:
    return {23, 8, true};
  case ScalarType::F8E4M3FN:
    return {3, 4, false};
  case ScalarType::F8E5M2:
    return {2, 5, true};
  default:
    return {52, 11, true};
  }
}

} // namespace tile

#endif // TILE_SUPPORT_FLOATFORMAT_H
