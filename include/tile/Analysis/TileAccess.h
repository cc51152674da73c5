// TileAccess.h - the accesses of a tile op as index maps from its points to buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_TILEACCESS_H
#define TILE_ANALYSIS_TILEACCESS_H

#include "dialects/Tile/TileOps.h"
#include "tile/Layout/Atoms.h"
#include "tile/Layout/Layout.h"

namespace tile {

/// One access of a parallel loop, copy or fill to one buffer.
struct TileAccess {
  mlir::Operation *op = nullptr; ///< the load, store, atomic, copy or fill
  mlir::Value buffer;
  /// Buffer coordinate of a point. Dims: the point's coordinates, then `operands`.
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
  bool isStore = false;

  mlir::MemRefType type() const { return llvm::cast<mlir::MemRefType>(buffer.getType()); }
};

/// The index of the dimension whose neighbours are neighbours in memory: that of stride 1, the last of them, else the
/// last dimension's; null for a buffer of rank 0.
mlir::AffineExpr contiguousIndex(const TileAccess &access);

/// The box of points of a parallel loop, copy or fill; the source of a reduction or scan. A dimension known at run time
/// only is ShapedType::kDynamic.
llvm::SmallVector<int64_t> pointExtents(mlir::Operation *op);

/// Every access of the op, in program order.
llvm::SmallVector<TileAccess> accessesOf(mlir::Operation *op);

/// Every access in a loop body, as maps from these points.
llvm::SmallVector<TileAccess> accessesOfBody(mlir::Region &body, mlir::ValueRange points);

/// The buffer itself, seen through reshape and slice: what the user allocated, and where a view's element lies in it.
struct RootAccess {
  mlir::Value root;
  mlir::AffineMap map; ///< as in TileAccess
  /// A `tile.view` lies between: elements are not elements of the root.
  bool isRetyped = false;
};
RootAccess rootOf(const TileAccess &access);

/// The allocation or argument behind a chain of views.
mlir::Value rootOf(mlir::Value buffer);

/// The row-major number of a coordinate of shape `from`, taken apart in shape `to`.
llvm::SmallVector<mlir::AffineExpr> reshapedCoordinates(llvm::ArrayRef<mlir::AffineExpr> coordinate,
                                                        llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
                                                        mlir::MLIRContext *context);

/// The value of an expression over dims; nothing for a division by zero or worse.
std::optional<int64_t> evaluateAffine(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims);

/// The map as terms, if it depends on the point alone and is a sum of c * ((x floordiv d) mod m).
std::optional<IndexMap> indexMapOf(mlir::AffineMap map, unsigned numPoints);

/// Which register of a fragment each register of a loop names: constant + the sum of coefficient * digit value over the
/// register digits of the loop, in the order of `Layout::digits`.
struct RegisterMap {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> coefficients;
};

/// The registers that an access of a fragment names, if it stays inside every thread.
///
/// \returns nothing if some thread's element is held by another thread, or in different registers in different threads,
/// or a store would leave a copy of the element unwritten, or the registers are no affine function of the digits.
std::optional<RegisterMap> registerMap(const Layout &loop, mlir::AffineMap map, const Layout &fragment, bool isStore);

/// The user's name of a buffer or value.
llvm::StringRef nameOf(mlir::Value value, llvm::StringRef fallback = "(compiler's own)");
/// The line in the user's file; 0 if there is none.
int64_t lineOf(mlir::Location loc);

/// The op in a few words, with the user's names: "copy x to r", "reduce sum r into s".
std::string describe(mlir::Operation *op);

/// Layout attribute to layout and back. \pre the attribute is verified.
Layout layoutOf(DistributedAttr attr);
DistributedAttr layoutAttr(mlir::MLIRContext *context, const Layout &layout);

} // namespace tile

#endif // TILE_ANALYSIS_TILEACCESS_H
