// InsertBarriers.cpp - see InsertBarriers.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "tile/Transforms/Passes.h.inc"

namespace {
struct InsertBarriersPass : impl::InsertBarriersBase<InsertBarriersPass> {
  using InsertBarriersBase::InsertBarriersBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace tile
