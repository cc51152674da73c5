// LayoutSolver.h - chooses the layouts of a kernel by what the whole block costs under them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *solution* is a complete assignment: a layout for each loop, copy, fill and reduction, and for each fragment. The
// layout rules make one out of any beginning: pins, and a seed for one op; the rest follows. The solver tries the
// candidates of every op that touches memory as seeds, then changes single ops of the best solutions as long as
// something improves, which puts a conversion where two ops want different layouts. Cost is the time of a block
// (CostModel.h) over everything it executes.
//
// Kernels that wait for memory tie massively, so what decides a tie is part of the policy. Among solutions within 2 %
// of the best: exact cover, then fewer barriers, memory requests, instructions, registers, more lanes on the contiguous
// axis, the earlier candidate.
//
#ifndef TILE_ANALYSIS_LAYOUTSOLVER_H
#define TILE_ANALYSIS_LAYOUTSOLVER_H

#include "tile/Analysis/LayoutInference.h"
#include "tile/Analysis/OpCost.h"

#include <map>

namespace tile {

/// What a block costs under one solution.
struct SolutionCost {
  BlockTime time;
  BlockShape shape; ///< its registers: the most that a thread holds fragments in at once
  OpCost total;

  /// False if no access of memory was counted: what threads do outside of loops, copies and fills is not.
  bool isKnown() const { return total.pools.requests > 0; }
};

struct LayoutSolution {
  LayoutInference layouts;
  SolutionCost cost;
};

/// Why one solution was preferred to another, in one sentence: "4 % faster than the runner-up, which needs 2 more
/// barriers", "as fast as the runner-up within 2 %, with fewer memory requests", "no other layout is faster; limited by
/// memory bandwidth". \param other  null if there was no other.
std::string reasonOver(const SolutionCost &chosen, const SolutionCost *other);

class LayoutSolver {
public:
  explicit LayoutSolver(KernelOp kernel);

  /// The best solution; the same for the same program. To be called once.
  const LayoutSolution &solve();
  /// What `solve` found.
  const LayoutSolution &solution() const { return solutions[best]; }

  /// The best solution that gives this fragment another layout; null if none was looked at.
  const LayoutSolution *runnerUp(mlir::Value fragment) const;
  /// The same for an op.
  const LayoutSolution *runnerUp(mlir::Operation *op) const;
  /// What a block costs under these layouts.
  SolutionCost costOf(const LayoutInference &layouts);
  /// Every solution that was compared, the best first: its time, its pools, its layouts.
  void print(llvm::raw_ostream &os) const;

private:
  bool add(LayoutInference layouts, bool isComplete = false);
  const LayoutSolution *runnerUp(llvm::function_ref<const Layout *(const LayoutInference &)> layoutIn) const;
  const OpCost &cachedCost(size_t number, const LayoutInference &layouts);
  std::vector<Layout> candidates(mlir::Operation *op);
  std::vector<Layout> shiftedLayouts(Extents extents, int64_t bytes, int axis);
  std::vector<size_t> ranking() const;
  bool improve(size_t solution);

  KernelOp kernel;
  llvm::SmallVector<mlir::Operation *> ops;            ///< those with a layout, in program order
  llvm::SmallVector<double> trips;                     ///< of each
  std::vector<llvm::SmallVector<mlir::Value>> touched; ///< fragments that each of them touches
  llvm::DenseMap<mlir::Operation *, std::vector<Layout>> seeds;
  /// Where each fragment is alive: the first and the last op that touches it.
  llvm::MapVector<mlir::Value, std::pair<size_t, size_t>> lifetimes;
  std::vector<LayoutSolution> solutions;
  std::map<std::vector<const void *>, OpCost> costs;
  std::map<std::vector<const void *>, size_t> known; ///< solutions by their decisions
  int64_t sharedBytes = 0;
  size_t best = 0;
};

} // namespace tile

#endif // TILE_ANALYSIS_LAYOUTSOLVER_H
