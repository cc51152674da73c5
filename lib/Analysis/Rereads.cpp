// Rereads.cpp - what a block reads from a tensor and will read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Rereads.h"

#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/IndexSet.h"
#include "tile/Analysis/TileAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tile {

/// Is the value another one in another block? Values that loops carry count as made of what the loop is given.
static bool dependsOnBlock(Value value, KernelOp kernel, DenseSet<Value> &seen) {
  if (llvm::is_contained(kernel.getBlockIds(), value))
    return true;
  Operation *maker = value.getDefiningOp();
  if (!maker)
    maker = cast<BlockArgument>(value).getOwner()->getParentOp();
  if (maker == kernel || !seen.insert(value).second)
    return false;
  return llvm::any_of(maker->getOperands(), [&](Value operand) { return dependsOnBlock(operand, kernel, seen); });
}

namespace {
/// Two loads of one tensor, and the ops of one program part, one after the other, that they stand in.
class Pair {
public:
  Pair(LoadOp first, LoadOp second) : first(first), second(second), kernel(first->getParentOfType<KernelOp>()) {}
  /// The second reads again what the first reads.
  bool isReread();

private:
  using Elements = SmallVector<IndexSet>; ///< by dimension; all combinations
  std::optional<Elements> elementsOf(LoadOp load, Operation *scope);
  std::optional<SmallVector<AffineExpr>> translate(AffineMap map, ValueRange operands, Operation *scope,
                                                   ArrayRef<Value> variables);
  bool findScopes();

  LoadOp first, second;
  KernelOp kernel;
  Operation *firstScope = nullptr, *secondScope = nullptr;
  /// What does not change between the two; dims of all expressions.
  SmallVector<Value> parameters;
  bool isOfBlock = false; ///< the first one's place depends on the block
};
} // namespace

/// The ops of the innermost program part around both; false if that is a point of a loop, or there is no order.
bool Pair::findScopes() {
  for (Operation *op = first; op && op != kernel; op = op->getParentOp()) {
    Operation *other = op->getBlock()->findAncestorOpInBlock(*second);
    if (!other)
      continue;
    firstScope = op;
    secondScope = other;
    return op != other && op->isBeforeInBlock(other) && !op->getParentOfType<ParallelOp>() &&
           !op->getParentOfType<VectorizedOp>();
  }
  return false;
}

/// The results over the parameters, as dims, and the variables, as symbols; nothing if the scope makes other values.
std::optional<SmallVector<AffineExpr>> Pair::translate(AffineMap map, ValueRange operands, Operation *scope,
                                                       ArrayRef<Value> variables) {
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  MLIRContext *context = map.getContext();
  SmallVector<AffineExpr> replacements;
  for (Value value : values) {
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      replacements.push_back(getAffineConstantExpr(*constant, context));
      continue;
    }
    if (const Value *variable = llvm::find(variables, value); variable != variables.end()) {
      replacements.push_back(getAffineSymbolExpr(variable - variables.begin(), context));
      continue;
    }
    if (scope->isAncestor(value.getParentBlock()->getParentOp()))
      return std::nullopt;
    auto *known = llvm::find(parameters, value);
    replacements.push_back(getAffineDimExpr(known - parameters.begin(), context));
    if (known == parameters.end())
      parameters.push_back(value);
  }
  ArrayRef<AffineExpr> all = replacements;
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    results.push_back(result.replaceDimsAndSymbols(all.take_front(map.getNumDims()), all.drop_front(map.getNumDims())));
  return results;
}

/// What the load touches while the scope runs once; nothing under conditions, or where dimensions move together.
std::optional<Pair::Elements> Pair::elementsOf(LoadOp load, Operation *scope) {
  SmallVector<Value> variables;
  SmallVector<AffineExpr> counts;
  for (Operation *op = load; op != scope;) {
    op = op->getParentOp();
    auto loop = dyn_cast<LoopOpInterface>(op);
    auto extents = loop ? translate(loop.getExtents(), loop.getExtentOperands(), scope, {}) : std::nullopt;
    if (!extents)
      return std::nullopt;
    llvm::append_range(variables, loop.getInductionVars());
    llvm::append_range(counts, *extents);
  }
  auto places = translate(load.getMap(), load.getIndices(), scope, variables);
  if (!places)
    return std::nullopt;
  for (unsigned number = 0; number < variables.size(); ++number)
    if (counts[number] != 1 &&
        llvm::count_if(*places, [&](AffineExpr place) { return place.isFunctionOfSymbol(number); }) > 1)
      return std::nullopt;
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    DenseSet<Value> seen;
    isOfBlock |= llvm::any_of(*places, [&](AffineExpr place) { return place.isFunctionOfDim(number); }) &&
                 dependsOnBlock(parameter, kernel, seen);
  }
  Elements elements;
  for (auto [place, extent] : llvm::zip_equal(*places, load.getBufferType().getShape())) {
    std::optional<IndexSet> indices = IndexSet::get(place, counts);
    if (!indices)
      return std::nullopt;
    if (!ShapedType::isDynamic(extent))
      indices->clip(extent);
    elements.push_back(*indices);
  }
  return elements;
}

bool Pair::isReread() {
  if (!findScopes())
    return false;
  std::optional<Elements> now = elementsOf(first, firstScope);
  std::optional<Elements> later = now && isOfBlock ? elementsOf(second, secondScope) : std::nullopt;
  return later && llvm::all_of(llvm::zip_equal(*now, *later),
                               [](auto pair) { return isWithin(std::get<0>(pair), std::get<1>(pair)); });
}

DenseMap<Operation *, LoadOp> findRereads(KernelOp kernel) {
  llvm::MapVector<Value, SmallVector<LoadOp>> loads; // by buffer, in program order
  kernel.walk<WalkOrder::PreOrder>([&](LoadOp load) {
    if (spaceOf(load.getBufferType()) == Space::Global)
      loads[load.getBuffer()].push_back(load);
  });
  DenseMap<Operation *, LoadOp> rereads;
  for (auto &[buffer, reads] : loads) {
    if (reads.size() < 2 || !isOnlyRead(kernel, rootOf(buffer)))
      continue;
    for (auto [number, read] : llvm::enumerate(reads)) {
      ArrayRef<LoadOp> later = ArrayRef<LoadOp>(reads).drop_front(number + 1);
      const LoadOp *again = llvm::find_if(later, [&](LoadOp other) { return Pair(read, other).isReread(); });
      if (again != later.end())
        rereads.try_emplace(read, *again);
    }
  }
  return rereads;
}

} // namespace tile
