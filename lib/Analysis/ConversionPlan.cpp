// ConversionPlan.cpp - the layout an op wants a fragment in, and the cheapest way there and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ConversionPlan.h"

#include "dialects/Tile/Checks.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

bool tile::overwrites(Operation *op, ArrayRef<TileAccess> accesses, Value root) {
  int64_t points = 1;
  for (int64_t extent : pointExtents(op))
    points = ShapedType::isDynamic(extent) ? 0 : points * extent;
  bool writesAll = false;
  for (const TileAccess &access : accesses) {
    if (rootOf(access.buffer) != root)
      continue;
    if (!access.isStore || isa<AtomicOp>(access.op))
      return false;
    bool isUnconditional = access.op == op || access.op->getParentOp() == op;
    writesAll |= isUnconditional && access.buffer == root && access.type().getNumElements() == points;
  }
  return writesAll;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Is the value the same in every thread of a block? It is if it is computed from what all threads share.
static bool isShared(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (isa<KernelOp>(owner))
      return true;
    if (isa<SerialOp, UnrolledOp, PipelinedOp>(owner))
      return llvm::all_of(owner->getOperands(), isShared);
    auto loop = dyn_cast<scf::ForOp>(owner);
    return loop && argument == loop.getInductionVar() &&
           llvm::all_of(ArrayRef<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}, isShared);
  }
  Operation *op = value.getDefiningOp();
  StringRef dialect = op->getName().getDialectNamespace();
  bool isArithmetic = (dialect == "arith" || dialect == "math" || isa<affine::AffineApplyOp>(op)) && isPure(op);
  return isArithmetic && llvm::all_of(op->getOperands(), isShared);
}

bool tile::isReachedTogether(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent); parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      if (!isShared(branch.getCondition()))
        return false;
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (!llvm::all_of(ArrayRef<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}, isShared))
        return false;
    } else if (!isa<SerialOp, UnrolledOp, PipelinedOp>(parent) || !llvm::all_of(parent->getOperands(), isShared)) {
      return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

bool tile::isLocal(const Layout &loop, ArrayRef<TileAccess> accesses, Value root, const Layout &held) {
  return llvm::all_of(accesses, [&](const TileAccess &access) {
    RootAccess found = rootOf(access);
    if (found.root != root)
      return true;
    if (found.isRetyped || isa<AtomicOp>(access.op))
      return false;
    // Written alike: register by register.
    if (found.map.isIdentity() && loop.extents() == held.extents() && loop.origins() == held.origins() &&
        loop.digits() == held.digits() && loop.copies() == held.copies())
      return true;
    return registerMap(loop, found.map, held, access.isStore).has_value();
  });
}

/// The layout in which the op finds the fragment in its own threads, if its first access determines one.
static std::optional<Layout> neededLayout(const Layout &loop, ArrayRef<TileAccess> accesses, Value root,
                                          const Layout &held) {
  const auto *first = llvm::find_if(accesses, [&](const TileAccess &access) { return rootOf(access.buffer) == root; });
  RootAccess found = rootOf(*first);
  std::optional<IndexMap> map = found.isRetyped ? std::nullopt : indexMapOf(found.map, loop.rank());
  return map ? push(loop, *map, held.extents()) : std::nullopt;
}

static int64_t bytesOf(Value buffer) {
  return elementBytes(cast<MemRefType>(buffer.getType()).getElementType());
}

static void add(ConversionPlan &plan, const ConversionChoice &choice) {
  plan.kind = std::max(plan.kind, choice.kind);
  plan.pools += choice.pools;
  plan.counts.moves += choice.counts.moves;
  plan.counts.selections += choice.counts.selections;
  plan.counts.shuffles += choice.counts.shuffles;
  plan.counts.stores += choice.counts.stores;
  plan.counts.loads += choice.counts.loads;
  plan.counts.barriers += choice.counts.barriers;
}

ConversionPlan tile::planConversion(Operation *op, const Layout &loop, ArrayRef<TileAccess> accesses, Value root,
                                    const Layout &held) {
  ConversionPlan plan;
  plan.isFilled = !overwrites(op, accesses, root);
  plan.isWritten =
      llvm::any_of(accesses, [&](const TileAccess &access) { return access.isStore && rootOf(access.buffer) == root; });
  bool isStatic = !llvm::any_of(pointExtents(op), ShapedType::isDynamic);
  std::optional<Layout> needed = isStatic ? neededLayout(loop, accesses, root, held) : std::nullopt;
  auto addBoth = [&](const Layout &inside, bool mayMove, bool mayShuffle) {
    plan.kind = ConversionKind::Registers;
    auto choose = [&](const Layout &from, const Layout &to) {
      return mayMove ? chooseConversion(from, to, bytesOf(root), mayShuffle)
                     : convertThroughShared(from, to, bytesOf(root));
    };
    if (plan.isFilled)
      add(plan, choose(held, inside));
    if (plan.isWritten)
      add(plan, choose(inside, held));
  };
  if (needed) {
    addBoth(*needed, /*mayMove=*/true, isReachedTogether(op));
    if (plan.kind != ConversionKind::Shared && isLocal(loop, accesses, root, *needed)) {
      plan.needed = std::move(needed);
      return plan;
    }
  }
  // One shared tile serves both ways.
  plan.counts = {};
  plan.pools = {};
  addBoth(needed ? *needed : held, /*mayMove=*/false, /*mayShuffle=*/false);
  return plan;
}

bool tile::copiesWholeFragment(Operation *op) {
  auto copy = dyn_cast<CopyOp>(op);
  auto isWhole = [](Value buffer) { return isa_and_nonnull<AllocFragmentOp>(buffer.getDefiningOp()); };
  return copy && isWhole(copy.getSource()) && isWhole(copy.getTarget()) && !copy.getSourceMap() &&
         !copy.getTargetMap() && copy.getSourceType() == copy.getTargetType();
}

ConversionPlan tile::planCopy(Operation *op, const Layout &source, const Layout &target) {
  ConversionPlan plan;
  plan.kind = ConversionKind::Same;
  add(plan, chooseConversion(source, target, bytesOf(op->getOperand(0)), isReachedTogether(op)));
  return plan;
}
