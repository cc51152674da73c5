// FillRule.cpp - a fill follows its tile; it never decides a fragment that something else will.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct FillRule : LayoutOpInterface::ExternalModel<FillRule, FillOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const {
    // What is computed into the fragment later knows better how it is best held.
    Value root = rootOf(cast<FillOp>(op).getTarget());
    bool isUndecided = isa_and_nonnull<AllocFragmentOp>(root.getDefiningOp()) && !inference.fragment(root);
    if (!isUndecided)
      inference.decideByAccesses(op);
  }
};
} // namespace

void tile::attachFillRule(MLIRContext *context) {
  FillOp::attachInterface<FillRule>(*context);
}
