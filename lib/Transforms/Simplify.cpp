// Simplify.cpp - folds index arithmetic and trivial control flow, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_SIMPLIFY
#include "tile/Transforms/Passes.h.inc"

static bool isIndexOrCondition(Type type) {
  return type.isIndex() || type.isInteger(1);
}

namespace {
/// Folds one operation whose operands and results are index values or conditions.
struct FoldIndexOp : RewritePattern {
  explicit FoldIndexOp(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<arith::ArithDialect, affine::AffineDialect>(op->getDialect()) || op->getNumResults() != 1 ||
        op->getNumRegions() != 0 || matchPattern(op, m_Constant()))
      return failure();
    if (!llvm::all_of(op->getOperandTypes(), isIndexOrCondition) ||
        !llvm::all_of(op->getResultTypes(), isIndexOrCondition))
      return rewriter.notifyMatchFailure(op, "computes more than indices");
    SmallVector<Value> results;
    if (failed(rewriter.tryFold(op, results)))
      return failure();
    if (results.empty() || results.front() == op->getResult(0))
      rewriter.modifyOpInPlace(op, [] {}); // folded where it stands: its users may fold now
    else
      rewriter.replaceOp(op, results);
    return success();
  }
};

struct SimplifyPass : impl::SimplifyBase<SimplifyPass> {
  using SimplifyBase::SimplifyBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldIndexOp>(&getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
    GreedyRewriteConfig config;
    config.enableFolding(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
  }
};
} // namespace
} // namespace tile
