// PlanSharedMemory.cpp - see PlanSharedMemory.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_PLANSHAREDMEMORY
#include "tile/Transforms/Passes.h.inc"

namespace {
struct PlanSharedMemoryPass : impl::PlanSharedMemoryBase<PlanSharedMemoryPass> {
  using PlanSharedMemoryBase::PlanSharedMemoryBase;
  void runOnOperation() override {}
};
} // namespace
} // namespace tile
