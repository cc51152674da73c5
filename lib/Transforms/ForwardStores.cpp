// ForwardStores.cpp - see ForwardStores.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "tile/Analysis/ThreadBytes.h"
#include "tile/Analysis/Uniformity.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_FORWARDSTORES
#include "tile/Transforms/Passes.h.inc"

/// May something inside write the buffer, or let other threads?
static bool mayChange(Operation *op, Value buffer) {
  WalkResult result = op->walk([&](Operation *inner) {
    bool changes = isa<simt::BarrierOp, simt::AwaitOp>(inner) ||
                   llvm::any_of(memoryAccesses(inner), [&](const MemoryAccess &access) {
                     return access.isWrite && access.root.buffer == buffer;
                   });
    return changes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// What the thread stored where it now loads; null if that is not known.
static Value storedBefore(simt::LoadOp load) {
  Value root = storageOf(load.getBuffer()).buffer;
  if (!root)
    return {};
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    auto store = dyn_cast<simt::StoreOp>(op);
    if (store && store.getBuffer() == load.getBuffer() && store.getIndex() == load.getIndex())
      return store.getValue();
    if (mayChange(op, root))
      return {};
  }
  return {};
}

namespace {
struct ForwardStoresPass : impl::ForwardStoresBase<ForwardStoresPass> {
  using ForwardStoresBase::ForwardStoresBase;

  void runOnOperation() override {
    getOperation().walk([](simt::LoadOp load) {
      if (simt::spaceOf(cast<MemRefType>(load.getBuffer().getType())) != simt::Space::Shared)
        return;
      if (Value stored = storedBefore(load)) {
        load.getResult().replaceAllUsesWith(stored);
        load.erase();
      }
    });
  }
};
} // namespace
} // namespace tile
