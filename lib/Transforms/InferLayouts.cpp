// InferLayouts.cpp - asks every op's layout rule in program order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"
#include "tile/Transforms/Passes.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"

namespace {
struct InferLayoutsPass : impl::InferLayoutsBase<InferLayoutsPass> {
  using InferLayoutsBase::InferLayoutsBase;

  void runOnOperation() override {
    LayoutInference inference(getOperation());
    auto ask = [&] {
      getOperation().walk<WalkOrder::PreOrder>([&](LayoutOpInterface op) { op.inferLayouts(inference); });
    };
    ask();
    // A fill waits for what is computed into its fragment; now that is known.
    ask();
    inference.writeAttributes();
  }
};
} // namespace
} // namespace tile
