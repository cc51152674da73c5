// InferLayouts.cpp - solves for the layouts of a kernel and writes them down.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopBodies.h"
#include "ReportLayouts.h"
#include "StageLoads.h"
#include "tile/Analysis/LayoutSolver.h"
#include "tile/Analysis/Origin.h"
#include "tile/Analysis/WidthHint.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INFERLAYOUTS
#include "tile/Transforms/Passes.h.inc"

/// A second loop must save at least this part of the time.
static constexpr double kWorthwhile = 0.95;

/// More points than a layout describes at once.
static constexpr int64_t kMostPoints = int64_t(1) << 24;

/// Is this more than a layout describes, or known at run time only?
static bool isLong(ArrayRef<int64_t> extents) {
  int64_t points = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent) || extent > kMostPoints)
      return true;
    points *= std::max<int64_t>(extent, 1);
    if (points > kMostPoints)
      return true;
  }
  return false;
}

/// A fill of a tensor that no single layout holds is a loop of stores.
static void loopOverLongTensors(KernelOp kernel) {
  SmallVector<FillOp> fills;
  kernel.walk([&](FillOp fill) {
    if (isLong(fill.getTargetType().getShape()))
      fills.push_back(fill);
  });
  for (FillOp fill : fills) {
    OpBuilder builder(fill);
    Location loc = fill.getLoc();
    SmallVector<Value> sizes;
    SmallVector<AffineExpr> extents;
    for (auto [dim, extent] : llvm::enumerate(fill.getTargetType().getShape())) {
      if (!ShapedType::isDynamic(extent)) {
        extents.push_back(builder.getAffineConstantExpr(extent));
        continue;
      }
      extents.push_back(builder.getAffineDimExpr(sizes.size()));
      sizes.push_back(memref::DimOp::create(builder, loc, fill.getTarget(), dim));
    }
    Value value = fill.getScalar();
    if (!value)
      value = arith::ConstantOp::create(builder, loc, *fill.getValue());
    auto map = AffineMap::get(sizes.size(), 0, extents, builder.getContext());
    auto loop = ParallelOp::create(builder, loc, sizes, map, fill.getLayoutAttr());
    loop->setAttr("note", builder.getStringAttr(describe(fill)));
    Block::BlockArgListType points = enterBody(builder, loc, loop.getBody(), extents.size());
    AffineMap identity = builder.getMultiDimIdentityMap(extents.size());
    StoreOp::create(builder, loc, value, fill.getTarget(), points, AffineMapAttr::get(identity));
    fill.erase();
  }
}

/// A loop over more points than one layout may hold is walked in strips, as if its outer extents were known at run time
/// only. Copies of that size are refused.
static LogicalResult cutHugeLoops(KernelOp kernel) {
  WalkResult result = kernel.walk([&](Operation *op) {
    if (!isa<ParallelOp, CopyOp, FillOp>(op))
      return WalkResult::advance();
    SmallVector<int64_t> extents = pointExtents(op);
    int64_t points = 1, first = extents.size();
    while (first > 0 && points <= kMostPoints)
      if (int64_t extent = extents[--first]; !ShapedType::isDynamic(extent))
        points = extent > kMostPoints ? kMostPoints + 1 : points * extent;
    if (points <= kMostPoints)
      return WalkResult::advance();
    auto loop = dyn_cast<ParallelOp>(op);
    if (!loop || loop.getLayout()) {
      op->emitOpError() << "has more than " << kMostPoints << " points; a block moves at most that many at once";
      return WalkResult::interrupt();
    }
    OpBuilder builder(loop);
    AffineMap map = loop.getExtents();
    SmallVector<Value> operands(loop.getExtentOperands());
    SmallVector<AffineExpr> exprs(map.getResults());
    for (int64_t axis = 0; axis <= first; ++axis)
      if (!ShapedType::isDynamic(extents[axis])) {
        exprs[axis] = builder.getAffineDimExpr(operands.size());
        operands.push_back(arith::ConstantIndexOp::create(builder, loop.getLoc(), extents[axis]));
      }
    loop.getExtentOperandsMutable().assign(operands);
    loop.setExtentsAttr(AffineMapAttr::get(AffineMap::get(operands.size(), 0, exprs, builder.getContext())));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The solver of the kernel, solved; loads have got a loop of their own if the kernel is faster for it.
static std::unique_ptr<LayoutSolver> solve(KernelOp kernel) {
  auto solver = std::make_unique<LayoutSolver>(kernel);
  double before = solver->solve().cost.time.clocks;
  StagedLoads loads = loadsToStage(kernel);
  if (loads.empty())
    return solver;
  OwningOpRef<KernelOp> trial = kernel.clone();
  stageLoads(loadsToStage(*trial));
  if (LayoutSolver(*trial).solve().cost.time.clocks >= kWorthwhile * before)
    return solver;
  stageLoads(loads);
  solver = std::make_unique<LayoutSolver>(kernel);
  solver->solve();
  return solver;
}

/// Every loop and copy moves as many elements at once as it asks for.
static LogicalResult checkWidthsKept(KernelOp kernel, const LayoutSolver &solver) {
  WalkResult result = kernel.walk([&](Operation *op) {
    const Layout *layout = isa<ParallelOp, CopyOp>(op) ? solver.solution().layouts.operation(op) : nullptr;
    return layout && failed(checkWidthKept(op, *layout)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct InferLayoutsPass : impl::InferLayoutsBase<InferLayoutsPass> {
  using InferLayoutsBase::InferLayoutsBase;

  void runOnOperation() override {
    loopOverLongTensors(getOperation());
    llvm::DenseSet<Operation *> pinned;
    getOperation().walk([&](Operation *op) {
      if (isa<AllocFragmentOp, ParallelOp, CopyOp, FillOp>(op) && op->hasAttr("layout"))
        pinned.insert(op);
    });
    if (failed(cutHugeLoops(getOperation())) || failed(checkWidthHints(getOperation())))
      return signalPassFailure();
    if (!getOperation().getOrigin())
      if (std::optional<AffineMap> origin = chooseOrigin(getOperation()))
        getOperation().setOrigin(*origin);
    std::unique_ptr<LayoutSolver> solver = solve(getOperation());
    if (failed(checkWidthsKept(getOperation(), *solver)))
      return signalPassFailure();
    if (printSolutions)
      solver->print(llvm::errs());
    reportLayouts(getOperation(), *solver, pinned);
    solver->solution().layouts.writeAttributes();
  }
};
} // namespace
} // namespace tile
