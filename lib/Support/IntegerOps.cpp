// IntegerOps.cpp - integer arithmetic at its own width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/LaneCode.h"

#include <algorithm>
#include <bit>

namespace tile {

namespace {
/// The integer operations on one type; operands may hold stray high bits where the width is below 64.
template <ScalarType T> struct IntegerCode {
  static constexpr int kWidth = bitWidth(T);

  static int64_t s(uint64_t bits) { return signedValue(T, bits); }
  static uint64_t u(uint64_t bits) { return wrap(T, bits); }
  static uint64_t w(int64_t value) { return wrap(T, static_cast<uint64_t>(value)); }

  static uint64_t addI(uint64_t a, uint64_t b) { return u(a + b); }
  static uint64_t subI(uint64_t a, uint64_t b) { return u(a - b); }
  static uint64_t mulI(uint64_t a, uint64_t b) { return u(a * b); }
  static uint64_t andI(uint64_t a, uint64_t b) { return u(a & b); }
  static uint64_t orI(uint64_t a, uint64_t b) { return u(a | b); }
  static uint64_t xorI(uint64_t a, uint64_t b) { return u(a ^ b); }
  static uint64_t maxSI(uint64_t a, uint64_t b) { return s(a) > s(b) ? u(a) : u(b); }
  static uint64_t minSI(uint64_t a, uint64_t b) { return s(a) < s(b) ? u(a) : u(b); }
  static uint64_t maxUI(uint64_t a, uint64_t b) { return std::max(u(a), u(b)); }
  static uint64_t minUI(uint64_t a, uint64_t b) { return std::min(u(a), u(b)); }
  static uint64_t shlI(uint64_t a, uint64_t b) { return u(b) < kWidth ? u(a << (u(b) & 63)) : 0; }
  static uint64_t shrUI(uint64_t a, uint64_t b) { return u(b) < kWidth ? u(a) >> (u(b) & 63) : 0; }
  static uint64_t shrSI(uint64_t a, uint64_t b) { return w(s(a) >> (u(b) < kWidth ? u(b) : kWidth - 1)); }

  static uint64_t absI(uint64_t a) { return s(a) < 0 ? u(-a) : u(a); }
  static uint64_t ctlz(uint64_t a) { return u(static_cast<uint64_t>(std::countl_zero(u(a)) - (64 - kWidth))); }
  static uint64_t cttz(uint64_t a) { return u(static_cast<uint64_t>(std::min(std::countr_zero(u(a)), kWidth))); }
  static uint64_t ctPop(uint64_t a) { return u(static_cast<uint64_t>(std::popcount(u(a)))); }

  // The divisions; the caller has excluded a zero divisor, and lowest / -1 for the signed ones.
  static uint64_t divSI(uint64_t a, uint64_t b) { return w(s(a) / s(b)); }
  static uint64_t divUI(uint64_t a, uint64_t b) { return u(a) / u(b); }
  static uint64_t remUI(uint64_t a, uint64_t b) { return u(a) % u(b); }
  static uint64_t remSI(uint64_t a, uint64_t b) { return s(b) == -1 ? 0 : w(s(a) % s(b)); }
  static uint64_t ceilDivUI(uint64_t a, uint64_t b) { return u(a) / u(b) + (u(a) % u(b) != 0); }
  static uint64_t ceilDivSI(uint64_t a, uint64_t b) {
    bool roundsUp = s(a) % s(b) != 0 && (s(a) < 0) == (s(b) < 0);
    return w(s(a) / s(b) + roundsUp);
  }
  static uint64_t floorDivSI(uint64_t a, uint64_t b) {
    bool roundsDown = s(a) % s(b) != 0 && (s(a) < 0) != (s(b) < 0);
    return w(s(a) / s(b) - roundsDown);
  }

  static bool isZero(uint64_t a, uint64_t b) { return u(b) == 0; }
  static bool isZeroOrOverflow(uint64_t a, uint64_t b) { return u(b) == 0 || (u(a) == lowestInteger(T) && s(b) == -1); }
};
} // namespace

template <auto Fn, auto Faults> static uint64_t divisionLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  const uint64_t *a = operands[0], *b = operands[1];
  uint64_t faults = 0;
  for (int lane = 0; lane < n; ++lane) {
    bool isFault = Faults(a[lane], b[lane]);
    faults |= static_cast<uint64_t>(isFault) << lane;
    out[lane] = isFault ? 0 : Fn(a[lane], b[lane]);
  }
  return faults;
}

template <ScalarType T> static LaneFunction divisionFunction(BinaryOp op) {
  using Code = IntegerCode<T>;
  switch (op) {
  case BinaryOp::DivSI:
    return divisionLanes<Code::divSI, Code::isZeroOrOverflow>;
  case BinaryOp::CeilDivSI:
    return divisionLanes<Code::ceilDivSI, Code::isZeroOrOverflow>;
  case BinaryOp::FloorDivSI:
    return divisionLanes<Code::floorDivSI, Code::isZeroOrOverflow>;
  case BinaryOp::DivUI:
    return divisionLanes<Code::divUI, Code::isZero>;
  case BinaryOp::CeilDivUI:
    return divisionLanes<Code::ceilDivUI, Code::isZero>;
  case BinaryOp::RemSI:
    return divisionLanes<Code::remSI, Code::isZero>;
  case BinaryOp::RemUI:
    return divisionLanes<Code::remUI, Code::isZero>;
  default:
    return nullptr;
  }
}

template <ScalarType T> static LaneFunction binaryFunction(BinaryOp op) {
  using Code = IntegerCode<T>;
  switch (op) {
  case BinaryOp::AddI:
    return binaryLanes<Code::addI>;
  case BinaryOp::SubI:
    return binaryLanes<Code::subI>;
  case BinaryOp::MulI:
    return binaryLanes<Code::mulI>;
  case BinaryOp::AndI:
    return binaryLanes<Code::andI>;
  case BinaryOp::OrI:
    return binaryLanes<Code::orI>;
  case BinaryOp::XorI:
    return binaryLanes<Code::xorI>;
  case BinaryOp::ShlI:
    return binaryLanes<Code::shlI>;
  case BinaryOp::ShrSI:
    return binaryLanes<Code::shrSI>;
  case BinaryOp::ShrUI:
    return binaryLanes<Code::shrUI>;
  case BinaryOp::MaxSI:
    return binaryLanes<Code::maxSI>;
  case BinaryOp::MaxUI:
    return binaryLanes<Code::maxUI>;
  case BinaryOp::MinSI:
    return binaryLanes<Code::minSI>;
  case BinaryOp::MinUI:
    return binaryLanes<Code::minUI>;
  default:
    return divisionFunction<T>(op);
  }
}

template <ScalarType T> static LaneFunction unaryFunction(UnaryOp op) {
  using Code = IntegerCode<T>;
  switch (op) {
  case UnaryOp::AbsI:
    return unaryLanes<Code::absI>;
  case UnaryOp::Ctlz:
    return unaryLanes<Code::ctlz>;
  case UnaryOp::Cttz:
    return unaryLanes<Code::cttz>;
  case UnaryOp::CtPop:
    return unaryLanes<Code::ctPop>;
  default:
    return nullptr;
  }
}

LaneFunction lookupIntegerUnary(UnaryOp op, ScalarType type) {
  return forInteger(type, [op]<ScalarType T>() { return unaryFunction<T>(op); });
}

LaneFunction lookupIntegerBinary(BinaryOp op, ScalarType type) {
  return forInteger(type, [op]<ScalarType T>() { return binaryFunction<T>(op); });
}

} // namespace tile
