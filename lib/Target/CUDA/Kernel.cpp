// Kernel.cpp - the frame of a kernel: what is used, parameters, block indices, the shared arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"

#include "Types.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;

namespace tile::cuda {

/// The widest line of the signature before each parameter gets one of its own.
static constexpr size_t kLineWidth = 120;

//===----------------------------------------------------------------------===//
// Uses: how often each value is printed; what nobody prints is dead.
//===----------------------------------------------------------------------===//

/// False of the few operands whose value cannot matter: they are not printed.
static bool matters(OpOperand &operand) {
  if (auto compare = dyn_cast<arith::CmpFOp>(operand.getOwner()))
    return compare.getPredicate() != arith::CmpFPredicate::AlwaysFalse &&
           compare.getPredicate() != arith::CmpFPredicate::AlwaysTrue;
  if (auto shift = dyn_cast<arith::ShRSIOp>(operand.getOwner())) // one bit is its own sign
    return operand.getOperandNumber() == 0 || !shift.getType().isInteger(1);
  // Everything is shifted out.
  if (isa<arith::ShLIOp, arith::ShRUIOp>(operand.getOwner())) {
    APInt amount;
    return operand.getOperandNumber() == 1 ||
           !matchPattern(operand.getOwner()->getOperand(1), m_ConstantInt(&amount)) || amount.ult(amount.getBitWidth());
  }
  return true;
}

void KernelEmitter::countOperands(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    map.getResult(0).walk([&](AffineExpr part) {
      if (auto dim = dyn_cast<AffineDimExpr>(part))
        ++uses[apply.getOperand(dim.getPosition())];
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        ++uses[apply.getOperand(map.getNumDims() + symbol.getPosition())];
    });
    return;
  }
  Operation *parent = op->getParentOp();
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (!matters(operand))
      continue;
    // What a terminator hands to nobody is not printed.
    if (isa<scf::YieldOp>(op) && isa<scf::IfOp>(parent) && !isUsed(parent->getResult(number)))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && isa<scf::YieldOp>(op))
      if (loop.getRegionIterArg(number).use_empty() && !isUsed(loop.getResult(number)))
        continue;
    if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && isa<scf::ConditionOp>(op) && number > 0)
      if (!isUsed(loop.getAfterArguments()[number - 1]) && !isUsed(loop.getResult(number - 1)))
        continue;
    ++uses[operand.get()];
  }
}

void KernelEmitter::countUses(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    bool isWanted = llvm::any_of(op.getResults(), [&](Value result) { return isUsed(result); });
    if (!isWanted && op.getNumRegions() == 0 && wouldOpBeTriviallyDead(&op)) {
      dead.insert(&op);
      continue;
    }
    // Later regions first: the body of a while uses what its condition forwards.
    for (Region &region : llvm::reverse(op.getRegions()))
      for (Block &inner : llvm::reverse(region))
        countUses(inner);
    countOperands(&op);
  }
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static StringRef fallbackName(simt::ParameterKind kind) {
  switch (kind) {
  case simt::ParameterKind::Tensor:
    return "tensor";
  case simt::ParameterKind::Scalar:
    return "scalar";
  case simt::ParameterKind::Symbol:
    return "size";
  case simt::ParameterKind::Stride:
    return "stride";
  case simt::ParameterKind::GridExtent:
    return "blocks";
  }
  return "parameter";
}

static bool contains(std::optional<ArrayRef<int64_t>> numbers, unsigned number) {
  return numbers && llvm::is_contained(*numbers, static_cast<int64_t>(number));
}

FailureOr<std::string> KernelEmitter::declareParameter(unsigned number) {
  BlockArgument argument = kernel.getParameterValues()[number];
  std::string name = nameFor(argument, fallbackName(kernel.getParameter(number).getKind()));
  auto memref = dyn_cast<MemRefType>(argument.getType());
  FailureOr<ScalarType> type = typeOf(kernel, memref ? memref.getElementType() : argument.getType());
  if (failed(type))
    return failure();
  if (!memref) {
    values[argument] = primary(name);
    return text.value(*type).str() + " " + name;
  }
  bool isConst = contains(kernel.getReadonlyParameters(), number);
  buffers[argument] = {name, isConst};
  return (isConst ? "const " : "") + text.memory(*type).str() + " *" +
         (contains(kernel.getRestrictParameters(), number) ? "__restrict__ " : "") + name;
}

LogicalResult KernelEmitter::emitSignature() {
  std::string head = "extern \"C\" __global__ void __launch_bounds__(" + llvm::utostr(kernel.getThreads());
  if (std::optional<int64_t> blocks = kernel.getMinBlocks())
    head += ", " + llvm::itostr(*blocks);
  head += ") " + kernelName + "(";
  SmallVector<std::string> parameters;
  for (unsigned number = 0; number < kernel.getParameters().size(); ++number) {
    FailureOr<std::string> declaration = declareParameter(number);
    if (failed(declaration))
      return failure();
    parameters.push_back(*declaration);
  }
  std::string all = llvm::join(parameters, ", ");
  if (head.size() + all.size() + 3 > kLineWidth)
    all = "\n    " + llvm::join(parameters, ",\n    ");
  place(kernel.getLoc());
  line(head + all + ") {");
  return success();
}

//===----------------------------------------------------------------------===//
// Block indices
//===----------------------------------------------------------------------===//

