// CompareOps.cpp - comparisons and select.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/LaneCode.h"

namespace tile {

template <ScalarType T> static LaneFunction integerCompare(CompareOp op) {
  switch (op) {
  case CompareOp::Eq:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, a) == wrap(T, b); }>;
  case CompareOp::Ne:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, a) != wrap(T, b); }>;
  case CompareOp::Slt:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return signedValue(T, a) < signedValue(T, b); }>;
  case CompareOp::Sle:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return signedValue(T, a) <= signedValue(T, b); }>;
  case CompareOp::Sgt:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return signedValue(T, b) < signedValue(T, a); }>;
  case CompareOp::Sge:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return signedValue(T, a) >= signedValue(T, b); }>;
  case CompareOp::Ult:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, a) < wrap(T, b); }>;
  case CompareOp::Ule:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, a) <= wrap(T, b); }>;
  case CompareOp::Ugt:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, b) < wrap(T, a); }>;
  case CompareOp::Uge:
    return binaryLanes<[](uint64_t a, uint64_t b) -> uint64_t { return wrap(T, a) >= wrap(T, b); }>;
  default:
    return nullptr;
  }
}

/// A float predicate is the set of outcomes it accepts.
enum Outcome : unsigned { kEqual = 1, kGreater = 2, kLess = 4, kUnordered = 8 };

template <ScalarType T, unsigned Accepted> static uint64_t holds(uint64_t a, uint64_t b) {
  double x = decode<T>(a), y = decode<T>(b);
  unsigned outcome = x == y ? kEqual : x > y ? kGreater : x < y ? kLess : kUnordered;
  return (outcome & Accepted) != 0;
}

template <ScalarType T> static LaneFunction floatCompare(CompareOp op) {
  // In the order of CompareOp: ordered sets count in binary, unordered ones too, but for `uno` standing near the end.
  using Table = LaneFunction[16];
  static constexpr Table table = {
      binaryLanes<holds<T, 0>>,  binaryLanes<holds<T, 1>>,  binaryLanes<holds<T, 2>>,  binaryLanes<holds<T, 3>>,
      binaryLanes<holds<T, 4>>,  binaryLanes<holds<T, 5>>,  binaryLanes<holds<T, 6>>,  binaryLanes<holds<T, 7>>,
      binaryLanes<holds<T, 9>>,  binaryLanes<holds<T, 10>>, binaryLanes<holds<T, 11>>, binaryLanes<holds<T, 12>>,
      binaryLanes<holds<T, 13>>, binaryLanes<holds<T, 14>>, binaryLanes<holds<T, 8>>,  binaryLanes<holds<T, 15>>};
  return table[static_cast<int>(op) - static_cast<int>(CompareOp::FFalse)];
}

LaneFunction lookup(CompareOp op, ScalarType type) {
  if (op < CompareOp::FFalse)
    return forInteger(type, [op]<ScalarType T>() { return integerCompare<T>(op); });
  return forArithmeticFloat(type, [op]<ScalarType T>() { return floatCompare<T>(op); });
}

static uint64_t select(uint64_t condition, uint64_t ifTrue, uint64_t ifFalse) {
  return (condition & 1) != 0 ? ifTrue : ifFalse;
}

LaneFunction lookup(TernaryOp op, ScalarType type) {
  switch (op) {
  case TernaryOp::Fma:
    return lookupFma(type);
  case TernaryOp::Select:
    return ternaryLanes<select>;
  }
  return nullptr;
}

} // namespace tile
