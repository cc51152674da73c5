// PrepareTiles.cpp - makes the operations of the tile dialect ready to run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Preparer.h"
#include "tile/Support/Conversion.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

LogicalResult Preparer::prepareTileOp(Operation *op, TileInstruction &inst) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LoadOp load) { return prepareLoad(load, inst); })
      .Case([&](StoreOp store) { return prepareStore(store, inst); })
      .Case([&](AtomicOp atomic) { return prepareAtomic(atomic, inst); })
      .Case<AllocSharedOp, AllocFragmentOp, AllocLocalOp>([&](auto alloc) { return prepareAlloc(alloc, inst); })
      .Case<ReshapeOp, ViewOp>([&](auto) { return prepareViewLike(op, &TileMachine::runReinterpret, inst); })
      .Case([&](SliceOp slice) {
        return success(succeeded(bracket(op, slice.getMap(), slice.getStarts(), inst.map)) &&
                       succeeded(prepareViewLike(op, &TileMachine::runSlice, inst)));
      })
      .Case([&](CopyOp copy) { return prepareCopy(copy, inst); })
      .Case([&](FillOp fill) { return prepareFill(fill, inst); })
      .Case([&](ReduceOp reduce) { return prepareReduce(reduce, inst); })
      .Case([&](ArgReduceOp reduce) { return prepareArgReduce(reduce, inst); })
      .Case([&](ScanOp scan) { return prepareScan(scan, inst); })
      .Case([&](PrintOp print) { return preparePrint(print, inst); })
      .Case([&](ParallelOp loop) { return prepareParallel(loop, inst); })
      .Case([&](LoopOpInterface loop) { return prepareLoop(loop, inst); })
      .Case([&](AssertOp assertion) {
        inst.run = &TileMachine::runAssert;
        return slotsOf(op, assertion.getCondition(), inst.operands);
      })
      .Case([&](SyncOp) {
        inst.run = &TileMachine::runSync;
        return blockWide(op, inst);
      })
      .Case([&](ThreadIdOp) {
        inst.run = &TileMachine::runThreadId;
        if (parallelOp)
          return raise(op, "'tile.thread_id' inside parallel, where there are no threads");
        return slotsOf(op, op->getResults(), inst.results);
      })
      .Default([&](Operation *) {
        return raise(op, "the interpreter does not know '" + op->getName().getStringRef() + "'");
      });
}

LogicalResult Preparer::prepareLoad(LoadOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runLoad;
  if (std::optional<TypedAttr> pad = op.getPad(); pad && failed(literal(op, *pad, inst)))
    return failure();
  return success(succeeded(buffer(op, op.getBuffer(), inst.buffer)) &&
                 succeeded(bracket(op, op.getMap(), op.getIndices(), inst.map)) &&
                 succeeded(slotsOf(op, op->getResults(), inst.results)));
}

LogicalResult Preparer::prepareStore(StoreOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runStore;
  if (parallel)
    parallel->writes[static_cast<int>(spaceOf(op.getBufferType()))] = true;
  return success(succeeded(slotsOf(op, op.getValue(), inst.operands)) &&
                 succeeded(buffer(op, op.getBuffer(), inst.buffer)) &&
                 succeeded(bracket(op, op.getMap(), op.getIndices(), inst.map)));
}

/// What an atomic combines with; null for exchange.
static LaneFunction combination(AtomicKind kind, ScalarType type) {
  bool isReal = isFloat(type);
  switch (kind) {
  case AtomicKind::Add:
    return lookup(isReal ? BinaryOp::AddF : BinaryOp::AddI, type);
  case AtomicKind::Max:
    return lookup(isReal ? BinaryOp::MaximumF : BinaryOp::MaxSI, type);
  case AtomicKind::Min:
    return lookup(isReal ? BinaryOp::MinimumF : BinaryOp::MinSI, type);
  case AtomicKind::UMax:
    return lookup(BinaryOp::MaxUI, type);
  case AtomicKind::UMin:
    return lookup(BinaryOp::MinUI, type);
  case AtomicKind::And:
    return lookup(BinaryOp::AndI, type);
  case AtomicKind::Or:
    return lookup(BinaryOp::OrI, type);
  case AtomicKind::Xor:
    return lookup(BinaryOp::XorI, type);
  case AtomicKind::Exchange:
    return nullptr;
  }
  return nullptr;
}

