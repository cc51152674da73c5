// LayoutPasses.cpp - from a tile kernel to one whose layouts are all decided.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

void tile::addLayoutPasses(mlir::OpPassManager &kernels, int64_t sharedLimit) {
  kernels.addPass(createSplitWebs());
  kernels.addPass(createChooseResidency({sharedLimit}));
  kernels.addPass(createInferLayouts());
  kernels.addPass(createInsertConversions());
  kernels.addPass(createExpandCopies());
  kernels.addPass(createAssignSharedLayouts({sharedLimit}));
}
