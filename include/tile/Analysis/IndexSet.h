// IndexSet.h - the indices that loops touch along one dimension, as numbers that can be compared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     k in 4, j in 2048:   k * 2048 + j            →  0 + 1 * (0 … 8191)
//                          8192 - 2048 - k * 2048 + j  →  the same: a walk backwards begins at its other end
//
// One rule: where a walk's step is no longer than what the finer walk covers, both are one walk of the finer step. Sets
// of one walk are compared by their ends; of several, walk by walk.
//
#ifndef TILE_ANALYSIS_INDEXSET_H
#define TILE_ANALYSIS_INDEXSET_H

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tile {

/// base + the sum of step * (0 … count - 1) over the walks.
struct IndexSet {
  struct Walk {
    int64_t step = 1;       ///< positive
    mlir::AffineExpr count; ///< over the parameters
  };
  mlir::AffineExpr base;         ///< over the parameters
  llvm::SmallVector<Walk> walks; ///< of rising steps

  /// The indices that an expression names.
  ///
  /// \param expr    over parameters, which are dims, and loop variables, which are symbols.
  /// \param counts  the trips of each loop, over the parameters.
  /// \returns nothing if the expression is not linear in the loop variables, or a loop has no trip.
  static std::optional<IndexSet> get(mlir::AffineExpr expr, llvm::ArrayRef<mlir::AffineExpr> counts);

  /// Drops what lies outside 0 … extent - 1, where that is one walk between numbers.
  void clip(int64_t extent);
};

/// True if every index of `inner` is one of `outer`, whatever the parameters are; false where that is not known.
bool isWithin(const IndexSet &inner, const IndexSet &outer);

} // namespace tile

#endif // TILE_ANALYSIS_INDEXSET_H
