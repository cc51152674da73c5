// SplitWebs.cpp - see SplitWebs.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopBodies.h"
#include "tile/Transforms/Passes.h"

#include "dialects/Tile/Checks.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_SPLITWEBS
#include "tile/Transforms/Passes.h.inc"

/// The innermost block that all users stand in, at any depth, but no body of points: that is no sequence.
static Block *blockOf(Value fragment) {
  Block *common = nullptr;
  for (Operation *user : fragment.getUsers()) {
    common = common ? common : user->getBlock();
    while (!common->findAncestorOpInBlock(*user))
      common = common->getParentOp()->getBlock();
  }
  while (isa<ParallelOp, VectorizedOp>(common->getParentOp()))
    common = common->getParentOp()->getBlock();
  return common;
}

/// Every point writes its element, of all elements.
static bool writesAll(ParallelOp loop, Value fragment) {
  auto shape = cast<MemRefType>(fragment.getType()).getShape();
  std::optional<SmallVector<int64_t>> extents = loop.getStaticShape();
  if (!extents || ArrayRef(*extents) != shape)
    return false;
  bool writes = false, isOther = false;
  loop.walk([&](Operation *op) {
    if (!llvm::is_contained(op->getOperands(), fragment))
      return;
    auto store = dyn_cast<StoreOp>(op);
    bool isWhole =
        store && op->getBlock() == &loop.getBody().front() && isAtPoint(loop, store.getMap(), store.getIndices());
    (isWhole ? writes : isOther) = true;
  });
  return writes && !isOther;
}

/// The op writes every element and reads none.
static bool begins(Operation *op, Value fragment) {
  if (llvm::count(op->getOperands(), fragment) > 1)
    return false;
  auto type = cast<MemRefType>(fragment.getType());
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getTarget() == fragment && !copy.getTargetMap() &&
           (copy.getSourceMap() || copy.getSourceType().getShape() == type.getShape());
  if (auto fill = dyn_cast<FillOp>(op))
    return fill.getTarget() == fragment;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getTarget() == fragment && !reduce.getAccumulate();
  if (auto reduce = dyn_cast<ArgReduceOp>(op))
    return reduce.getSource() != fragment;
  if (auto scan = dyn_cast<ScanOp>(op))
    return scan.getTarget() == fragment;
  auto loop = dyn_cast<ParallelOp>(op);
  return loop && writesAll(loop, fragment);
}

/// The ops of a block in which the fragment is used, in order.
static SmallVector<Operation *> usersIn(Block &block, Value fragment) {
  llvm::SmallPtrSet<Operation *, 8> known;
  for (Operation *user : fragment.getUsers())
    known.insert(block.findAncestorOpInBlock(*user));
  SmallVector<Operation *> users;
  for (Operation &op : block)
    if (known.contains(&op))
      users.push_back(&op);
  return users;
}

static void split(AllocFragmentOp alloc) {
  Value fragment = alloc.getResult();
  bool hasView = llvm::any_of(fragment.getUsers(), [](Operation *user) {
    return llvm::any_of(user->getResultTypes(), [](Type type) { return isa<MemRefType>(type); });
  });
  if (alloc.getLayout() || hasView || fragment.use_empty())
    return;
  Block *block = blockOf(fragment);
  SmallVector<Operation *> users = usersIn(*block, fragment);
  // In a loop, the first use must not be of what the last trip left.
  if (block != alloc->getBlock() && !begins(users.front(), fragment))
    return;
  Value present = fragment;
  for (Operation *user : ArrayRef(users).drop_front()) {
    if (begins(user, fragment)) {
      OpBuilder builder(alloc->getContext());
      builder.setInsertionPointAfterValue(present);
      present = builder.clone(*alloc)->getResult(0);
    }
    if (present != fragment)
      user->walk([&](Operation *op) { op->replaceUsesOfWith(fragment, present); });
  }
}

namespace {
struct SplitWebsPass : impl::SplitWebsBase<SplitWebsPass> {
  using SplitWebsBase::SplitWebsBase;

  void runOnOperation() override {
    SmallVector<AllocFragmentOp> fragments;
    getOperation().walk([&](AllocFragmentOp alloc) { fragments.push_back(alloc); });
    llvm::for_each(fragments, split);
  }
};
} // namespace
} // namespace tile
