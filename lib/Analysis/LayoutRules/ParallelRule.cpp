// ParallelRule.cpp - a parallel loop follows the fragments it touches, else the memory it streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"

#include "Rules.h"

using namespace mlir;
using namespace tile;

namespace {
struct ParallelRule : LayoutOpInterface::ExternalModel<ParallelRule, ParallelOp> {
  void inferLayouts(Operation *op, LayoutInference &inference) const { inference.decideByAccesses(op); }
};
} // namespace

void tile::attachParallelRule(MLIRContext *context) {
  ParallelOp::attachInterface<ParallelRule>(*context);
}
