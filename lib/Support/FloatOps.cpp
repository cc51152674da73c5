// FloatOps.cpp - float arithmetic, sign, classification and rounding to integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/LaneCode.h"

#include <cmath>
#include <type_traits>

namespace tile {

/// The exact sum of two finite doubles, rounded to odd: rounding it once more to at most 51 bits rounds once.
static double addToOdd(double a, double b) {
  double sum = a + b;
  double bPart = sum - a;
  double error = (a - (sum - bPart)) + (b - bPart);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (!std::isfinite(sum) || error == 0 || (bits & 1) != 0)
    return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

namespace {
/// The float operations on one type.
template <ScalarType T> struct FloatCode {
  static constexpr FloatFormat kFormat = floatFormat(T);
  /// Where + - * / are done: f32 in itself (the same result as f64 rounded once, in fewer steps), the rest in f64.
  using Native = std::conditional_t<T == ScalarType::F32, float, double>;

  static Native d(uint64_t bits) { return static_cast<Native>(decode<T>(bits)); }
  static uint64_t e(double value) { return encode<T>(value); }

  static uint64_t addF(uint64_t a, uint64_t b) { return e(d(a) + d(b)); }
  static uint64_t subF(uint64_t a, uint64_t b) { return e(d(a) - d(b)); }
  static uint64_t mulF(uint64_t a, uint64_t b) { return e(d(a) * d(b)); }
  static uint64_t divF(uint64_t a, uint64_t b) { return e(d(a) / d(b)); }
  static uint64_t remF(uint64_t a, uint64_t b) { return e(std::fmod(d(a), d(b))); }

  // Equal numbers differ in their bits only as zeros do: `and` of the bits is +0, `or` is -0.
  static uint64_t largerOf(uint64_t a, uint64_t b) { return d(a) > d(b) ? a : d(a) < d(b) ? b : a & b; }
  static uint64_t smallerOf(uint64_t a, uint64_t b) { return d(a) < d(b) ? a : d(a) > d(b) ? b : a | b; }
  static bool isNan(uint64_t a) { return d(a) != d(a); }
  static uint64_t maximumF(uint64_t a, uint64_t b) { return isNan(a) || isNan(b) ? kFormat.nan() : largerOf(a, b); }
  static uint64_t minimumF(uint64_t a, uint64_t b) { return isNan(a) || isNan(b) ? kFormat.nan() : smallerOf(a, b); }
  static uint64_t numberOf(uint64_t a, uint64_t b) { return !isNan(a) ? a : !isNan(b) ? b : kFormat.nan(); }
  static uint64_t maxNumF(uint64_t a, uint64_t b) { return isNan(a) || isNan(b) ? numberOf(a, b) : largerOf(a, b); }
  static uint64_t minNumF(uint64_t a, uint64_t b) { return isNan(a) || isNan(b) ? numberOf(a, b) : smallerOf(a, b); }

  static uint64_t copySign(uint64_t a, uint64_t b) { return absF(a) | (b & kFormat.signBit()); }
  static uint64_t negF(uint64_t a) { return a ^ kFormat.signBit(); }
  static uint64_t absF(uint64_t a) { return a & (kFormat.signBit() - 1); }
  static uint64_t isNaN(uint64_t a) { return kFormat.isNan(a); }
  static uint64_t isInf(uint64_t a) { return kFormat.isInfinity(a); }
  static uint64_t isFinite(uint64_t a) { return absF(a) < kFormat.infinity(); }
  static uint64_t isNormal(uint64_t a) { return isFinite(a) && absF(a) >= kFormat.smallestNormal(); }

  static uint64_t ceil(uint64_t a) { return e(std::ceil(d(a))); }
  static uint64_t floor(uint64_t a) { return e(std::floor(d(a))); }
  static uint64_t round(uint64_t a) { return e(std::round(d(a))); }
  static uint64_t trunc(uint64_t a) { return e(std::trunc(d(a))); }
  static uint64_t roundEven(uint64_t a) { return e(std::nearbyint(d(a))); }
  static uint64_t sqrt(uint64_t a) { return e(std::sqrt(d(a))); }

  /// Below f64 the product is exact in f64, so only the sum can round.
  static uint64_t fma(uint64_t a, uint64_t b, uint64_t c) {
    if constexpr (T == ScalarType::F64)
      return e(std::fma(d(a), d(b), d(c)));
    else
      return e(addToOdd(decode<T>(a) * decode<T>(b), decode<T>(c)));
  }
};
} // namespace

template <ScalarType T> static LaneFunction binaryFunction(BinaryOp op) {
  using Code = FloatCode<T>;
  switch (op) {
  case BinaryOp::AddF:
    return binaryLanes<Code::addF>;
  case BinaryOp::SubF:
    return binaryLanes<Code::subF>;
  case BinaryOp::MulF:
    return binaryLanes<Code::mulF>;
  case BinaryOp::DivF:
    return binaryLanes<Code::divF>;
  case BinaryOp::RemF:
    return binaryLanes<Code::remF>;
  case BinaryOp::MaximumF:
    return binaryLanes<Code::maximumF>;
  case BinaryOp::MinimumF:
    return binaryLanes<Code::minimumF>;
  case BinaryOp::MaxNumF:
    return binaryLanes<Code::maxNumF>;
  case BinaryOp::MinNumF:
    return binaryLanes<Code::minNumF>;
  case BinaryOp::CopySign:
    return binaryLanes<Code::copySign>;
  default:
    return nullptr;
  }
}

template <ScalarType T> static LaneFunction unaryFunction(UnaryOp op) {
  using Code = FloatCode<T>;
  switch (op) {
  case UnaryOp::NegF:
    return unaryLanes<Code::negF>;
  case UnaryOp::AbsF:
    return unaryLanes<Code::absF>;
  case UnaryOp::IsNaN:
    return unaryLanes<Code::isNaN>;
  case UnaryOp::IsInf:
    return unaryLanes<Code::isInf>;
  case UnaryOp::IsFinite:
    return unaryLanes<Code::isFinite>;
  case UnaryOp::IsNormal:
    return unaryLanes<Code::isNormal>;
  case UnaryOp::Ceil:
    return unaryLanes<Code::ceil>;
  case UnaryOp::Floor:
    return unaryLanes<Code::floor>;
  case UnaryOp::Round:
    return unaryLanes<Code::round>;
  case UnaryOp::RoundEven:
    return unaryLanes<Code::roundEven>;
  case UnaryOp::Trunc:
    return unaryLanes<Code::trunc>;
  case UnaryOp::Sqrt:
    return unaryLanes<Code::sqrt>;
  default:
    return nullptr;
  }
}

LaneFunction lookupFloatUnary(UnaryOp op, ScalarType type) {
  return forArithmeticFloat(type, [op]<ScalarType T>() { return unaryFunction<T>(op); });
}

LaneFunction lookupFloatBinary(BinaryOp op, ScalarType type) {
  return forArithmeticFloat(type, [op]<ScalarType T>() { return binaryFunction<T>(op); });
}

LaneFunction lookupFma(ScalarType type) {
  return forArithmeticFloat(type, []<ScalarType T>() -> LaneFunction { return ternaryLanes<FloatCode<T>::fma>; });
}

} // namespace tile
