// ChecksContext.cpp - rules that need the whole kernel: what may stand in it, and what all threads must reach together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

#include "dialects/Tile/Ranges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// What may stand in a kernel
//===----------------------------------------------------------------------===//

static bool isAllowed(Operation *op) {
  if (isa<scf::IfOp, scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp, affine::AffineApplyOp, memref::DimOp>(
          op))
    return true;
  // Between the lowering passes a kernel holds both of our dialects.
  StringRef dialect = op->getName().getDialectNamespace();
  return op->isRegistered() && (dialect == "tile" || dialect == "simt" || dialect == "arith" || dialect == "math");
}

static StringRef hintFor(StringRef name) {
  if (name == "affine.load" || name == "memref.load")
    return ", and elements are read by 'tile.load'";
  if (name == "affine.store" || name == "memref.store")
    return ", and elements are written by 'tile.store'";
  if (name == "affine.for" || name == "scf.parallel" || name == "scf.forall" || name == "affine.parallel")
    return ", and loops are written as 'tile.serial' or 'tile.parallel'";
  if (name == "memref.alloc" || name == "memref.alloca")
    return ", and buffers are made by 'tile.alloc_shared', 'tile.alloc_fragment' or 'tile.alloc_local'";
  return "";
}

static LogicalResult checkValue(Operation *op, Value value, StringRef what) {
  Type type = value.getType();
  if (isa<MemRefType>(type)) {
    if (isa<AllocSharedOp, AllocFragmentOp, AllocLocalOp, ReshapeOp, ViewOp, SliceOp>(op) ||
        op->getName().getDialectNamespace() == "simt")
      return success();
    return op->emitOpError() << "makes a buffer of type " << type
                             << "; buffers come from arguments, allocations, 'tile.reshape', 'tile.view' and "
                             << "'tile.slice' (kernel-C20)";
  }
  if (type.isIndex() || isElementType(type) || op->getName().getDialectNamespace() == "simt")
    return success();
  return op->emitOpError() << "has " << what << " of type " << type
                           << "; values are scalars of an element type, or index (kernel-C19)";
}

static LogicalResult checkAllowed(Operation *op) {
  if (!isAllowed(op))
    return op->emitOpError() << "stands in a kernel; kernels hold tile, arith and math operations, scf.if, scf.for, "
                             << "scf.while, affine.apply and memref.dim" << hintFor(op->getName().getStringRef())
                             << " (kernel-C18)";
  for (Value result : op->getResults())
    if (failed(checkValue(op, result, "a result")))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(checkValue(op, argument, "a block argument")))
          return failure();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    AffineMap dims = AffineMap::get(map.getNumInputs(), 0, map.getResult(0).replaceSymbols(symbolsAsDims(map)));
    return checkExpressions([&] { return op->emitOpError(); }, dims, op->getNumOperands());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What all threads do together
//===----------------------------------------------------------------------===//

static void noteSource(InFlightDiagnostic &diag, const Divergence &divergence, ValueRange values) {
  for (Value value : values)
    if (Operation *source = divergence.source(value)) {
      diag.attachNote(source->getLoc()) << "the threads differ from here";
      return;
    }
}

/// Fails where some threads may not arrive at `op`, or with other operands than the rest.
static LogicalResult checkTogether(Operation *op, const Divergence &divergence, StringRef what) {
  if (Operation *parent = divergence.divergentParent(op)) {
    InFlightDiagnostic diag = op->emitOpError()
                              << what << " and stands in '" << parent->getName()
                              << "', which threads may leave or skip at different times; all threads of the block "
                              << "reach it together (uniform-C1)";
    diag.attachNote(parent->getLoc()) << "the threads part here";
    noteSource(diag, divergence, Divergence::controllingValues(parent));
    return diag;
  }
  if (!divergence.anyMayDiffer(op->getOperands()))
    return success();
  InFlightDiagnostic diag =
      op->emitOpError() << what << " and has an operand that differs between threads; its operands are the same for "
                        << "all threads of the block (uniform-C2)";
  noteSource(diag, divergence, op->getOperands());
  return diag;
}

