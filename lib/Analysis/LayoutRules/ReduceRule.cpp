// ReduceRule.cpp - a reduction works in its source's layout; the result lies where its contributions were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct ReduceRule : LayoutOpInterface::ExternalModel<ReduceRule, ReduceOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const {
    auto reduce = cast<ReduceOp>(op);
    // Only a whole fragment can be reduced in place; views of it and shared tiles are read into one first.
    if (const Layout *source = inference.fragment(reduce.getSource())) {
      inference.decideOperation(op, *source);
      inference.decideFragment(reduce.getTarget(), reducedLayout(*source, reduce.getDim()));
    }
  }
};
} // namespace

void tile::attachReduceRule(MLIRContext *context) {
  ReduceOp::attachInterface<ReduceRule>(*context);
}
