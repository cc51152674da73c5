// Divergence.h - which values may differ between the threads of a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_DIVERGENCE_H
#define TILE_DIALECTS_TILE_DIVERGENCE_H

#include "dialects/Tile/TileOps.h"

#include "llvm/ADT/DenseMap.h"

namespace tile {

/// Which values of one kernel may differ between two threads that execute the same operation together.
///
/// `tile.thread_id`, the old value of an atomic and whatever is read from a private array differ; so does all that is
/// computed from them, loaded at such an index or chosen by such a condition. The points of a `parallel` are not
/// threads: its induction variables do not differ in this sense. What one thread's divergent branch stores to memory
/// is not followed: a load at a uniform index gives every thread the same value.
class Divergence {
public:
  /// Solves the whole kernel once; later queries are lookups.
  explicit Divergence(KernelOp kernel);

  /// Whether two threads may hold different values. For a buffer: whether they may name different windows.
  bool mayDiffer(mlir::Value value) const { return sources.contains(value); }
  bool anyMayDiffer(mlir::ValueRange values) const;

  /// The operation at which the difference begins (a `thread_id`, an atomic, a load from a private array); null for
  /// a uniform value.
  mlir::Operation *source(mlir::Value value) const { return sources.lookup(value); }

  /// The innermost operation around `op`, inside the kernel, that only some threads may enter or that they may
  /// repeat a different number of times; null where all threads arrive together.
  mlir::Operation *divergentParent(mlir::Operation *op) const;

  /// The operands of `op` that decide whether, or how often, its regions run.
  static llvm::SmallVector<mlir::Value> controllingValues(mlir::Operation *op);

private:
  void mark(mlir::Value value, mlir::Operation *source);
  void follow(mlir::OpOperand &use, mlir::Operation *source);
  void followYield(mlir::OpOperand &use, mlir::Operation *source);

  llvm::DenseMap<mlir::Value, mlir::Operation *> sources;
  llvm::SmallVector<mlir::Value> pending;
};

/// Whether two threads may hold different values; solves the kernel around `value`, so ask `Divergence` for many.
bool mayDiffer(mlir::Value value);

} // namespace tile

#endif // TILE_DIALECTS_TILE_DIVERGENCE_H
