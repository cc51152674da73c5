// AxisCost.h - what reductions and scans cost a block; private to the analysis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_ANALYSIS_AXISCOST_H
#define TILE_LIB_ANALYSIS_AXISCOST_H

#include "tile/Analysis/OpCost.h"

namespace tile {

/// The registers, shuffles and the exchange of a reduce, argreduce or scan in the layout of its source.
OpCost costAlongAxis(mlir::Operation *op, const Layout &layout);

} // namespace tile

#endif // TILE_LIB_ANALYSIS_AXISCOST_H
