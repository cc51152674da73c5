// MathOps.cpp - transcendental functions, in f64 and rounded once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/LaneCode.h"

#include <cmath>

namespace tile {

template <ScalarType T, auto Fn> static uint64_t mathLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  const uint64_t *a = operands[0];
  for (int lane = 0; lane < n; ++lane)
    out[lane] = encode<T>(Fn(decode<T>(a[lane])));
  return 0;
}

template <ScalarType T> static LaneFunction exponentialFunction(UnaryOp op) {
  switch (op) {
  case UnaryOp::Rsqrt:
    return mathLanes<T, [](double x) { return 1.0 / std::sqrt(x); }>;
  case UnaryOp::Cbrt:
    return mathLanes<T, [](double x) { return std::cbrt(x); }>;
  case UnaryOp::Exp:
    return mathLanes<T, [](double x) { return std::exp(x); }>;
  case UnaryOp::Exp2:
    return mathLanes<T, [](double x) { return std::exp2(x); }>;
  case UnaryOp::ExpM1:
    return mathLanes<T, [](double x) { return std::expm1(x); }>;
  case UnaryOp::Log:
    return mathLanes<T, [](double x) { return std::log(x); }>;
  case UnaryOp::Log2:
    return mathLanes<T, [](double x) { return std::log2(x); }>;
  case UnaryOp::Log10:
    return mathLanes<T, [](double x) { return std::log10(x); }>;
  case UnaryOp::Log1p:
    return mathLanes<T, [](double x) { return std::log1p(x); }>;
  case UnaryOp::Erf:
    return mathLanes<T, [](double x) { return std::erf(x); }>;
  case UnaryOp::Erfc:
    return mathLanes<T, [](double x) { return std::erfc(x); }>;
  default:
    return nullptr;
  }
}

template <ScalarType T> static LaneFunction circularFunction(UnaryOp op) {
  switch (op) {
  case UnaryOp::Sin:
    return mathLanes<T, [](double x) { return std::sin(x); }>;
  case UnaryOp::Cos:
    return mathLanes<T, [](double x) { return std::cos(x); }>;
  case UnaryOp::Tan:
    return mathLanes<T, [](double x) { return std::tan(x); }>;
  case UnaryOp::Asin:
    return mathLanes<T, [](double x) { return std::asin(x); }>;
  case UnaryOp::Acos:
    return mathLanes<T, [](double x) { return std::acos(x); }>;
  case UnaryOp::Atan:
    return mathLanes<T, [](double x) { return std::atan(x); }>;
  case UnaryOp::Sinh:
    return mathLanes<T, [](double x) { return std::sinh(x); }>;
  case UnaryOp::Cosh:
    return mathLanes<T, [](double x) { return std::cosh(x); }>;
  case UnaryOp::Tanh:
    return mathLanes<T, [](double x) { return std::tanh(x); }>;
  case UnaryOp::Asinh:
    return mathLanes<T, [](double x) { return std::asinh(x); }>;
  case UnaryOp::Acosh:
    return mathLanes<T, [](double x) { return std::acosh(x); }>;
  case UnaryOp::Atanh:
    return mathLanes<T, [](double x) { return std::atanh(x); }>;
  default:
    return exponentialFunction<T>(op);
  }
}

template <ScalarType T> static LaneFunction binaryFunction(BinaryOp op) {
  switch (op) {
  case BinaryOp::Atan2:
    return binaryLanes<[](uint64_t a, uint64_t b) { return encode<T>(std::atan2(decode<T>(a), decode<T>(b))); }>;
  case BinaryOp::PowF:
    // x to the power 0 is 1 for every x, signalling NaN included, which the host's library passes on.
    return binaryLanes<[](uint64_t a, uint64_t b) {
      double exponent = decode<T>(b);
      return encode<T>(exponent == 0 ? 1.0 : std::pow(decode<T>(a), exponent));
    }>;
  case BinaryOp::FPowI: // every i32 is exact in f64
    return binaryLanes<[](uint64_t a, uint64_t b) {
      return encode<T>(std::pow(decode<T>(a), static_cast<double>(signedValue(ScalarType::I32, b))));
    }>;
  default:
    return nullptr;
  }
}

LaneFunction lookupMath(UnaryOp op, ScalarType type) {
  return forArithmeticFloat(type, [op]<ScalarType T>() { return circularFunction<T>(op); });
}

LaneFunction lookupMath(BinaryOp op, ScalarType type) {
  return forArithmeticFloat(type, [op]<ScalarType T>() { return binaryFunction<T>(op); });
}

} // namespace tile
