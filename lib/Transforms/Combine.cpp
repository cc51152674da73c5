// Combine.cpp - the arithmetic of reductions as operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Combine.h"

#include "tile/Evaluate/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tile {

ReductionRule ruleOf(StringRef word, MemRefType source) {
  std::optional<Reduction> kind = parseReduction(word.str());
  std::optional<ReductionRule> rule = reductionRule(*kind, *scalarType(source.getElementType()));
  assert(rule && "the verifier refuses what no rule covers");
  return *rule;
}

Value createIdentity(OpBuilder &builder, Location loc, const ReductionRule &rule) {
  return arith::ConstantOp::create(builder, loc, attributeOf(builder.getContext(), rule.accumulator, rule.identity));
}

Value createMapped(OpBuilder &builder, Location loc, const ReductionRule &rule, Value element) {
  if (rule.map == UnaryOp::AbsF)
    return math::AbsFOp::create(builder, loc, element);
  if (rule.map == UnaryOp::AbsI)
    return math::AbsIOp::create(builder, loc, element);
  return element;
}

Value createCombined(OpBuilder &builder, Location loc, const ReductionRule &rule, Value a, Value b) {
  switch (rule.combine) {
  case BinaryOp::AddF:
    return arith::AddFOp::create(builder, loc, a, b);
  case BinaryOp::MulF:
    return arith::MulFOp::create(builder, loc, a, b);
  case BinaryOp::MaximumF:
    return arith::MaximumFOp::create(builder, loc, a, b);
  case BinaryOp::MinimumF:
    return arith::MinimumFOp::create(builder, loc, a, b);
  case BinaryOp::MaxNumF:
    return arith::MaxNumFOp::create(builder, loc, a, b);
  case BinaryOp::MinNumF:
    return arith::MinNumFOp::create(builder, loc, a, b);
  case BinaryOp::AddI:
    return arith::AddIOp::create(builder, loc, a, b);
  case BinaryOp::MulI:
    return arith::MulIOp::create(builder, loc, a, b);
  case BinaryOp::MaxSI:
    return arith::MaxSIOp::create(builder, loc, a, b);
  case BinaryOp::MinSI:
    return arith::MinSIOp::create(builder, loc, a, b);
  case BinaryOp::MaxUI:
    return arith::MaxUIOp::create(builder, loc, a, b);
  case BinaryOp::MinUI:
    return arith::MinUIOp::create(builder, loc, a, b);
  case BinaryOp::AndI:
    return arith::AndIOp::create(builder, loc, a, b);
  case BinaryOp::OrI:
    return arith::OrIOp::create(builder, loc, a, b);
  case BinaryOp::XorI:
    return arith::XOrIOp::create(builder, loc, a, b);
  default:
    llvm_unreachable("no reduction combines by another op");
  }
}

} // namespace tile
