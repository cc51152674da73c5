// JoinLoads.cpp - see JoinLoads.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/ThreadBytes.h"
#include "tile/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_JOINLOADS
#include "tile/Transforms/Passes.h.inc"

namespace {
/// An unrolled loop of known bounds, a step at a time.
struct UnrolledLoop {
  scf::ForOp op;
  int64_t begin, end;
};

/// A load of element `start` + the number of the trip.
struct RunningLoad {
  simt::LoadOp op;
  AffineMap start; ///< of the first trip
  SmallVector<Value> operands;
  int64_t width; ///< elements that one move takes
};
} // namespace

static std::optional<UnrolledLoop> asUnrolled(scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()), step = getConstantIntValue(loop.getStep());
  if (!loop->hasAttr(simt::kUnroll) || loop.getNumResults() != 0 || !begin || !end || step != 1)
    return std::nullopt;
  return UnrolledLoop{loop, *begin, *end};
}

/// May every load of the loop be made before the first trip?
static bool isReadOnly(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    bool isFine = isa<simt::LoadOp, simt::StoreOp, simt::MoveOp, simt::RegistersOp, simt::NoteOp, scf::IfOp, scf::ForOp,
                      scf::YieldOp>(op) ||
                  isMemoryEffectFree(op);
    bool writes = llvm::any_of(memoryAccesses(op), [](const MemoryAccess &access) {
      return access.isWrite && access.space == simt::Space::Shared;
    });
    return isFine && !writes ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// How many elements of the buffer begin at a multiple of their bytes, and hence may move at once.
static int64_t widestAt(Value buffer, AffineExpr start, int64_t trips) {
  BufferRoot root = storageOf(buffer);
  int64_t bytes = elementBytes(cast<MemRefType>(buffer.getType()).getElementType());
  auto shared = root.buffer ? root.buffer.getDefiningOp<simt::SharedOp>() : simt::SharedOp();
  if (!shared)
    return 1;
  int64_t align = shared.getAlign();
  int64_t width = kVectorBytes / bytes;
  while (width > 1 && (trips % width != 0 || !start.isMultipleOf(width) || align % (width * bytes) != 0 ||
                       root.byteOffset % (width * bytes) != 0))
    width /= 2;
  return width;
}

/// The load as one that runs on with the loop, if it is.
static std::optional<RunningLoad> asRunning(simt::LoadOp load, UnrolledLoop loop) {
  auto apply = load.getIndex().getDefiningOp<affine::AffineApplyOp>();
  if (simt::spaceOf(cast<MemRefType>(load.getBuffer().getType())) != simt::Space::Shared ||
      load->getBlock() != loop.op.getBody() || (!apply && load.getIndex() != loop.op.getInductionVar()))
    return std::nullopt;
  AffineMap map = apply ? apply.getAffineMap() : AffineMap::getMultiDimIdentityMap(1, load.getContext());
  SmallVector<Value> operands =
      apply ? SmallVector<Value>(apply.getMapOperands()) : SmallVector<Value>{load.getIndex()};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  // The trip apart from the rest.
  AffineExpr expr = map.getResult(0), first = getAffineConstantExpr(loop.begin, load.getContext());
  AffineExpr start = expr, next = expr;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    AffineExpr here = number < map.getNumDims() ? getAffineDimExpr(number, load.getContext())
                                                : getAffineSymbolExpr(number - map.getNumDims(), load.getContext());
    if (operand == loop.op.getInductionVar()) {
      start = start.replace(here, first);
      next = next.replace(here, here + 1);
    } else if (loop.op.getBody()->getParent()->isAncestor(operand.getParentRegion())) {
      return std::nullopt;
    }
  }
  auto simplified = [&](AffineExpr e) { return simplifyAffineExpr(e, map.getNumDims(), map.getNumSymbols()); };
  if (simplified(next - expr) != getAffineConstantExpr(1, load.getContext()))
    return std::nullopt;
  start = simplified(start);
  int64_t width = widestAt(load.getBuffer(), start, loop.end - loop.begin);
  if (width == 1)
    return std::nullopt;
  return RunningLoad{load, AffineMap::get(map.getNumDims(), map.getNumSymbols(), start), operands, width};
}

