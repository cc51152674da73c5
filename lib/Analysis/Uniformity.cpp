// Uniformity.cpp - see Uniformity.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Uniformity.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::simt;

BufferRoot tile::storageOf(Value buffer) {
  BufferRoot root{buffer, 0};
  while (auto view = root.buffer.getDefiningOp<ViewOp>()) {
    root.byteOffset += view.getOffset();
    root.buffer = view.getSource();
  }
  if (Operation *op = root.buffer.getDefiningOp())
    return isa<SharedOp, RegistersOp, LocalOp>(op) ? root : BufferRoot{};
  Operation *owner = cast<BlockArgument>(root.buffer).getOwner()->getParentOp();
  return isa<KernelOp>(owner) ? root : BufferRoot{};
}

static simt::Space spaceOfBuffer(Value buffer) {
  return simt::spaceOf(cast<MemRefType>(buffer.getType()));
}

static bool isPrivate(Value buffer) {
  simt::Space space = spaceOfBuffer(buffer);
  return space == simt::Space::Register || space == simt::Space::Local;
}

Uniformity::Uniformity(KernelOp kernel) {
  // Atomics come first: what they change may change between the loads of two threads.
  kernel.walk([&](AtomicOp op) {
    if (spaceOfBuffer(op.getBuffer()) == simt::Space::Global)
      mark(storageOf(op.getBuffer()).buffer ? storageOf(op.getBuffer()).buffer : op.getBuffer());
  });
  for (bool changed = true; changed;) {
    changed = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { changed |= visit(op); });
  }
}

bool Uniformity::mark(Value value) {
  return divergent.insert(value).second;
}

bool Uniformity::visit(Operation *op) {
  if (isa<KernelOp>(op))
    return false;
  if (isa<scf::ForOp>(op))
    return visitFor(op);
  if (isa<scf::WhileOp>(op))
    return visitWhile(op);
  if (isa<scf::IfOp>(op))
    return visitBranches(op);
  if (isa<LoadOp, StoreOp, MoveOp, AtomicOp>(op))
    return visitAccess(op);
  bool differs = isa<ThreadIdOp, ShuffleOp>(op) || op->getNumRegions() != 0 ||
                 llvm::any_of(op->getOperands(), [&](Value operand) { return !isUniform(operand); });
  bool changed = false;
  if (differs)
    for (Value result : op->getResults())
      changed |= mark(result);
  return changed;
}

bool Uniformity::visitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  bool changed = false, differs = isDivergent(op);
  if (differs)
    changed |= mark(loop.getInductionVar());
  auto *yield = loop.getBody()->getTerminator();
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    bool carried = !isUniform(loop.getInitArgs()[i]) || !isUniform(yield->getOperand(i));
    if (carried || differs) {
      changed |= mark(loop.getRegionIterArg(i));
      changed |= mark(loop.getResult(i));
    }
  }
  return changed;
}

bool Uniformity::visitBranches(Operation *op) {
  bool changed = false, differs = isDivergent(op);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    bool chosen = llvm::any_of(op->getRegions(), [&](Region &region) {
      return !region.empty() && !isUniform(region.front().getTerminator()->getOperand(i));
    });
    if (differs || chosen)
      changed |= mark(op->getResult(i));
  }
  return changed;
}

bool Uniformity::visitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  bool changed = false, differs = isDivergent(op);
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
    if (differs || !isUniform(loop.getInits()[i]) || !isUniform(loop.getYieldOp()->getOperand(i)))
      changed |= mark(argument);
  for (auto [i, forwarded] : llvm::enumerate(loop.getConditionOp().getArgs()))
    if (differs || !isUniform(forwarded)) {
      changed |= mark(loop.getAfterArguments()[i]);
      changed |= mark(loop.getResult(i));
    }
  return changed;
}

bool Uniformity::visitAccess(Operation *op) {
  auto contentsDiffer = [&](Value buffer, Value index) {
    Value root = storageOf(buffer).buffer;
    return !root || !isUniform(root) || !isUniform(index);
  };
  // Private memory is uniform only while all threads write the same, at the same place, together.
  auto write = [&](Value buffer, Value index, bool valueDiffers) {
    Value root = storageOf(buffer).buffer;
    bool differs = valueDiffers || !isUniform(index) || outermostDivergent(op);
    return isPrivate(buffer) && root && differs && mark(root);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LoadOp load) { return contentsDiffer(load.getBuffer(), load.getIndex()) && mark(load.getResult()); })
      .Case([&](StoreOp store) { return write(store.getBuffer(), store.getIndex(), !isUniform(store.getValue())); })
      .Case([&](MoveOp move) {
        return write(move.getTarget(), move.getTargetIndex(), contentsDiffer(move.getSource(), move.getSourceIndex()));
      })
      .Case([&](AtomicOp atomic) { return atomic.getOld() && mark(atomic.getOld()); })
      .Default([](Operation *) { return false; });
}

bool Uniformity::isDivergent(Operation *op) const {
  auto differs = [&](Value value) { return !isUniform(value); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::ForOp loop) {
        return differs(loop.getLowerBound()) || differs(loop.getUpperBound()) || differs(loop.getStep());
      })
      .Case([&](scf::IfOp branch) { return differs(branch.getCondition()); })
      .Case([&](scf::WhileOp loop) { return differs(loop.getConditionOp().getCondition()); })
      .Case([](KernelOp) { return false; })
      .Default([](Operation *other) { return other->getNumRegions() != 0; });
}

Operation *Uniformity::outermostDivergent(Operation *op) const {
  Operation *outermost = nullptr;
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent); parent = parent->getParentOp())
    if (isDivergent(parent))
      outermost = parent;
  return outermost;
}
