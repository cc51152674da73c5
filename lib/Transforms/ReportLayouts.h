// ReportLayouts.h - what the layout solver chose, as remarks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TRANSFORMS_REPORTLAYOUTS_H
#define TILE_LIB_TRANSFORMS_REPORTLAYOUTS_H

#include "tile/Analysis/LayoutSolver.h"

#include "llvm/ADT/DenseSet.h"

namespace tile {

/// Clocks in a remark: one decimal at most.
std::string clocksText(double clocks);

/// Does a loop, copy or fill read or write a fragment?
bool touchesFragments(mlir::Operation *op);

/// One remark a fragment, one a loop, copy or fill that touches no fragment, and one on the kernel as a whole. Does
/// nothing if nobody listens.
///
/// \param pinned  the allocations and ops whose layout the program gives.
void reportLayouts(KernelOp kernel, const LayoutSolver &solver, const llvm::DenseSet<mlir::Operation *> &pinned);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_REPORTLAYOUTS_H