/// The registers to which the vectors are moved that one load takes in so many trips, from number `trip` on.
static Value moveVectors(RunningLoad load, OpBuilder &builder, Value trip, int64_t begin, int64_t trips) {
  Location loc = load.op.getLoc();
  Value buffer = load.op.getBuffer();
  Type element = load.op.getResult().getType();
  auto type =
      MemRefType::get(trips, element, MemRefLayoutAttrInterface(), simt::RegisterAttr::get(builder.getContext()));
  Value registers = simt::RegistersOp::create(builder, loc, type);
  // The trip is one more dimension, the first.
  AffineMap start = load.start.shiftDims(1);
  SmallVector<Value> operands = {trip};
  operands.append(load.operands);
  IntegerAttr bytes = builder.getI64IntegerAttr(load.width * elementBytes(element));
  for (int64_t done = 0; done < trips; done += load.width) {
    AffineExpr at = start.getResult(0) + builder.getAffineDimExpr(0) + (done - begin);
    Value from = affine::makeComposedAffineApply(
        builder, loc, AffineMap::get(start.getNumDims(), start.getNumSymbols(), at), getAsOpFoldResult(operands));
    Value to = arith::ConstantIndexOp::create(builder, loc, done);
    auto move = simt::MoveOp::create(builder, loc, buffer, from, registers, to, bytes);
    if (load.op->hasAttr(simt::kExplicit))
      move->setAttr(simt::kExplicit, builder.getUnitAttr());
  }
  return registers;
}

/// Splits the loop in two, the inner one as wide as the widest of its vectors.
static void split(UnrolledLoop loop, ArrayRef<RunningLoad> loads) {
  int64_t trips = 1;
  for (const RunningLoad &load : loads)
    trips = std::max(trips, load.width);
  OpBuilder builder(loop.op);
  Location loc = loop.op.getLoc();
  auto addLoop = [&](Value begin, Value end, int64_t step) -> Value {
    auto added = scf::ForOp::create(builder, loc, begin, end, arith::ConstantIndexOp::create(builder, loc, step));
    added->setAttr(simt::kUnroll, builder.getUnitAttr());
    builder.setInsertionPointToStart(added.getBody());
    return added.getInductionVar();
  };
  bool isOnce = loop.begin + trips == loop.end;
  Value first = isOnce ? loop.op.getLowerBound() : addLoop(loop.op.getLowerBound(), loop.op.getUpperBound(), trips);
  SmallVector<Value> vectors;
  for (RunningLoad load : loads)
    vectors.push_back(moveVectors(load, builder, first, loop.begin, trips));
  Value inner =
      addLoop(arith::ConstantIndexOp::create(builder, loc, 0), arith::ConstantIndexOp::create(builder, loc, trips), 1);
  Value trip = affine::makeComposedAffineApply(builder, loc, builder.getAffineDimExpr(0) + builder.getAffineDimExpr(1),
                                               getAsOpFoldResult({first, inner}));
  for (auto [load, registers] : llvm::zip_equal(loads, vectors)) {
    simt::LoadOp op = load.op;
    op.getBufferMutable().assign(registers);
    op.getIndexMutable().assign(inner);
  }
  Block *body = builder.getInsertionBlock(), *old = loop.op.getBody();
  body->getOperations().splice(builder.getInsertionPoint(), old->getOperations(), old->begin(), std::prev(old->end()));
  loop.op.getInductionVar().replaceAllUsesWith(trip);
  loop.op.erase();
}

namespace {
struct JoinLoadsPass : impl::JoinLoadsBase<JoinLoadsPass> {
  using JoinLoadsBase::JoinLoadsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp op : loops) {
      std::optional<UnrolledLoop> loop = asUnrolled(op);
      if (!loop || !isReadOnly(op))
        continue;
      SmallVector<RunningLoad> loads;
      for (simt::LoadOp load : op.getBody()->getOps<simt::LoadOp>())
        if (std::optional<RunningLoad> running = asRunning(load, *loop))
          loads.push_back(*running);
      if (!loads.empty())
        split(*loop, loads);
    }
  }
};
} // namespace
} // namespace tile
