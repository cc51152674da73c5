// ReadPlaces.h - the elements of a tensor that a load touches while an op of the program runs once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_ANALYSIS_READPLACES_H
#define LIB_ANALYSIS_READPLACES_H

#include "dialects/Tile/TileOps.h"
#include "tile/Analysis/IndexSet.h"

#include <optional>

namespace tile {

/// Elements of a tensor, by dimension; all combinations.
using Elements = llvm::SmallVector<IndexSet>;

/// Places of loads over the same parameters, which are the dims of all expressions.
class ReadPlaces {
public:
  explicit ReadPlaces(KernelOp kernel) : kernel(kernel) {}

  /// What the load touches while the scope, an op around it, runs once; nothing under conditions, or where dimensions
  /// move together.
  std::optional<Elements> elementsOf(LoadOp load, mlir::Operation *scope);

  /// What does not change while the scopes run.
  llvm::SmallVector<mlir::Value> parameters;
  bool isOfBlock = false;  ///< some load's place depends on the block
  bool isRepeated = false; ///< some loop around a load reads the same elements in every trip

private:
  std::optional<llvm::SmallVector<mlir::AffineExpr>> translate(mlir::AffineMap map, mlir::ValueRange operands,
                                                               mlir::Operation *scope,
                                                               llvm::ArrayRef<mlir::Value> variables);

  KernelOp kernel;
};

} // namespace tile

#endif // LIB_ANALYSIS_READPLACES_H