LogicalResult Preparer::prepareAtomic(AtomicOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runAtomic;
  if (parallel)
    parallel->writes[static_cast<int>(spaceOf(op.getBufferType()))] = true;
  if (failed(slotsOf(op, op.getValue(), inst.operands)) || failed(buffer(op, op.getBuffer(), inst.buffer)) ||
      failed(bracket(op, op.getMap(), op.getIndices(), inst.map)) ||
      failed(slotsOf(op, op->getResults(), inst.results)))
    return failure();
  inst.function = combination(op.getKind(), *scalarType(op.getBufferType().getElementType()));
  if (!inst.function && op.getKind() != AtomicKind::Exchange)
    return raise(op, "found atomic '" + stringifyAtomicKind(op.getKind()) + "' of " +
                         quoted(op.getBufferType().getElementType()) + ", which does not exist");
  return success();
}

LogicalResult Preparer::prepareAlloc(Operation *op, TileInstruction &inst) {
  inst.run = &TileMachine::runAlloc;
  auto type = dyn_cast<MemRefType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return raise(op, "allocates a tile of type " + quoted(op->getResult(0).getType()) + "; tiles are static");
  return success(succeeded(blockWide(op, inst, !isa<AllocLocalOp>(op))) &&
                 succeeded(buffer(op, op->getResult(0), inst.target)));
}

LogicalResult Preparer::prepareViewLike(Operation *op, TileHandler handler, TileInstruction &inst) {
  inst.run = handler;
  return success(succeeded(buffer(op, op->getOperand(0), inst.buffer)) &&
                 succeeded(buffer(op, op->getResult(0), inst.target)));
}

LogicalResult Preparer::prepareCopy(CopyOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runCopy;
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  if (failed(buffer(op, op.getSource(), inst.buffer)) || failed(buffer(op, op.getTarget(), inst.target)))
    return failure();
  if (std::optional<AffineMap> map = op.getSourceMap();
      map && failed(bracket(op, *map, op.getSourceIndices(), inst.map)))
    return failure();
  if (std::optional<AffineMap> map = op.getTargetMap();
      map && failed(bracket(op, *map, op.getTargetIndices(), inst.targetMap)))
    return failure();
  if (std::optional<TypedAttr> pad = op.getPad(); pad && failed(literal(op, *pad, inst)))
    return failure();
  if (source.getElementType() != target.getElementType() && !op.getCast())
    return raise(op, "copies " + quoted(source.getElementType()) + " to " + quoted(target.getElementType()) +
                         "; types differ only with 'cast'");
  if (llvm::any_of(op.getTileShape(), ShapedType::isDynamic))
    return raise(op, "copies a tile whose extents are not known; one side must be static");
  inst.function = lookupConversion(*scalarType(source.getElementType()), *scalarType(target.getElementType()));
  return blockWide(op, inst, spaceOf(source) != Space::Local && spaceOf(target) != Space::Local);
}

LogicalResult Preparer::prepareFill(FillOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runFill;
  if (failed(buffer(op, op.getTarget(), inst.target)))
    return failure();
  if (op.getScalar() ? failed(slotsOf(op, op.getScalar(), inst.operands))
                     : failed(literal(op, op.getValueAttr(), inst)))
    return failure();
  return blockWide(op, inst, spaceOf(op.getTargetType()) != Space::Local);
}

/// How the elements of `source` combine.
LogicalResult Preparer::rule(Operation *op, StringRef word, MemRefType source, TileInstruction &inst) {
  inst.type = *scalarType(source.getElementType());
  std::optional<Reduction> reduction = parseReduction(std::string_view(word.data(), word.size()));
  if (reduction)
    inst.rule = reductionRule(*reduction, inst.type);
  if (!inst.rule)
    return raise(op, "found reduction '" + word + "' of " + quoted(source.getElementType()) + ", which does not exist");
  inst.reduction = *reduction;
  return success();
}

/// A static tile of the block.
static bool isTile(MemRefType type) {
  return type.hasStaticShape() && spaceOf(type) != Space::Local;
}

