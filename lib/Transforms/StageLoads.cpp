// StageLoads.cpp - splits loops whose loads and stores are contiguous along different axes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StageLoads.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/TileAccess.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tile {

/// The axis along which an access of global memory is contiguous, -1 for none.
static int leadOf(const TileAccess &access, size_t rank) {
  AffineExpr last = contiguousIndex(access);
  if (spaceOf(access.type()) != Space::Global || !last)
    return -1;
  for (size_t axis = rank; axis-- > 0;)
    if (last.isFunctionOfDim(axis))
      return static_cast<int>(axis);
  return -1;
}

/// The axis along which the stores are contiguous, -1 if they do not agree.
static int storeLead(ArrayRef<TileAccess> accesses, size_t rank) {
  int lead = -1;
  for (const TileAccess &access : accesses) {
    if (!access.isStore || spaceOf(access.type()) != Space::Global)
      continue;
    int own = leadOf(access, rank);
    if (isa<AtomicOp>(access.op) || own < 0 || (lead >= 0 && lead != own))
      return -1;
    lead = own;
  }
  return lead;
}

static void stageLoad(ParallelOp loop, LoadOp load) {
  OpBuilder builder(loop);
  Location loc = load.getLoc();
  SmallVector<int64_t> extents = pointExtents(loop);
  auto type = MemRefType::get(extents, load.getResult().getType(), MemRefLayoutAttrInterface(),
                              FragmentAttr::get(builder.getContext()));
  auto fragment = AllocFragmentOp::create(builder, loc, type, DistributedAttr(), IntegerAttr());
  // A copy of the loop with nothing in it but the load and what its index is made of.
  IRMapping mapping;
  auto reader = cast<ParallelOp>(builder.clone(*loop, mapping));
  auto moved = cast<LoadOp>(mapping.lookup(load.getResult()).getDefiningOp());
  Block &body = reader.getBody().front();
  builder.setInsertionPointAfter(moved);
  AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
  auto store = StoreOp::create(builder, loc, moved.getResult(), fragment, reader.getInductionVars(),
                               AffineMapAttr::get(identity));
  SmallVector<Operation *> rest;
  for (Operation &op : llvm::reverse(body))
    if (&op != moved && &op != store && !op.hasTrait<OpTrait::IsTerminator>())
      rest.push_back(&op);
  for (Operation *op : rest)
    if (op->use_empty())
      op->erase();
  // The original reads the fragment.
  builder.setInsertionPoint(load);
  auto staged = LoadOp::create(builder, loc, load.getResult().getType(), fragment, loop.getInductionVars(),
                               AffineMapAttr::get(identity), TypedAttr());
  load.replaceAllUsesWith(staged.getResult());
  load.erase();
}

/// Loads whose place is known before the loop body runs.
static bool isMovable(ParallelOp loop, const TileAccess &access) {
  return access.op->getBlock() == &loop.getBody().front() && llvm::none_of(access.operands, [&](Value operand) {
           return loop.getBody().isAncestor(operand.getParentRegion());
         });
}

StagedLoads loadsToStage(KernelOp kernel) {
  StagedLoads loads;
  kernel.walk([&](ParallelOp loop) {
    SmallVector<int64_t> extents = pointExtents(loop);
    // Whoever asks for a width says how the loop runs as it stands.
    if (loop.getLayout() || loop.getWidth() || llvm::any_of(extents, ShapedType::isDynamic))
      return;
    SmallVector<TileAccess> accesses = accessesOf(loop);
    int lead = storeLead(accesses, extents.size());
    for (const TileAccess &access : accesses) {
      int own = leadOf(access, extents.size());
      auto load = dyn_cast<LoadOp>(access.op);
      if (load && lead >= 0 && own >= 0 && own != lead && extents[own] > 1 && isMovable(loop, access))
        loads.push_back({loop, load});
    }
  });
  return loads;
}

void stageLoads(ArrayRef<std::pair<ParallelOp, LoadOp>> loads) {
  for (auto [loop, load] : loads)
    stageLoad(loop, load);
}

} // namespace tile
