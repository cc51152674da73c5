// ReadPlaces.cpp - the elements of a tensor that a load touches while an op of the program runs once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadPlaces.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "llvm/ADT/DenseSet.h"

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

/// The results over the parameters, as dims, and the variables, as symbols; nothing if the scope makes other values.
std::optional<SmallVector<AffineExpr>> ReadPlaces::translate(AffineMap map, ValueRange operands, Operation *scope,
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

std::optional<Elements> ReadPlaces::elementsOf(LoadOp load, Operation *scope) {
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
  for (unsigned number = 0; number < variables.size(); ++number) {
    auto uses = llvm::count_if(*places, [&](AffineExpr place) { return place.isFunctionOfSymbol(number); });
    if (counts[number] != 1 && uses > 1)
      return std::nullopt;
    isRepeated |= counts[number] != 1 && uses == 0;
  }
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

} // namespace tile
