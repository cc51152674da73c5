// ExpandCopies.cpp - a copy is a loop of loads and stores; a fill one of stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopBodies.h"

#include "tile/Analysis/ConversionPlan.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_EXPANDCOPIES
#include "tile/Transforms/Passes.h.inc"

/// Map and operands of an access whose points are these values.
static std::pair<AffineMap, SmallVector<Value>> subscript(const TileAccess &access, ValueRange points) {
  SmallVector<Value> operands(points);
  llvm::append_range(operands, access.operands);
  return {access.map, operands};
}

/// One point of a copy: load, convert, store.
static void createCopyBody(OpBuilder &builder, CopyOp copy, ArrayRef<TileAccess> accesses, ValueRange points) {
  Location loc = copy.getLoc();
  Type from = copy.getSourceType().getElementType(), to = copy.getTargetType().getElementType();
  auto [loadMap, loadOperands] = subscript(accesses[0], points);
  auto load = LoadOp::create(builder, loc, from, copy.getSource(), loadOperands, loadMap, TypedAttr());
  Value value = load;
  if (from != to) {
    value = simt::ConvertOp::create(builder, loc, to, value);
    // The pad is of the target's type: it is chosen after the conversion.
    if (std::optional<TypedAttr> pad = copy.getPad())
      value.getDefiningOp()->setAttr("pad", *pad);
  } else if (std::optional<TypedAttr> pad = copy.getPad()) {
    load.setPadAttr(*pad);
  }
  auto [storeMap, storeOperands] = subscript(accesses[1], points);
  StoreOp::create(builder, loc, value, copy.getTarget(), storeOperands, storeMap);
}

static void createFillBody(OpBuilder &builder, FillOp fill, ArrayRef<TileAccess> accesses, ValueRange points) {
  Value value = fill.getScalar();
  if (!value)
    value = arith::ConstantOp::create(builder, fill.getLoc(), *fill.getValue());
  auto [map, operands] = subscript(accesses[0], points);
  StoreOp::create(builder, fill.getLoc(), value, fill.getTarget(), operands, map);
}

/// The points of a copy of private arrays: each thread its own, the last axis as vectors.
static SmallVector<Value> createThreadLoops(OpBuilder &builder, Location loc, ArrayRef<int64_t> extents) {
  SmallVector<Value> points;
  MLIRContext *context = builder.getContext();
  for (int64_t extent : extents.drop_back()) {
    auto loop = UnrolledOp::create(builder, loc, ValueRange(), constantMap(extent, context));
    llvm::append_range(points, enterBody(builder, loc, loop.getBody(), 1));
  }
  auto loop = VectorizedOp::create(builder, loc, ValueRange(), constantMap(extents.back(), context));
  llvm::append_range(points, enterBody(builder, loc, loop.getBody(), 1));
  return points;
}

static void expand(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<TileAccess> accesses = accessesOf(op);
  SmallVector<int64_t> extents = pointExtents(op);
  bool isPrivate =
      llvm::any_of(accesses, [](const TileAccess &access) { return spaceOf(access.type()) == Space::Local; });
  SmallVector<Value> points;
  if (isPrivate) {
    points = createThreadLoops(builder, loc, extents);
  } else {
    auto loop = ParallelOp::create(builder, loc, ValueRange(), constantMap(extents, op->getContext()),
                                   op->getAttrOfType<DistributedAttr>("layout"));
    if (auto width = op->getAttrOfType<IntegerAttr>("width"))
      loop.setWidthAttr(width);
    // What the text of the kernel will say about this loop.
    loop->setAttr("note", builder.getStringAttr(describe(op)));
    llvm::append_range(points, enterBody(builder, loc, loop.getBody(), extents.size()));
  }
  if (auto copy = dyn_cast<CopyOp>(op))
    createCopyBody(builder, copy, accesses, points);
  else
    createFillBody(builder, cast<FillOp>(op), accesses, points);
  op->erase();
}

namespace {
struct ExpandCopiesPass : impl::ExpandCopiesBase<ExpandCopiesPass> {
  using ExpandCopiesBase::ExpandCopiesBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<CopyOp, FillOp>(op) && !op->hasAttr(kConversion))
        ops.push_back(op);
    });
    llvm::for_each(ops, expand);
  }
};
} // namespace
} // namespace tile
