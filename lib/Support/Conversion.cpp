// Conversion.cpp - the conversion table, and the casts of arith.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Conversion.h"

#include "lib/Support/LaneCode.h"
#include "tile/Support/OpTable.h"

#include <cmath>

namespace tile {

/// 2 to a power, exactly.
static constexpr double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(1023 + exponent) << 52);
}

/// Truncates toward zero and saturates at the signed range of `T` (i1: -1 and 0); NaN gives 0.
template <ScalarType T> static uint64_t saturateSigned(double value) {
  constexpr double limit = powerOfTwo(bitWidth(T) - 1);
  double whole = std::trunc(value);
  if (whole != whole)
    return 0;
  if (whole >= limit)
    return highestInteger(T);
  if (whole < -limit)
    return lowestInteger(T);
  return wrap(T, static_cast<uint64_t>(static_cast<int64_t>(whole)));
}

/// Truncates toward zero and saturates at the unsigned range of `T`; NaN gives 0.
template <ScalarType T> static uint64_t saturateUnsigned(double value) {
  constexpr double limit = powerOfTwo(bitWidth(T) - 1) * 2;
  double whole = std::trunc(value);
  if (!(whole > 0))
    return 0;
  return whole >= limit ? wrap(T, ~uint64_t(0)) : static_cast<uint64_t>(whole);
}

/// One cell of the table.
template <ScalarType From, ScalarType To> static uint64_t convertOne(uint64_t bits) {
  if constexpr (From == To)
    return bits;
  else if constexpr (isFloat(From) && To == ScalarType::I1)
    return !floatFormat(From).isZero(bits);
  else if constexpr (isFloat(From) && isFloat(To))
    return encode<To>(decode<From>(bits));
  else if constexpr (isFloat(From))
    return saturateSigned<To>(decode<From>(bits));
  else if constexpr (To == ScalarType::I1)
    return wrap(From, bits) != 0;
  else {
    int64_t value = From == ScalarType::I1 ? static_cast<int64_t>(bits & 1) : signedValue(From, bits);
    if constexpr (isFloat(To))
      return encodeSigned<To>(value);
    else
      return wrap(To, static_cast<uint64_t>(value));
  }
}

LaneFunction lookupConversion(ScalarType from, ScalarType to) {
  return forAny(from, [to]<ScalarType From>() {
    return forAny(to, []<ScalarType To>() -> LaneFunction { return unaryLanes<convertOne<From, To>>; });
  });
}

uint64_t convert(ScalarType from, ScalarType to, uint64_t bits) {
  const uint64_t *operand = &bits;
  uint64_t result = 0;
  lookupConversion(from, to)(&operand, &result, 1);
  return result;
}

/// Integer to integer: the value reads as signed or unsigned, and wraps. Covers ext, trunc and index casts.
template <bool IsSigned> static LaneFunction lookupResize(ScalarType from, ScalarType to) {
  return forInteger(from, [to]<ScalarType From>() {
    return forInteger(to, []<ScalarType To>() -> LaneFunction {
      return unaryLanes<[](uint64_t bits) {
        return wrap(To, IsSigned ? static_cast<uint64_t>(signedValue(From, bits)) : wrap(From, bits));
      }>;
    });
  });
}

template <bool IsSigned> static LaneFunction lookupToFloat(ScalarType from, ScalarType to) {
  return forInteger(from, [to]<ScalarType From>() {
    return forFloat(to, []<ScalarType To>() -> LaneFunction {
      return unaryLanes<[](uint64_t bits) {
        return IsSigned ? encodeSigned<To>(signedValue(From, bits)) : encodeInteger<To>(wrap(From, bits), false);
      }>;
    });
  });
}

template <bool IsSigned> static LaneFunction lookupToInteger(ScalarType from, ScalarType to) {
  return forFloat(from, [to]<ScalarType From>() {
    return forInteger(to, []<ScalarType To>() -> LaneFunction {
      return unaryLanes<[](uint64_t bits) {
        return IsSigned ? saturateSigned<To>(decode<From>(bits)) : saturateUnsigned<To>(decode<From>(bits));
      }>;
    });
  });
}

static uint64_t sameBits(uint64_t bits) {
  return bits;
}

LaneFunction lookup(CastOp op, ScalarType from, ScalarType to) {
  if (!isSupported(op, from, to))
    return nullptr;
  switch (op) {
  case CastOp::ExtSI:
  case CastOp::IndexCast:
    return lookupResize<true>(from, to);
  case CastOp::ExtUI:
  case CastOp::TruncI:
  case CastOp::IndexCastUI:
    return lookupResize<false>(from, to);
  case CastOp::SIToFP:
    return lookupToFloat<true>(from, to);
  case CastOp::UIToFP:
    return lookupToFloat<false>(from, to);
  case CastOp::FPToSI:
    return lookupToInteger<true>(from, to);
  case CastOp::FPToUI:
    return lookupToInteger<false>(from, to);
  case CastOp::ExtF:
  case CastOp::TruncF:
    return lookupConversion(from, to);
  case CastOp::Bitcast:
    return unaryLanes<sameBits>;
  }
  return nullptr;
}

} // namespace tile
