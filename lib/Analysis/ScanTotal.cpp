// ScanTotal.cpp - see ScanTotal.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ScanTotal.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

static bool mayWrite(Operation *op, Value buffer) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return true;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(buffer, effects);
  return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
  });
}

/// May the buffer, or a view of it, be written from `first` on and before `last`, an op of the same block?
static bool isWrittenBetween(Value buffer, Operation *first, Operation *last) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<ReshapeOp, ViewOp, SliceOp>(user))
      return isWrittenBetween(user->getResult(0), first, last);
    Operation *step = first->getBlock()->findAncestorOpInBlock(*user);
    return step && !step->isBeforeInBlock(first) && step->isBeforeInBlock(last) && mayWrite(user, buffer);
  });
}

static bool isOfOneKind(ScanOp scan, ReduceOp reduce) {
  return scan.getDim() == reduce.getDim() && stringifyScanKind(scan.getKind()) == stringifyReduceKind(reduce.getKind());
}

ScanOp tile::scanOfTotal(ReduceOp reduce) {
  Value source = reduce.getSource();
  if (!isa_and_nonnull<AllocFragmentOp>(source.getDefiningOp()))
    return {};
  ScanOp nearest;
  for (Operation *user : source.getUsers()) {
    auto scan = dyn_cast<ScanOp>(user);
    if (!scan || scan.getSource() != source || scan->getBlock() != reduce->getBlock() ||
        !scan->isBeforeInBlock(reduce) || !isOfOneKind(scan, reduce) || scan.getLayout() != reduce.getLayout())
      continue;
    if (!nearest || nearest->isBeforeInBlock(scan))
      nearest = scan;
  }
  return nearest && !isWrittenBetween(source, nearest, reduce) ? nearest : ScanOp();
}

bool tile::isTotalTaken(ScanOp scan) {
  return llvm::any_of(scan.getSource().getUsers(), [&](Operation *user) {
    auto reduce = dyn_cast<ReduceOp>(user);
    return reduce && scanOfTotal(reduce) == scan;
  });
}