/// Is `target` a tile with the shape of `source` without `dim`?
static bool isReduced(MemRefType source, MemRefType target, int64_t dim) {
  if (dim < 0 || dim >= source.getRank() || !isTile(source) || !isTile(target))
    return false;
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + dim);
  return shape == target.getShape();
}

LogicalResult Preparer::prepareReduce(ReduceOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runReduce;
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  if (failed(buffer(op, op.getSource(), inst.buffer)) || failed(buffer(op, op.getTarget(), inst.target)) ||
      failed(rule(op, stringifyReduceKind(op.getKind()), source, inst)))
    return failure();
  int64_t dim = op.getDim();
  if (!isReduced(source, target, dim) || source.getElementType() != target.getElementType())
    return raise(op, "reduces " + quoted(source) + " along " + Twine(dim) + " into " + quoted(target) +
                         "; the target is a tile of the same type without that dimension");
  return blockWide(op, inst);
}

LogicalResult Preparer::prepareArgReduce(ArgReduceOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runArgReduce;
  MemRefType source = op.getSourceType(), value = op.getValueType(), index = op.getIndexType();
  if (failed(buffer(op, op.getSource(), inst.buffer)) || failed(buffer(op, op.getValue(), inst.target)) ||
      failed(buffer(op, op.getIndex(), inst.secondTarget)))
    return failure();
  inst.type = *scalarType(source.getElementType());
  int64_t dim = op.getDim();
  if (!isReduced(source, value, dim) || !isReduced(source, index, dim) || source.getDimSize(dim) == 0 ||
      source.getElementType() != value.getElementType() || !index.getElementType().isInteger(32))
    return raise(op, "searches " + quoted(source) + " along " + Twine(dim) + " into " + quoted(value) + " and " +
                         quoted(index) +
                         "; the targets are tiles of the same type, and of i32, without that dimension");
  return blockWide(op, inst);
}

LogicalResult Preparer::prepareScan(ScanOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runScan;
  MemRefType source = op.getSourceType(), target = op.getTargetType();
  if (failed(buffer(op, op.getSource(), inst.buffer)) || failed(buffer(op, op.getTarget(), inst.target)) ||
      failed(rule(op, stringifyScanKind(op.getKind()), source, inst)))
    return failure();
  int64_t dim = op.getDim();
  if (dim < 0 || dim >= source.getRank() || !isTile(source) || !isTile(target) ||
      source.getShape() != target.getShape() || source.getElementType() != target.getElementType())
    return raise(op, "scans " + quoted(source) + " along " + Twine(dim) + " into " + quoted(target) +
                         "; the target is a tile of the same type");
  return blockWide(op, inst);
}

LogicalResult Preparer::preparePrint(PrintOp op, TileInstruction &inst) {
  inst.run = &TileMachine::runPrint;
  auto type = dyn_cast<MemRefType>(op.getValue().getType());
  if (!type)
    return slotsOf(op, op.getValue(), inst.operands);
  return success(succeeded(buffer(op, op.getValue(), inst.buffer)) &&
                 succeeded(blockWide(op, inst, spaceOf(type) != Space::Local)));
}

LogicalResult Preparer::prepareLoop(LoopOpInterface op, TileInstruction &inst) {
  inst.run = &TileMachine::runLoop;
  if (op.getExtents().getNumResults() != op->getRegion(0).getNumArguments())
    return raise(op, "found " + Twine(op->getRegion(0).getNumArguments()) + " induction variables and " +
                         Twine(op.getExtents().getNumResults()) + " extents; a loop has one an extent");
  return success(succeeded(bracket(op, op.getExtents(), op.getExtentOperands(), inst.map)) &&
                 succeeded(prepareBody(op->getRegion(0).front(), inst.bodies.emplace_back())));
}

LogicalResult Preparer::prepareParallel(ParallelOp op, TileInstruction &inst) {
  if (failed(blockWide(op, inst)))
    return failure();
  // Extents belong to the outside; from here on, values from outside are captures.
  parallelOp = op;
  parallel = &inst;
  LogicalResult prepared = prepareLoop(op, inst);
  parallelOp = nullptr;
  parallel = nullptr;
  inst.run = &TileMachine::runParallel;
  return prepared;
}
