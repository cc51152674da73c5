// LayoutInference.h - what layout rules know and decide about one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op that the threads of a block execute together has a rule, one file in lib/Analysis/LayoutRules, attached to
// the op as its LayoutOpInterface. The pass visits the ops in program order and asks each to propose; a rule decides
// the layout its op runs under and the layouts of the fragments that nobody decided before it. What does not fit
// together afterwards is not an error: InsertConversions puts a copy through shared memory in between.
//
#ifndef TILE_ANALYSIS_LAYOUTINFERENCE_H
#define TILE_ANALYSIS_LAYOUTINFERENCE_H

#include "tile/Analysis/TileAccess.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <memory>

namespace tile {

/// The layouts decided so far.
class LayoutInference {
public:
  explicit LayoutInference(KernelOp kernel);

  int64_t threads() const { return numThreads; }

  /// The layout of a fragment, if it is decided. \param root  the result of an alloc_fragment.
  const Layout *fragment(mlir::Value root) const;
  /// Decides a fragment; keeps what was decided before.
  void decideFragment(mlir::Value root, const Layout &layout);

  /// The layout an op runs under, if it is decided.
  const Layout *operation(mlir::Operation *op) const;
  void decideOperation(mlir::Operation *op, const Layout &layout);
  /// Decides an op anew, whatever was decided before.
  void replaceOperation(mlir::Operation *op, const Layout &layout);

  /// The common rule of parallel, copy and fill: the layout of the largest decided fragment that fits, else bytes first
  /// along the axis that is contiguous in memory; fragments not decided yet follow the loop.
  void decideByAccesses(mlir::Operation *op);

  /// The decisions as attributes, which are equal if the layouts are written alike; null where none is made.
  DistributedAttr fragmentAttr(mlir::Value root) const;
  DistributedAttr operationAttr(mlir::Operation *op) const;

  /// Asks the rules until every op and fragment is decided; keeps what is decided already.
  void complete();

  /// Writes every decision to the op it concerns.
  void writeAttributes() const;

private:
  void ask();
  void decideRest();

  KernelOp kernel;
  int64_t numThreads;
  /// Shared by copies of the inference, which the solver makes many of.
  struct Decision {
    Layout layout;
    DistributedAttr attr;
  };
  std::shared_ptr<const Decision> decide(const Layout &layout) const;

  /// What the common rule says of each op, which follows from the op and the layouts of the fragments that it touches,
  /// null where undecided: many solutions agree on those. Shared by copies of the inference; the program does not
  /// change while there is one.
  struct OpRule {
    llvm::SmallVector<TileAccess> accesses;
    llvm::SmallVector<RootAccess> roots; ///< of each
    std::map<std::vector<const void *>, std::shared_ptr<const Decision>> decisions;
  };
  OpRule &ruleOf(mlir::Operation *op);
  std::optional<Layout> byAccesses(mlir::Operation *op, const OpRule &rule);
  std::shared_ptr<std::map<mlir::Operation *, OpRule>> rules = std::make_shared<std::map<mlir::Operation *, OpRule>>();

  llvm::MapVector<mlir::Value, std::shared_ptr<const Decision>> fragments;
  llvm::MapVector<mlir::Operation *, std::shared_ptr<const Decision>> operations;
};

/// The layout of a tile that nothing stronger decides: vectors of 16 bytes along the last axis.
std::optional<Layout> defaultTileLayout(mlir::MemRefType type, int64_t threads);

/// The layout of a reduction's result under the source's: the reduced axis becomes copies.
Layout reducedLayout(const Layout &source, int axis);

/// The layout of the same elements in a shape that has more or fewer leading extents of 1. Copies in registers are left
/// out: one of each element is enough.
Layout fitLayout(const Layout &layout, llvm::ArrayRef<int64_t> shape);

/// Attaches the rules of lib/Analysis/LayoutRules to the ops of the tile dialect.
void registerLayoutRules(mlir::DialectRegistry &registry);

} // namespace tile

#include "tile/Analysis/LayoutOpInterface.h.inc"

#endif // TILE_ANALYSIS_LAYOUTINFERENCE_H
