// InsertBarriers.cpp - see InsertBarriers.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "tile/Analysis/Hazards.h"
#include "tile/Analysis/Uniformity.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "tile/Transforms/Passes.h.inc"

static StringRef wordFor(Operation *op) {
  return isa<simt::LoadOp>(op) ? "reads" : "writes";
}

static void report(const Hazard &hazard) {
  InFlightDiagnostic diag =
      hazard.second->emitOpError()
      << wordFor(hazard.second)
      << " memory that another thread may use under the same condition; a barrier between the two "
         "would not be reached by every thread";
  diag.attachNote(hazard.first->getLoc()) << "the other access";
  if (hazard.divergent)
    diag.attachNote(hazard.divergent->getLoc()) << "threads differ in this condition or in these bounds";
}

/// Every thread of the block must reach a barrier.
static LogicalResult verifyBarriers(simt::KernelOp kernel) {
  Uniformity uniformity(kernel);
  auto result = kernel.walk([&](simt::BarrierOp barrier) {
    Operation *divergent = uniformity.outermostDivergent(barrier);
    if (!divergent)
      return WalkResult::advance();
    InFlightDiagnostic diag = barrier.emitOpError()
                              << "stands where threads may not all come; every thread of the block "
                                 "must reach a barrier";
    diag.attachNote(divergent->getLoc()) << "threads differ in this condition or in these bounds";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct InsertBarriersPass : impl::InsertBarriersBase<InsertBarriersPass> {
  using InsertBarriersBase::InsertBarriersBase;

  void runOnOperation() override {
    if (failed(verifyBarriers(getOperation())))
      return signalPassFailure();
    SmallVector<Hazard> hazards = insertBarriers(getOperation());
    for (const Hazard &hazard : hazards) {
      assert(hazard.divergent && "a barrier resolves every hazard that all threads reach together");
      report(hazard);
    }
    if (!hazards.empty())
      signalPassFailure();
  }
};
} // namespace
} // namespace tile
