// OpCost.h - what a tile op costs a block under given layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_OPCOST_H
#define TILE_ANALYSIS_OPCOST_H

#include "tile/Analysis/TileAccess.h"
#include "tile/Layout/AccessCost.h"
#include "tile/Layout/CostModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tile {

/// The register digit whose points are neighbours in memory and move as one vector.
struct VectorLane {
  int axis = -1;
  int digit = -1; ///< number among the register digits of the layout
  int64_t count = 1;
};

/// The lowest register digit of the axis along which most of these accesses are contiguous, as far as `width(n)`
/// allows. Lowering and cost agree on it.
VectorLane chooseVectorLane(const Layout &layout, llvm::ArrayRef<TileAccess> accesses);

/// An op under its layout.
struct OpCost {
  Pools pools;
  bool isExact = true;         ///< no masks, no idle threads
  int64_t sharedBytes = 0;     ///< of conversions
  int conversions = 0;         ///< fragments that pass through shared memory
  int64_t contiguousLanes = 0; ///< threads side by side on the contiguous axis

  OpCost &operator+=(const OpCost &other);
};

/// The layout of a fragment, by its alloc_fragment.
using FragmentLayouts = llvm::function_ref<const Layout *(mlir::Value root)>;

/// The memory accesses, arithmetic and conversions of a parallel loop, copy, fill, reduction or scan that runs once.
///
/// Addresses are enumerated lane by lane, for tensors that are aligned, with sizes and strides that are large multiples
/// of every vector where they are known at run time only. Loads of shared memory count what the best layout could
/// reach.
OpCost costOf(mlir::Operation *op, const Layout &layout, FragmentLayouts fragments);

/// What it costs once to pass a fragment through shared memory: the store, the barrier and the load.
OpCost conversionCost(mlir::MemRefType type, int64_t threads);

/// How often a block runs the op: the trips of the loops around it. Extents known at run time only count as 8.
double tripsOf(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_OPCOST_H
