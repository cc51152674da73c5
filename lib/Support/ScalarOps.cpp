// ScalarOps.cpp - finds the function of an operation, and evaluates one value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/ScalarOps.h"

#include "lib/Support/LaneCode.h"

#include <cassert>

namespace tile {

LaneFunction lookup(UnaryOp op, ScalarType type) {
  if (LaneFunction function = lookupIntegerUnary(op, type))
    return function;
  if (LaneFunction function = lookupFloatUnary(op, type))
    return function;
  return lookupMath(op, type);
}

LaneFunction lookup(BinaryOp op, ScalarType type) {
  if (LaneFunction function = lookupIntegerBinary(op, type))
    return function;
  if (LaneFunction function = lookupFloatBinary(op, type))
    return function;
  return lookupMath(op, type);
}

/// Runs a function on one lane; nothing if it faults.
static std::optional<uint64_t> runOne(LaneFunction function, const uint64_t *const *operands) {
  assert(function && "the operation is not supported on this type");
  uint64_t result = 0;
  if (function(operands, &result, 1) != 0)
    return std::nullopt;
  return result;
}

uint64_t evaluate(UnaryOp op, ScalarType type, uint64_t operand) {
  const uint64_t *operands[] = {&operand};
  return *runOne(lookup(op, type), operands);
}

std::optional<uint64_t> evaluate(BinaryOp op, ScalarType type, uint64_t lhs, uint64_t rhs) {
  const uint64_t *operands[] = {&lhs, &rhs};
  return runOne(lookup(op, type), operands);
}

uint64_t evaluate(TernaryOp op, ScalarType type, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t *operands[] = {&a, &b, &c};
  return *runOne(lookup(op, type), operands);
}

bool evaluate(CompareOp op, ScalarType type, uint64_t lhs, uint64_t rhs) {
  const uint64_t *operands[] = {&lhs, &rhs};
  return *runOne(lookup(op, type), operands) != 0;
}

uint64_t evaluate(CastOp op, ScalarType from, ScalarType to, uint64_t operand) {
  const uint64_t *operands[] = {&operand};
  return *runOne(lookup(op, from, to), operands);
}

std::string_view faultText(BinaryOp op, ScalarType type, uint64_t lhs, uint64_t rhs) {
  if (evaluate(op, type, lhs, rhs))
    return "";
  return wrap(type, rhs) == 0 ? "division by zero" : "lowest integer divided by -1";
}

ScalarType resultType(UnaryOp op, ScalarType type) {
  switch (op) {
  case UnaryOp::IsNaN:
  case UnaryOp::IsInf:
  case UnaryOp::IsFinite:
  case UnaryOp::IsNormal:
    return ScalarType::I1;
  default:
    return type;
  }
}

} // namespace tile
