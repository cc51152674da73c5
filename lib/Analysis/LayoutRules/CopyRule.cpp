// CopyRule.cpp - a copy follows its fragment, else the contiguous axis of its global side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ConversionPlan.h"
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct CopyRule : LayoutOpInterface::ExternalModel<CopyRule, CopyOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const {
    // Between fragments that nobody knows yet: what is computed into one of them later does.
    auto copy = cast<CopyOp>(op);
    if (!copiesWholeFragment(op) || inference.fragment(copy.getSource()) || inference.fragment(copy.getTarget()))
      inference.decideByAccesses(op);
  }
};
} // namespace

void tile::attachCopyRule(MLIRContext *context) {
  CopyOp::attachInterface<CopyRule>(*context);
}
