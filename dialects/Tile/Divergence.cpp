// Divergence.cpp - follows thread-dependent values through a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Divergence.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

static bool isPrivate(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && spaceOf(type) == Space::Local;
}

Divergence::Divergence(KernelOp kernel) {
  kernel->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op); load && isPrivate(load.getBuffer()))
      mark(load.getResult(), op);
    else if (isa<ThreadIdOp, AtomicOp>(op))
      for (Value result : op->getResults())
        mark(result, op);
  });
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *source = sources.lookup(value);
    for (OpOperand &use : value.getUses())
      follow(use, source);
  }
}

void Divergence::mark(Value value, Operation *source) {
  if (sources.try_emplace(value, source).second)
    pending.push_back(value);
}

/// A value that leaves a region reaches the results of the op around it, and its next trip.
void Divergence::followYield(OpOperand &use, Operation *source) {
  Operation *terminator = use.getOwner(), *parent = terminator->getParentOp();
  unsigned number = use.getOperandNumber();
  auto markAt = [&](ValueRange values, unsigned position) {
    if (position < values.size())
      mark(values[position], source);
  };
  if (isa<scf::ConditionOp>(terminator)) {
    auto loop = dyn_cast<scf::WhileOp>(parent);
    if (!loop)
      return;
    // Threads that leave at different trips carry away different values.
    if (number == 0) {
      for (Value result : loop.getResults())
        mark(result, source);
      return;
    }
    markAt(loop.getResults(), number - 1);
    return markAt(loop.getAfterArguments(), number - 1);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return markAt(loop.getBeforeArguments(), number);
  markAt(parent->getResults(), number);
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    markAt(loop.getRegionIterArgs(), number);
}

void Divergence::follow(OpOperand &use, Operation *source) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<scf::YieldOp, scf::ConditionOp>(op))
    return followYield(use, source);
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (number < loop.getBeforeArguments().size())
      mark(loop.getBeforeArguments()[number], source);
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && number >= loop.getNumControlOperands()) {
    unsigned position = number - loop.getNumControlOperands();
    if (position < loop.getRegionIterArgs().size())
      mark(loop.getRegionIterArgs()[position], source);
    if (position < loop.getNumResults())
      mark(loop.getResult(position), source);
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && use.get() != loop.getUpperBound())
    mark(loop.getInductionVar(), source);
  // The extent of a tensor is that of all its windows.
  if (isa<memref::DimOp>(op) && number == 0)
    return;
  for (Value result : op->getResults())
    mark(result, source);
}

bool Divergence::anyMayDiffer(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return mayDiffer(value); });
}

SmallVector<Value> Divergence::controllingValues(Operation *op) {
  return TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case([](scf::IfOp branch) { return SmallVector<Value>{branch.getCondition()}; })
      .Case([](scf::ForOp loop) {
        return SmallVector<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
      })
      .Case([](scf::WhileOp loop) {
        auto condition = dyn_cast_or_null<scf::ConditionOp>(
            loop.getBefore().empty() || loop.getBefore().front().empty() ? nullptr : &loop.getBefore().front().back());
        return condition ? SmallVector<Value>{condition.getCondition()} : SmallVector<Value>();
      })
      .Case([](LoopOpInterface loop) { return SmallVector<Value>(loop.getExtentOperands()); })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

Operation *Divergence::divergentParent(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent); parent = parent->getParentOp())
    if (anyMayDiffer(controllingValues(parent)))
      return parent;
  return nullptr;
}

bool tile::mayDiffer(Value value) {
  Operation *place = value.getDefiningOp();
  if (!place)
    place = value.getParentRegion() ? value.getParentRegion()->getParentOp() : nullptr;
  auto kernel = place ? dyn_cast<KernelOp>(place) : KernelOp();
  if (place && !kernel)
    kernel = place->getParentOfType<KernelOp>();
  return kernel && Divergence(kernel).mayDiffer(value);
}
