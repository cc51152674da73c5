// LayoutParts.h - the layout attributes as the layout library sees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_LAYOUTPARTS_H
#define TILE_DIALECTS_TILE_LAYOUTPARTS_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/SharedLayout.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace tile {

/// The digits as lists: axis by axis, the most significant first; see TileBase.td.
struct DigitLists {
  llvm::ArrayRef<int64_t> shape, digitCounts, radices, owners, strides, copyRadices, copyOwners, copyStrides;
  int64_t threads = 1, blocks = 1;
  llvm::ArrayRef<int64_t> origins = {};
};

/// The same as a description that `Layout::get` checks. \pre the lists fit each other in length.
LayoutParts layoutParts(const DigitLists &lists);

/// A digit as the attribute writes it: "4 thread * 8".
std::string digitText(int64_t radix, int64_t owner, int64_t stride);

/// The digits of an axis as the attribute writes them: "(4 thread, 2 reg)".
std::string digitsText(llvm::ArrayRef<int64_t> radices, llvm::ArrayRef<int64_t> owners,
                       llvm::ArrayRef<int64_t> strides);

/// The layout of a shared tile under its `layout` attribute; row-major without one.
///
/// \returns nothing, and a sentence in `why`, if there is no such layout, or the attribute is none of a shared tile.
std::optional<SharedLayout> sharedLayoutOf(mlir::MemRefType tile, mlir::Attribute layout, std::string *why = nullptr);

/// The attribute that stands for a layout.
mlir::Attribute sharedLayoutAttr(mlir::MLIRContext *context, const SharedLayout &layout);

} // namespace tile

#endif // TILE_DIALECTS_TILE_LAYOUTPARTS_H
