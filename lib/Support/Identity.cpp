// Identity.cpp - accumulator, identity and combine of each reduction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Identity.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include <array>
#include <cassert>

namespace tile {

static constexpr std::array<std::string_view, 14> kNames = {
    "sum", "mean", "prod", "max", "min", "maxnum", "minnum", "absmax", "abssum", "umax", "umin", "and", "or", "xor"};

std::string_view name(Reduction reduction) {
  return kNames[static_cast<size_t>(reduction)];
}

std::optional<Reduction> parseReduction(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text)
      return static_cast<Reduction>(i);
  return std::nullopt;
}

static std::optional<ReductionRule> floatRule(Reduction reduction, ScalarType element) {
  ScalarType type = element == ScalarType::F64 ? ScalarType::F64 : ScalarType::F32;
  FloatFormat format = floatFormat(type);
  switch (reduction) {
  case Reduction::Sum:
  case Reduction::Mean:
    return ReductionRule{type, std::nullopt, BinaryOp::AddF, 0};
  case Reduction::Prod:
    return ReductionRule{type, std::nullopt, BinaryOp::MulF, format.one()};
  case Reduction::Max:
    return ReductionRule{type, std::nullopt, BinaryOp::MaximumF, format.signBit() | format.infinity()};
  case Reduction::Min:
    return ReductionRule{type, std::nullopt, BinaryOp::MinimumF, format.infinity()};
  case Reduction::MaxNum:
    return ReductionRule{type, std::nullopt, BinaryOp::MaxNumF, format.nan()};
  case Reduction::MinNum:
    return ReductionRule{type, std::nullopt, BinaryOp::MinNumF, format.nan()};
  case Reduction::AbsMax:
    return ReductionRule{type, UnaryOp::AbsF, BinaryOp::MaximumF, 0};
  case Reduction::AbsSum:
    return ReductionRule{type, UnaryOp::AbsF, BinaryOp::AddF, 0};
  default:
    return std::nullopt;
  }
}

/// i1 holds 0 or 1 and no sign, so its maximum is `or` and its minimum `and`; sums and products are refused.
static std::optional<ReductionRule> boolRule(Reduction reduction) {
  switch (reduction) {
  case Reduction::Max:
  case Reduction::UMax:
  case Reduction::AbsMax:
  case Reduction::Or:
    return ReductionRule{ScalarType::I1, std::nullopt, BinaryOp::OrI, 0};
  case Reduction::Min:
  case Reduction::UMin:
  case Reduction::And:
    return ReductionRule{ScalarType::I1, std::nullopt, BinaryOp::AndI, 1};
  case Reduction::Xor:
    return ReductionRule{ScalarType::I1, std::nullopt, BinaryOp::XorI, 0};
  default:
    return std::nullopt;
  }
}

static std::optional<ReductionRule> integerRule(Reduction reduction, ScalarType type) {
  uint64_t allOnes = wrap(type, ~uint64_t(0));
  switch (reduction) {
  case Reduction::Sum:
    return ReductionRule{type, std::nullopt, BinaryOp::AddI, 0};
  case Reduction::Prod:
    return ReductionRule{type, std::nullopt, BinaryOp::MulI, 1};
  case Reduction::Max:
    return ReductionRule{type, std::nullopt, BinaryOp::MaxSI, lowestInteger(type)};
  case Reduction::Min:
    return ReductionRule{type, std::nullopt, BinaryOp::MinSI, highestInteger(type)};
  case Reduction::AbsMax: // the absolute value of the lowest integer is itself, so 0 would be no identity
    return ReductionRule{type, UnaryOp::AbsI, BinaryOp::MaxSI, lowestInteger(type)};
  case Reduction::AbsSum:
    return ReductionRule{type, UnaryOp::AbsI, BinaryOp::AddI, 0};
  case Reduction::UMax:
    return ReductionRule{type, std::nullopt, BinaryOp::MaxUI, 0};
  case Reduction::UMin:
    return ReductionRule{type, std::nullopt, BinaryOp::MinUI, allOnes};
  case Reduction::And:
    return ReductionRule{type, std::nullopt, BinaryOp::AndI, allOnes};
  case Reduction::Or:
    return ReductionRule{type, std::nullopt, BinaryOp::OrI, 0};
  case Reduction::Xor:
    return ReductionRule{type, std::nullopt, BinaryOp::XorI, 0};
  default:
    return std::nullopt;
  }
}

std::optional<ReductionRule> reductionRule(Reduction reduction, ScalarType element) {
  if (isFloat(element))
    return floatRule(reduction, element);
  return element == ScalarType::I1 ? boolRule(reduction) : integerRule(reduction, element);
}

uint64_t accumulate(const ReductionRule &rule, ScalarType element, uint64_t accumulator, uint64_t value) {
  uint64_t mapped = convert(element, rule.accumulator, value);
  if (rule.map)
    mapped = evaluate(*rule.map, rule.accumulator, mapped);
  return *evaluate(rule.combine, rule.accumulator, accumulator, mapped);
}

uint64_t finish(Reduction reduction, const ReductionRule &rule, ScalarType element, uint64_t accumulator,
                int64_t count) {
  if (reduction == Reduction::Mean) {
    assert(isFloat(rule.accumulator) && "mean of integers has no rule");
    accumulator = *evaluate(BinaryOp::DivF, rule.accumulator, accumulator, fromSigned(rule.accumulator, count));
  }
  return convert(rule.accumulator, element, accumulator);
}

} // namespace tile
