// ScanRule.cpp - a scan works in its source's layout and leaves each result where its element was.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct ScanRule : LayoutOpInterface::ExternalModel<ScanRule, ScanOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const {
    auto scan = cast<ScanOp>(op);
    if (const Layout *source = inference.fragment(scan.getSource())) {
      inference.decideOperation(op, *source);
      inference.decideFragment(scan.getTarget(), *source);
    }
  }
};
} // namespace

void tile::attachScanRule(MLIRContext *context) {
  ScanOp::attachInterface<ScanRule>(*context);
}
