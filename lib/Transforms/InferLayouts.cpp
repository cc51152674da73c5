// InferLayouts.cpp - asks every op's layout rule in program order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/LayoutInference.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"

static bool isTileAlloc(Operation *op) {
  return isa<AllocSharedOp, AllocFragmentOp>(op);
}

static std::string layoutText(Attribute layout) {
  if (!layout)
    return "linear";
  if (auto distributed = dyn_cast<DistributedAttr>(layout))
    return layoutOf(distributed).toString();
  std::string text;
  llvm::raw_string_ostream(text) << layout;
  return text;
}

/// One remark a tile: what was chosen, and who chose it.
static void reportLayouts(KernelOp kernel, const llvm::DenseSet<Operation *> &pinned) {
  kernel.walk([&](Operation *op) {
    if (!isTileAlloc(op))
      return;
    auto name = dyn_cast<NameLoc>(op->getLoc());
    bool isShared = isa<AllocSharedOp>(op);
    StringRef why = pinned.contains(op) ? "pinned by the program"
                    : isShared          ? "row-major as written"
                                        : "bytes first: the widest vectors along the contiguous axis of its accesses";
    remark::passed(op->getLoc(), remark::RemarkOpts::name("layout").category("layout").function(kernel.getSymName()))
        << remark::metric("buffer", name ? name.getName().getValue() : StringRef("?"))
        << remark::metric("space", isShared ? StringRef("shared") : StringRef("fragment"))
        << remark::metric("layout", layoutText(op->getAttr("layout"))) << remark::metric("why", why);
  });
}

namespace {
struct InferLayoutsPass : impl::InferLayoutsBase<InferLayoutsPass> {
  using InferLayoutsBase::InferLayoutsBase;

  void runOnOperation() override {
    llvm::DenseSet<Operation *> pinned;
    getOperation().walk([&](Operation *op) {
      if (isTileAlloc(op) && op->hasAttr("layout"))
        pinned.insert(op);
    });
    LayoutInference inference(getOperation());
    auto ask = [&] {
      getOperation().walk<WalkOrder::PreOrder>([&](LayoutOpInterface op) { op.inferLayouts(inference); });
    };
    ask();
    // A fill waits for what is computed into its fragment; now that is known.
    ask();
    inference.decideRest();
    ask();
    inference.writeAttributes();
    reportLayouts(getOperation(), pinned);
  }
};
} // namespace
} // namespace tile