/// A store outside `parallel`: each thread makes it.
static LogicalResult checkStore(StoreOp op, const Divergence &divergence, int64_t threads) {
  Space space = spaceOf(op.getBufferType());
  if (space == Space::Local)
    return success();
  auto report = [&](StringRef text) {
    InFlightDiagnostic diag = op.emitOpError(text);
    noteBuffer(diag, op.getBuffer());
    return diag;
  };
  if (space == Space::Fragment)
    return report(
        "writes an element of a fragment outside 'tile.parallel'; fragments are written inside one, or by copy, "
        "fill and reduce (store-C2)");
  if (threads == 1 || divergence.mayDiffer(op.getBuffer()) || divergence.anyMayDiffer(op.getIndices()) ||
      divergence.divergentParent(op))
    return success();
  return report("every thread would store to one element; write 'tile.parallel (%i) in (1)' or guard it by the thread "
                "(store-C3)");
}

/// A private array copied out by each thread: the places must differ as those of a store.
static LogicalResult checkPrivateCopy(CopyOp op, const Divergence &divergence, int64_t threads) {
  if (spaceOf(op.getSourceType()) != Space::Local || spaceOf(op.getTargetType()) == Space::Local || threads == 1 ||
      divergence.mayDiffer(op.getTarget()) || divergence.anyMayDiffer(op.getTargetIndices()) ||
      divergence.divergentParent(op))
    return success();
  InFlightDiagnostic diag =
      op.emitOpError("every thread would copy its private array to one place; let the place depend "
                     "on the thread or guard it by the thread (copy-C8)");
  noteBuffer(diag, op.getTarget());
  return diag;
}

static LogicalResult checkOutsideParallel(Operation *op, const Divergence &divergence, int64_t threads) {
  if (auto load = dyn_cast<LoadOp>(op); load && spaceOf(load.getBufferType()) == Space::Fragment)
    return checkTogether(op, divergence, "reads an element of a fragment outside 'tile.parallel'");
  if (auto store = dyn_cast<StoreOp>(op))
    return checkStore(store, divergence, threads);
  if (auto copy = dyn_cast<CopyOp>(op); copy && failed(checkPrivateCopy(copy, divergence, threads)))
    return failure();
  if (!isBlockWide(op))
    return success();
  if (auto loop = op->getParentOfType<VectorizedOp>()) {
    InFlightDiagnostic diag = op->emitOpError("acts on the whole block and stands in 'tile.vectorized'; its body holds "
                                              "operations on single elements (vectorized-C2)");
    diag.attachNote(loop.getLoc()) << "the loop is here";
    return diag;
  }
  return checkTogether(op, divergence, "acts on the whole block");
}

//===----------------------------------------------------------------------===//
// What a parallel may hold
//===----------------------------------------------------------------------===//

static LogicalResult checkInsideParallel(Operation *op, ParallelOp loop, const Divergence &divergence) {
  auto report = [&](StringRef text) {
    InFlightDiagnostic diag = op->emitOpError(text);
    diag.attachNote(loop.getLoc()) << "the parallel is here";
    return diag;
  };
  auto isPrivate = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && spaceOf(type) == Space::Local;
  };
  if (llvm::any_of(op->getOperands(), isPrivate) || llvm::any_of(op->getResults(), isPrivate))
    return report("uses a private array inside 'tile.parallel'; points are not threads, so private arrays stay outside "
                  "(parallel-C1)");
  if (isa<ThreadIdOp>(op))
    return report("asks for the thread inside 'tile.parallel'; points are not threads (parallel-C2)");
  for (Value operand : op->getOperands())
    if (divergence.mayDiffer(operand) && !loop.getBody().isAncestor(operand.getParentRegion())) {
      InFlightDiagnostic diag =
          report("uses a value that differs between threads inside 'tile.parallel'; points are not "
                 "threads (parallel-C2)");
      noteSource(diag, divergence, operand);
      return diag;
    }
  if (isBlockWide(op) || isa<CopyOp, FillOp>(op))
    return report("acts on the whole block inside 'tile.parallel'; its body acts on single elements (parallel-C3)");
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  auto allowed = getBody().walk<WalkOrder::PreOrder>(
      [](Operation *op) { return failed(checkAllowed(op)) ? WalkResult::interrupt() : WalkResult::advance(); });
  if (allowed.wasInterrupted())
    return failure();
  Divergence divergence(*this);
  int64_t threads = getThreads();
  auto checked = getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = op->getParentOfType<ParallelOp>();
    if (failed(loop ? checkInsideParallel(op, loop, divergence) : checkOutsideParallel(op, divergence, threads)))
      return WalkResult::interrupt();
    if (isa<ParallelOp, CopyOp>(op) && failed(checkWidth(op)))
      return WalkResult::interrupt();
    auto parallel = dyn_cast<ParallelOp>(op);
    return parallel && failed(checkWrites(parallel)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(checked.wasInterrupted());
}