/// The parameter that carries the number of blocks along `axis`, or null.
static Value extentOf(simt::KernelOp kernel, int64_t axis) {
  for (auto [number, value] : llvm::enumerate(kernel.getParameterValues())) {
    simt::ParameterAttr parameter = kernel.getParameter(number);
    if (parameter.getKind() == simt::ParameterKind::GridExtent && parameter.getNumber() == axis)
      return value;
  }
  return {};
}

LogicalResult KernelEmitter::emitBlockIds() {
  auto ids = kernel.getBlockIds();
  if (ids.size() > 3)
    return kernel.emitOpError() << "has " << ids.size() << " grid axes; CUDA has 3";
  // Folded: blockIdx.x counts all blocks; it fits 32 bits, and so does every extent.
  Expr rest = primary("blockIdx.x");
  for (auto [place, axis] : llvm::enumerate(kernel.getLaunchOrder())) {
    BlockArgument id = ids[axis];
    FailureOr<ScalarType> type = typeOf(kernel, id.getType());
    if (failed(type))
      return failure();
    Expr index = primary(std::string("blockIdx.") + "xyz"[place]);
    if (kernel.getFolded()) {
      index = rest;
      if (place + 1 < ids.size()) {
        Value extent = extentOf(kernel, axis);
        if (!extent)
          return kernel.emitOpError() << "is folded, but no parameter carries the extent of grid axis " << axis;
        Expr divisor = cast("unsigned", expr(extent));
        index = binary("%", rest, divisor);
        rest = binary("/", rest, divisor);
      }
    }
    if (isUsed(id))
      define(id, index, std::string("b") + "xyz"[axis]);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Shared memory and lanes
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emitArena() {
  int64_t align = 16;
  bool isNeeded = false;
  WalkResult walk = kernel.walk([&](simt::SharedOp shared) {
    if (dead.contains(shared))
      return WalkResult::advance();
    if (!shared.getOffset() || !kernel.getSharedBytes()) {
      shared.emitOpError() << "has no place in shared memory; plan-shared-memory gives it one";
      return WalkResult::interrupt();
    }
    isNeeded = true;
    align = std::max<int64_t>(align, shared.getAlign());
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (!isNeeded)
    return success();
  int64_t bytes = *kernel.getSharedBytes();
  // A dynamic array is one for the whole module: the same alignment everywhere.
  if (bytes > kStaticSharedLimit)
    line("extern __shared__ __align__(1024) unsigned char arena[]; // " + llvm::itostr(bytes) + " bytes");
  else
    line("__shared__ alignas(" + llvm::itostr(align) + ") unsigned char arena[" + llvm::itostr(bytes) + "];");
  return success();
}

void KernelEmitter::emitLanes() {
  bool shuffles = false;
  kernel.walk([&](simt::ShuffleOp op) { shuffles |= !dead.contains(op); });
  if (!shuffles)
    return;
  uint64_t threads = kernel.getThreads(), partial = threads % 32;
  std::string last = llvm::formatv("0x{0:x-8}u", partial ? (1u << partial) - 1 : ~0u);
  if (partial == 0 || threads < 32) {
    lanesText = last;
    return;
  }
  lanesText = "lanes";
  line("const unsigned lanes = threadIdx.x < " + llvm::utostr(threads - partial) + " ? 0xffffffffu : " + last + ";");
}

/// A kernel of few blocks may be started before the one it follows has ended. So it waits, before anything but its own
/// number: every such kernel, as one that did not would end early, and the next would take that for its turn.
LogicalResult KernelEmitter::emitBody(Block &body) {
  Block::iterator rest = llvm::find_if_not(
      body, [](Operation &op) { return isa<simt::ThreadIdOp>(op) || op.hasTrait<OpTrait::ConstantLike>(); });
  if (failed(emitOps({body.begin(), rest})))
    return failure();
  place(kernel.getLoc());
  line(text.help("await_turn", {primary(llvm::utostr(kMostAwaitingBlocks))}).text + ";");
  auto split = llvm::find_if(body, llvm::IsaPred<simt::SplitOp>);
  if (split == body.end())
    return emitOps({rest, body.end()});
  return failed(emitOps({rest, split})) ? failure() : emitVersions(cast<simt::SplitOp>(*split));
}

/// What follows a split is a function of its condition, called with either value.
LogicalResult KernelEmitter::emitVersions(simt::SplitOp split) {
  std::string body = names.take("", "body"), condition = nameFor(split.getResult(), "split");
  std::string given = expr(split.getCondition()).text;
  values[split.getResult()] = primary(condition);
  line("auto " + body + " = [&](bool " + condition + ") __attribute__((always_inline)) {");
  ++indent;
  if (failed(emitOps({std::next(split->getIterator()), split->getBlock()->end()})))
    return failure();
  --indent;
  line("};");
  line("if (" + given + ")");
  line("  " + body + "(true);");
  line("else");
  line("  " + body + "(false);");
  return success();
}

FailureOr<std::string> KernelEmitter::emit() {
  Block &body = kernel.getBody().front();
  countUses(body);
  kernel.walk([&](simt::LoadOp load) {
    if (StringRef name = nameOf(load.getLoc()); !name.empty())
      loadedNames.insert(name);
  });
  if (failed(emitSignature()))
    return failure();
  ++indent;
  if (failed(emitArena()) || failed(emitBlockIds()))
    return failure();
  emitLanes();
  if (failed(emitBody(body)))
    return failure();
  --indent;
  line("}");
  return out;
}

} // namespace tile::cuda
