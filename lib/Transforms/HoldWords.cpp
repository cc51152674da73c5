// HoldWords.cpp - see HoldWords.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "dialects/Tile/Checks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_HOLDWORDS
#include "tile/Transforms/Passes.h.inc"

/// Registers of which several make a word, and that make one at least.
static bool sharesWords(Value buffer) {
  if (!buffer.getDefiningOp<simt::RegistersOp>())
    return false;
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = elementBytes(type.getElementType());
  return bytes > 0 && bytes < simt::kRegisterBytes && bytes * type.getNumElements() >= simt::kRegisterBytes;
}

namespace {
/// Follows a kernel in the order of its text, loops twice: what a trip reads the next one may read again.
class Phases {
public:
  void walk(Block &block) {
    for (Operation &op : block) {
      visit(op);
      int64_t times = isa<scf::ForOp, scf::WhileOp>(op) ? 2 : 1;
      for (int64_t i = 0; i < times; ++i)
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            walk(inner);
    }
  }

  /// Barriers, and what is to be held behind each.
  llvm::MapVector<Operation *, llvm::SetVector<Value>> holds;

private:
  void visit(Operation &op) {
    if (auto fresh = dyn_cast<simt::RegistersOp>(op))
      return write(fresh.getResult());
    if (auto load = dyn_cast<simt::LoadOp>(op))
      return read(load.getBuffer());
    if (auto store = dyn_cast<simt::StoreOp>(op))
      return write(store.getBuffer());
    if (auto move = dyn_cast<simt::MoveOp>(op)) {
      read(move.getSource());
      return write(move.getTarget());
    }
    if (isa<simt::BarrierOp>(op))
      for (auto &[buffer, barrier] : lastBarrier)
        if (buffer.getParentRegion()->isAncestor(op.getParentRegion()))
          barrier = &op;
  }

  void read(Value buffer) {
    if (!sharesWords(buffer))
      return;
    auto [entry, isFirst] = lastBarrier.try_emplace(buffer, nullptr);
    if (entry->second)
      holds[entry->second].insert(buffer);
    entry->second = nullptr;
  }

  void write(Value buffer) { lastBarrier.erase(buffer); }

  /// The last barrier since a buffer was read, null if there was none; no entry where it was written since.
  llvm::DenseMap<Value, Operation *> lastBarrier;
};

struct HoldWordsPass : impl::HoldWordsBase<HoldWordsPass> {
  using HoldWordsBase::HoldWordsBase;

  void runOnOperation() override {
    Phases phases;
    phases.walk(getOperation().getBody().front());
    OpBuilder builder(&getContext());
    for (auto &[barrier, buffers] : phases.holds) {
      builder.setInsertionPointAfter(barrier);
      for (Value buffer : buffers)
        simt::HoldOp::create(builder, barrier->getLoc(), buffer);
    }
  }
};
} // namespace
} // namespace tile
