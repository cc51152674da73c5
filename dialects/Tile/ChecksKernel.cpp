// ChecksKernel.cpp - rules of the kernel's head, thread_id and sync.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kMaxThreads = 1024;

/// Text cannot break these; a generic form can. The accessors of the op rely on them.
static LogicalResult checkStructure(KernelOp op) {
  int64_t symbols = op.getNumSymbols(), arguments = op.getArgShapes().size(), axes = op.getGrid().getNumResults();
  int64_t found = op.getBody().getNumArguments();
  if (symbols < 0 || symbols + arguments + axes != found)
    return op.emitOpError() << "has " << found << " block arguments for " << symbols << " size symbols, " << arguments
                            << " arguments and " << axes << " grid axes; there is one for each (kernel-C15)";
  auto isIndex = [](BlockArgument argument) { return argument.getType().isIndex(); };
  if (!llvm::all_of(op.getSymbols(), isIndex) || !llvm::all_of(op.getBlockIds(), isIndex))
    return op.emitOpError("has a size symbol or block index of another type; both are of type index (kernel-C15)");
  for (Attribute shape : op.getArgShapes())
    if (!isa<UnitAttr, AffineMapAttr>(shape))
      return op.emitOpError() << "found argShapes entry " << shape << "; it is an affine map or unit (kernel-C15)";
  size_t conditions = op.getWhereKinds() ? op.getWhereKinds()->size() : 0;
  if ((op.getWhereMap() ? op.getWhereMap()->getNumResults() : 0) != 2 * conditions)
    return op.emitOpError() << "found " << conditions
                            << " comparisons in 'where'; each has a left and a right side (kernel-C15)";
  for (Comparison kind : op.getComparisons())
    if (stringifyComparison(kind).empty())
      return op.emitOpError() << "found comparison " << static_cast<int64_t>(kind) << "; there are 0 to 4 (kernel-C15)";
  if (op.getSymName().empty())
    return op.emitOpError("has an empty name; a kernel is launched by its name (kernel-C15)");
  return success();
}

static LogicalResult checkLimits(KernelOp op) {
  int64_t threads = op.getThreads(), axes = op.getGrid().getNumResults();
  if (threads < 1 || threads > kMaxThreads)
    return op.emitOpError() << "has " << threads << " threads; a block has 1 to " << kMaxThreads << " (kernel-C7)";
  if (axes < 1 || axes > 3)
    return op.emitOpError() << "has " << axes << " grid axes; a grid has 1 to 3 (kernel-C8)";
  for (auto [axis, extent] : llvm::enumerate(op.getGrid().getResults()))
    if (auto constant = dyn_cast<AffineConstantExpr>(extent); constant && constant.getValue() < 0)
      return op.emitOpError() << "has extent " << constant.getValue() << " on grid axis " << axis
                              << "; extents of a grid are not negative (kernel-C22)";
  if (std::optional<int64_t> blocks = op.getMinBlocks(); blocks && (*blocks < 1 || *blocks > 32))
    return op.emitOpError() << "has min_blocks(" << *blocks
                            << "); 1 to 32 blocks may share a multiprocessor (kernel-C16)";
  if (std::optional<ArrayRef<int64_t>> order = op.getBlockOrder()) {
    SmallVector<int64_t> sorted(*order);
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, axes)))
      return op.emitOpError() << "has block_order of " << order->size() << " indices for " << axes
                              << " grid axes; it names each block index once, the fastest first (kernel-C23)";
  }
  return success();
}

static InFlightDiagnostic argumentError(KernelOp op, size_t number) {
  InFlightDiagnostic diag = emitError(op.getArguments()[number].getLoc());
  diag << "argument " << number << " of the kernel ";
  return diag;
}

