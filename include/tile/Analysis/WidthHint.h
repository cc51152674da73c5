// WidthHint.h - what `width(n)` asks of the layout of a loop or copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_WIDTHHINT_H
#define TILE_ANALYSIS_WIDTHHINT_H

#include "tile/Analysis/TileAccess.h"

namespace tile {

/// Each thread moves `elements` neighbours along `axis` at once.
struct WidthHint {
  int axis = 0;
  int64_t elements = 1;
};

/// What the op asks for: along the axis that most bytes are contiguous in memory along, the last one on a tie. Nothing
/// for an op without `width(n)`, or with nothing contiguous.
std::optional<WidthHint> widthHintOf(mlir::Operation *op);

/// Does the op move as many elements at once under the layout as it asks for? Always for an op without a hint.
bool keepsWidth(mlir::Operation *op, const Layout &layout);

/// Layouts worth comparing whose positions hold `hint.elements` neighbours each, the default first.
/// \param elementBytes  of the smallest element; a vector of them has at most 16 bytes.
std::vector<Layout> layoutsOfWidth(const Extents &extents, WidthHint hint, int64_t elementBytes, int64_t threads);

/// Reports the hints of a kernel that cannot hold, by rules width-C3 to width-C5.
mlir::LogicalResult checkWidthHints(KernelOp kernel);

/// Reports a hint that the layout chosen for the op does not keep, by rule width-C5.
mlir::LogicalResult checkWidthKept(mlir::Operation *op, const Layout &layout);

} // namespace tile

#endif // TILE_ANALYSIS_WIDTHHINT_H
