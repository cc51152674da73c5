// FuseMultiplyAdd.cpp - see FuseMultiplyAdd.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_FUSEMULTIPLYADD
#include "tile/Transforms/Passes.h.inc"

static bool allowsContraction(arith::ArithFastMathInterface op) {
  arith::FastMathFlagsAttr flags = op.getFastMathFlagsAttr();
  return flags && arith::bitEnumContainsAll(flags.getValue(), arith::FastMathFlags::contract);
}

/// The product that may become part of its only user; null if it is none.
static arith::MulFOp fusible(Value operand) {
  auto product = operand.getDefiningOp<arith::MulFOp>();
  return product && operand.hasOneUse() && allowsContraction(product) ? product : arith::MulFOp();
}

/// a·b + c, a·b - c or c - a·b; negation is exact, so the fused result is rounded once, as it should be.
static void fuse(Operation *sum) {
  OpBuilder builder(sum);
  auto flags = cast<arith::ArithFastMathInterface>(sum).getFastMathFlagsAttr();
  auto negated = [&](Value value) -> Value { return arith::NegFOp::create(builder, sum->getLoc(), value); };
  bool isDifference = isa<arith::SubFOp>(sum), isLeft = true;
  arith::MulFOp product = fusible(sum->getOperand(0));
  if (!product) {
    product = fusible(sum->getOperand(1));
    isLeft = false;
  }
  if (!product)
    return;
  Value factor = product.getLhs(), addend = sum->getOperand(isLeft ? 1 : 0);
  if (isDifference && isLeft)
    addend = negated(addend);
  else if (isDifference)
    factor = negated(factor);
  auto fused = math::FmaOp::create(builder, sum->getLoc(), factor, product.getRhs(), addend, flags);
  sum->replaceAllUsesWith(fused);
  sum->erase();
  product.erase();
}

namespace {
struct FuseMultiplyAddPass : impl::FuseMultiplyAddBase<FuseMultiplyAddPass> {
  using FuseMultiplyAddBase::FuseMultiplyAddBase;

  void runOnOperation() override {
    SmallVector<Operation *> sums;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::AddFOp, arith::SubFOp>(op) && allowsContraction(cast<arith::ArithFastMathInterface>(op)))
        sums.push_back(op);
    });
    for (Operation *sum : sums)
      fuse(sum);
  }
};
} // namespace
} // namespace tile
