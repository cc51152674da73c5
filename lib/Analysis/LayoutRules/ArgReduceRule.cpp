// ArgReduceRule.cpp - an argreduce works in its source's layout; values and indices lie where their rows were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct ArgReduceRule : LayoutOpInterface::ExternalModel<ArgReduceRule, ArgReduceOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const {
    auto reduce = cast<ArgReduceOp>(op);
    if (const Layout *source = inference.fragment(reduce.getSource())) {
      inference.decideOperation(op, *source);
      Layout result = reducedLayout(*source, reduce.getDim());
      inference.decideFragment(reduce.getValue(), result);
      inference.decideFragment(reduce.getIndex(), result);
    }
  }
};
} // namespace

void tile::attachArgReduceRule(MLIRContext *context) {
  ArgReduceOp::attachInterface<ArgReduceRule>(*context);
}
