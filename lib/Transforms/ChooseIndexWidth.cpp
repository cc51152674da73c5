// ChooseIndexWidth.cpp - see ChooseIndexWidth.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_CHOOSEINDEXWIDTH
#include "tile/Transforms/Passes.h.inc"

namespace {
struct ChooseIndexWidthPass : impl::ChooseIndexWidthBase<ChooseIndexWidthPass> {
  using ChooseIndexWidthBase::ChooseIndexWidthBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace tile
