// LaneCode.h - private to lib/Support: decoding, rounding and lane loops, specialised per element type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SUPPORT_LANECODE_H
#define TILE_LIB_SUPPORT_LANECODE_H

#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/ScalarOps.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace tile {

/// The exact value of a float pattern of at most 16 bits, from its fields.
template <ScalarType T> inline double decodeNarrow(uint64_t bits) {
  constexpr FloatFormat format = floatFormat(T);
  uint64_t magnitude = bits & (format.signBit() - 1);
  uint64_t sign = (bits & format.signBit()) << (64 - format.width());
  uint64_t wide;
  if (format.isNan(bits))
    return std::bit_cast<double>(floatFormat(ScalarType::F64).nan());
  if (format.isInfinity(bits))
    wide = floatFormat(ScalarType::F64).infinity();
  else if (magnitude <= format.mantissaMask()) // zero and subnormals: a multiple of the smallest one
    wide = std::bit_cast<uint64_t>(
        static_cast<double>(magnitude) *
        std::bit_cast<double>(static_cast<uint64_t>(1023 + format.minExponent() - format.mantissaBits) << 52));
  else
    wide = (magnitude << (52 - format.mantissaBits)) + (static_cast<uint64_t>(1023 - format.bias()) << 52);
  return std::bit_cast<double>(wide | sign);
}

/// The exact value of a float pattern; every NaN is some NaN.
template <ScalarType T> inline double decode(uint64_t bits) {
  if constexpr (T == ScalarType::F64)
    return std::bit_cast<double>(bits);
  else if constexpr (T == ScalarType::F32)
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  else
    return decodeNarrow<T>(bits);
}

/// Rounds a finite or infinite or NaN double once into a format of at most 16 bits.
template <ScalarType T> inline uint64_t encodeNarrow(double value) {
  constexpr FloatFormat format = floatFormat(T);
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t sign = bits >> 63 << (format.width() - 1);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) {
    if (bits << 12 != 0 || !format.hasInfinity)
      return format.nan();
    return sign | format.infinity();
  }
  if (exponent == -1023) // zero, or a subnormal double: far below half of our smallest
    return sign;
  int below = exponent < format.minExponent() ? format.minExponent() - exponent : 0;
  int shift = 52 - format.mantissaBits + below;
  if (shift > 54)
    return sign;
  uint64_t significand = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1) != 0);
  // The hidden bit of a normal number adds one to the exponent field; a carry out of the mantissa does so again.
  uint64_t field = below ? 0 : static_cast<uint64_t>(exponent - format.minExponent()) << format.mantissaBits;
  uint64_t magnitude = field + kept;
  if (magnitude > format.largest())
    magnitude = bitWidth(T) == 8 ? format.largest() : format.infinity();
  return sign | magnitude;
}

/// Rounds a double once into a float type.
template <ScalarType T> inline uint64_t encode(double value) {
  if constexpr (T == ScalarType::F64)
    return value != value ? floatFormat(T).nan() : std::bit_cast<uint64_t>(value);
  else if constexpr (T == ScalarType::F32)
    return value != value ? floatFormat(T).nan() : std::bit_cast<uint32_t>(static_cast<float>(value));
  else
    return encodeNarrow<T>(value);
}

/// A double whose last bit is set if `value` does not fit: rounding it again to at most 51 bits rounds once.
inline double toOdd(uint64_t value) {
  int excess = static_cast<int>(std::bit_width(value)) - 53;
  if (excess <= 0)
    return static_cast<double>(value);
  uint64_t kept = value >> excess;
  if (kept << excess != value)
    kept |= 1;
  return std::ldexp(static_cast<double>(kept), excess);
}

/// An integer of given magnitude and sign, rounded once.
template <ScalarType T> inline uint64_t encodeInteger(uint64_t magnitude, bool isNegative) {
  double value = T == ScalarType::F64 ? static_cast<double>(magnitude) : toOdd(magnitude);
  return encode<T>(isNegative ? -value : value);
}

