// Uniformity.h - which values are the same in every thread of the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_UNIFORMITY_H
#define TILE_ANALYSIS_UNIFORMITY_H

#include "dialects/Simt/SimtOps.h"

#include "llvm/ADT/DenseSet.h"

namespace tile {

/// Which values of a simt kernel are the same in all threads of a block, and which operations they reach together.
///
/// Thread numbers, shuffles and results of atomics differ; so does whatever is computed from them, loaded at an index
/// that differs, held in registers that a differing value was written to, or chosen by a condition that differs. A load
/// at a uniform index is uniform, unless atomics of this kernel change that buffer meanwhile.
class Uniformity {
public:
  explicit Uniformity(simt::KernelOp kernel);

  bool isUniform(mlir::Value value) const { return !divergent.contains(value); }

  /// Whether threads may disagree on entering or repeating a region of `op`: a barrier inside would hang.
  bool isDivergent(mlir::Operation *op) const;

  /// The outermost ancestor of `op` (inside the kernel) that is divergent; null where all threads reach `op` together.
  mlir::Operation *outermostDivergent(mlir::Operation *op) const;

private:
  bool visit(mlir::Operation *op);
  bool visitFor(mlir::Operation *op);
  bool visitBranches(mlir::Operation *op);
  bool visitWhile(mlir::Operation *op);
  bool visitAccess(mlir::Operation *op);
  bool mark(mlir::Value value);

  llvm::DenseSet<mlir::Value> divergent; ///< values, and buffers with contents that differ
};

/// The allocation or parameter behind views, and the bytes by which they move its start; null for any other buffer.
struct BufferRoot {
  mlir::Value buffer;
  int64_t byteOffset = 0;
};
BufferRoot storageOf(mlir::Value buffer);

} // namespace tile

#endif // TILE_ANALYSIS_UNIFORMITY_H
