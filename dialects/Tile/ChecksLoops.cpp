// ChecksLoops.cpp - rules of one loop: its extents, its pin, its stages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kMaxStages = 64;

static LogicalResult checkLoop(LoopOpInterface loop) {
  Operation *op = loop;
  if (failed(checkInKernel(op)))
    return failure();
  size_t ivs = loop.getInductionVars().size(), extents = loop.getExtents().getNumResults();
  if (ivs != extents || extents == 0)
    return op->emitOpError() << "has " << ivs << " induction variables and " << extents
                             << " extents; a loop has at least one, and one extent each (loop-C1)";
  for (BlockArgument iv : loop.getInductionVars())
    if (!iv.getType().isIndex())
      return op->emitOpError() << "has an induction variable of type " << iv.getType()
                               << "; induction variables are of type index (loop-C2)";
  return checkExpressions([&] { return op->emitOpError(); }, loop.getExtents(), loop.getExtentOperands().size());
}

/// The extents as a shape, '?' where known at run time only.
static SmallVector<int64_t> loopShape(LoopOpInterface loop) {
  SmallVector<int64_t> shape;
  for (std::optional<int64_t> extent : loop.getConstantExtents())
    shape.push_back(extent.value_or(ShapedType::kDynamic));
  return shape;
}

LogicalResult ParallelOp::verify() {
  if (failed(checkLoop(*this)))
    return failure();
  return checkLayout(*this, getLayout(), loopShape(*this));
}

LogicalResult VectorizedOp::verify() {
  if (failed(checkLoop(*this)))
    return failure();
  for (auto [dim, extent] : llvm::enumerate(getConstantExtents()))
    if (!extent)
      return emitOpError() << "has an extent known at run time only in dimension " << dim
                           << "; vectorized extents are constants (vectorized-C1)";
  return success();
}

LogicalResult SerialOp::verify() {
  return checkLoop(*this);
}

LogicalResult UnrolledOp::verify() {
  return checkLoop(*this);
}

LogicalResult PipelinedOp::verify() {
  if (failed(checkLoop(*this)))
    return failure();
  int64_t stages = getStages();
  if (stages < 1 || stages > kMaxStages)
    return emitOpError() << "has stages(" << stages << "); a pipeline has 1 to " << kMaxStages
                         << " stages, and stages(1) is 'tile.serial' (pipelined-C1)";
  return success();
}
