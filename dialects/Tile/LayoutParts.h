// LayoutParts.h - #tile.distributed as the layout library sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_LAYOUTPARTS_H
#define TILE_DIALECTS_TILE_LAYOUTPARTS_H

#include "tile/Layout/Layout.h"

#include "llvm/ADT/ArrayRef.h"

namespace tile {

/// The digits as lists: axis by axis, the most significant first; see TileBase.td.
struct DigitLists {
  llvm::ArrayRef<int64_t> shape, digitCounts, radices, owners, strides, copyRadices, copyOwners, copyStrides;
  int64_t threads = 1, blocks = 1;
};

/// The same as a description that `Layout::get` checks. \pre the lists fit each other in length.
LayoutParts layoutParts(const DigitLists &lists);

} // namespace tile

#endif // TILE_DIALECTS_TILE_LAYOUTPARTS_H