template <ScalarType T> inline uint64_t encodeSigned(int64_t value) {
  return encodeInteger<T>(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value), value < 0);
}

/// Calls `body(lane)` for each lane; whole warps get a constant trip count, so that the loop can be vectorised.
/// Lanes are independent even where output and input are one array.
template <typename Body> inline void forLanes(int n, Body body) {
  if (n == 32) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (int lane = 0; lane < 32; ++lane)
      body(lane);
    return;
  }
  for (int lane = 0; lane < n; ++lane)
    body(lane);
}

template <auto Fn> uint64_t unaryLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  const uint64_t *a = operands[0];
  forLanes(n, [=](int lane) { out[lane] = Fn(a[lane]); });
  return 0;
}

template <auto Fn> uint64_t binaryLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  const uint64_t *a = operands[0], *b = operands[1];
  forLanes(n, [=](int lane) { out[lane] = Fn(a[lane], b[lane]); });
  return 0;
}

template <auto Fn> uint64_t ternaryLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  const uint64_t *a = operands[0], *b = operands[1], *c = operands[2];
  forLanes(n, [=](int lane) { out[lane] = Fn(a[lane], b[lane], c[lane]); });
  return 0;
}

/// Calls `f.operator()<T>()` with the integer type, or returns null for a float type.
template <typename F> LaneFunction forInteger(ScalarType type, F f) {
  switch (type) {
  case ScalarType::I1:
    return f.template operator()<ScalarType::I1>();
  case ScalarType::I8:
    return f.template operator()<ScalarType::I8>();
  case ScalarType::I16:
    return f.template operator()<ScalarType::I16>();
  case ScalarType::I32:
    return f.template operator()<ScalarType::I32>();
  case ScalarType::I64:
    return f.template operator()<ScalarType::I64>();
  case ScalarType::Index:
    return f.template operator()<ScalarType::Index>();
  default:
    return nullptr;
  }
}

/// Calls `f.operator()<T>()` with a float type that has arithmetic, or returns null.
template <typename F> LaneFunction forArithmeticFloat(ScalarType type, F f) {
  switch (type) {
  case ScalarType::F16:
    return f.template operator()<ScalarType::F16>();
  case ScalarType::BF16:
    return f.template operator()<ScalarType::BF16>();
  case ScalarType::F32:
    return f.template operator()<ScalarType::F32>();
  case ScalarType::F64:
    return f.template operator()<ScalarType::F64>();
  default:
    return nullptr;
  }
}

/// Calls `f.operator()<T>()` with any float type, or returns null.
template <typename F> LaneFunction forFloat(ScalarType type, F f) {
  switch (type) {
  case ScalarType::F8E4M3FN:
    return f.template operator()<ScalarType::F8E4M3FN>();
  case ScalarType::F8E5M2:
    return f.template operator()<ScalarType::F8E5M2>();
  default:
    return forArithmeticFloat(type, f);
  }
}

/// Calls `f.operator()<T>()` with any type.
template <typename F> LaneFunction forAny(ScalarType type, F f) {
  return isFloat(type) ? forFloat(type, f) : forInteger(type, f);
}

// The parts `lookup` is made of; each returns null for what it does not know.
LaneFunction lookupIntegerUnary(UnaryOp op, ScalarType type);
LaneFunction lookupIntegerBinary(BinaryOp op, ScalarType type);
LaneFunction lookupFloatUnary(UnaryOp op, ScalarType type);
LaneFunction lookupFloatBinary(BinaryOp op, ScalarType type);
LaneFunction lookupFma(ScalarType type);
LaneFunction lookupMath(UnaryOp op, ScalarType type);
LaneFunction lookupMath(BinaryOp op, ScalarType type);

} // namespace tile

#endif // TILE_LIB_SUPPORT_LANECODE_H