/// The bracket against the type: one entry a dimension, static ones as their number.
static LogicalResult checkShape(KernelOp op, size_t number, MemRefType type) {
  Attribute shape = op.getArgShapes()[number];
  auto attr = dyn_cast<AffineMapAttr>(shape);
  if (!attr) {
    if (type.hasStaticShape())
      return success();
    return argumentError(op, number) << "has type " << type
                                     << " and no bracket; a tensor with '?' names its sizes, as in %A[%M] (kernel-C12)";
  }
  AffineMap map = attr.getValue();
  if (map.getNumResults() != static_cast<unsigned>(type.getRank()))
    return argumentError(op, number) << "has " << map.getNumResults() << " sizes in its bracket and rank "
                                     << type.getRank() << "; a bracket has one entry a dimension (kernel-C10)";
  if (failed(checkExpressions([&] { return argumentError(op, number); }, map, op.getNumSymbols())))
    return failure();
  for (auto [dim, expr, extent] : llvm::enumerate(map.getResults(), type.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (ShapedType::isDynamic(extent) && constant)
      return argumentError(op, number) << "has size " << constant.getValue()
                                       << " in its bracket for the '?' of dimension " << dim
                                       << "; a size known now stands in the type too (kernel-C11)";
    if (!ShapedType::isDynamic(extent) && (!constant || constant.getValue() != extent)) {
      InFlightDiagnostic diag = argumentError(op, number);
      diag << "has ";
      if (constant)
        diag << "size " << constant.getValue();
      else
        diag << "an expression";
      return diag << " in its bracket for dimension " << dim << ", whose extent is " << extent
                  << "; a static extent stands as its number (kernel-C11)";
    }
  }
  return success();
}

static LogicalResult checkArgument(KernelOp op, size_t number) {
  Type type = op.getArguments()[number].getType();
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (failed(checkBufferType([&] { return argumentError(op, number) << "is no buffer: "; }, memref)))
      return failure();
    if (spaceOf(memref) != Space::Global)
      return argumentError(op, number) << "lives in " << nameOf(spaceOf(memref))
                                       << " memory; arguments are global tensors and scalars (kernel-C9)";
    return checkShape(op, number, memref);
  }
  if (!type.isIndex() && !isElementType(type))
    return argumentError(op, number) << "has type " << type
                                     << "; arguments are global tensors, scalars of an element type, or index "
                                     << "(kernel-C9)";
  if (!isa<UnitAttr>(op.getArgShapes()[number]))
    return argumentError(op, number) << "has type " << type << " and a bracket; only tensors have sizes (kernel-C13)";
  return success();
}

/// A size symbol is read from a tensor: some dimension is exactly it.
static LogicalResult checkSymbols(KernelOp op) {
  llvm::SmallSet<unsigned, 8> bound;
  for (Attribute shape : op.getArgShapes())
    if (auto attr = dyn_cast<AffineMapAttr>(shape))
      for (AffineExpr expr : attr.getValue().getResults())
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          bound.insert(dim.getPosition());
  for (BlockArgument symbol : op.getSymbols()) {
    if (bound.contains(symbol.getArgNumber()))
      continue;
    return emitError(symbol.getLoc())
           << "size symbol " << symbol.getArgNumber()
           << " is bound by no tensor; some dimension of an argument is exactly each symbol, "
           << "as in %A[%M] (kernel-C14)";
  }
  return success();
}

static LogicalResult checkDisjoint(KernelOp op) {
  // A copy: iterating over the temporary optional would outlive it.
  ArrayAttr groups = op.getDisjointAttr();
  if (!groups)
    return success();
  for (Attribute group : groups) {
    auto members = dyn_cast<DenseI64ArrayAttr>(group);
    if (!members)
      return op.emitOpError() << "found " << group
                              << " in 'disjoint'; a group is a list of argument numbers (kernel-C15)";
    llvm::SmallSet<int64_t, 8> seen;
    for (int64_t number : members.asArrayRef()) {
      if (number < 0 || number >= static_cast<int64_t>(op.getArguments().size()))
        return op.emitOpError() << "found argument " << number << " in 'disjoint'; the kernel has "
                                << op.getArguments().size() << " (kernel-C15)";
      BlockArgument argument = op.getArguments()[number];
      if (!isa<MemRefType>(argument.getType()))
        return argumentError(op, number) << "has type " << argument.getType()
                                         << " and stands in 'disjoint'; its members are tensors (kernel-C17)";
      if (!seen.insert(number).second)
        return argumentError(op, number) << "stands twice in one 'disjoint'; members differ (kernel-C17)";
    }
  }
  return success();
}

/// Whether the kernel stands in the outermost module. While a text is parsed that one stands alone in another.
static bool isOutermost(KernelOp op) {
  auto module = dyn_cast_or_null<ModuleOp>(op->getParentOp());
  if (!module || !module->getParentOp())
    return static_cast<bool>(module);
  auto wrapper = dyn_cast<ModuleOp>(module->getParentOp());
  return wrapper && !wrapper->getParentOp() && llvm::hasSingleElement(*wrapper.getBody());
}

LogicalResult KernelOp::verify() {
  if (!isOutermost(*this))
    return emitOpError("does not stand in the outermost module; kernels are not nested (kernel-C6)");
  if (failed(checkStructure(*this)) || failed(checkLimits(*this)))
    return failure();
  for (size_t number = 0; number < getArguments().size(); ++number)
    if (failed(checkArgument(*this, number)))
      return failure();
  auto emit = [&] { return emitOpError(); };
  size_t launchValues = getLaunchValues().size();
  if (failed(checkExpressions(emit, getGrid(), launchValues)))
    return failure();
  if (getWhereMap() && failed(checkExpressions(emit, *getWhereMap(), launchValues)))
    return failure();
  return failure(failed(checkSymbols(*this)) || failed(checkDisjoint(*this)));
}

LogicalResult ThreadIdOp::verify() {
  return checkInKernel(*this);
}

LogicalResult SyncOp::verify() {
  return checkInKernel(*this);
}
