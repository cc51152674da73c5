// Checks.h - rules shared by the verifiers of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_CHECKS_H
#define TILE_DIALECTS_TILE_CHECKS_H

#include "dialects/Tile/Divergence.h"
#include "dialects/Tile/TileOps.h"

#include <optional>
#include <string>

namespace tile {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Constants of index expressions and element counts stay below this in magnitude, so that sums never overflow.
inline constexpr int64_t kIndexLimit = int64_t(1) << 53;

/// i1, i8, i16, i32, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2.
bool isElementType(mlir::Type type);

/// Bytes of one element in memory; 0 for a type that is none of ours.
int64_t elementBytes(mlir::Type type);
/// Bytes of all elements. \pre the shape is static.
int64_t tileBytes(mlir::MemRefType type);

/// The number of elements, or nothing where an extent is dynamic or the product overflows.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// "128x?", or "" for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// The shape without its leading unit extents.
llvm::ArrayRef<int64_t> dropLeadingUnits(llvm::ArrayRef<int64_t> shape);

/// The buffer that `buffer` is a reshape, view or slice of, through any number of them.
mlir::Value rootBuffer(mlir::Value buffer);

/// Points at where a buffer comes from: "buffer defined here".
void noteBuffer(mlir::InFlightDiagnostic &diag, mlir::Value buffer);

/// The kernel around an op; null outside.
KernelOp kernelOf(mlir::Operation *op);

/// The op stands inside a kernel (kernel-C21).
mlir::LogicalResult checkInKernel(mlir::Operation *op);

/// Space, element type, layout and extents of a buffer (buffer-C1 … C6).
mlir::LogicalResult checkBufferType(EmitError emit, mlir::MemRefType type);

/// A buffer operand or result of `op`.
mlir::LogicalResult checkBuffer(mlir::Operation *op, mlir::Value buffer);

/// Divisors, constants and operand count of index expressions (index-C1, C2, C6, C7).
mlir::LogicalResult checkExpressions(EmitError emit, mlir::AffineMap map, size_t numOperands);

/// The expressions of a bracket and where the window they start may lie (index-C1 … C7).
///
/// \param window  extents of what is accessed, aligned from the tail: all 1 for one element. Empty: rank only.
/// \param mayOverhang  whether the window may run over the end of the buffer (copies of global tensors).
mlir::LogicalResult checkSubscript(mlir::Operation *op, mlir::Value buffer, mlir::AffineMap map,
                                   mlir::ValueRange operands, llvm::ArrayRef<int64_t> window, bool mayOverhang);

/// A pinned distributed layout fits what it is for (layout-C1, C2).
mlir::LogicalResult checkLayout(mlir::Operation *op, std::optional<DistributedAttr> layout,
                                llvm::ArrayRef<int64_t> shape);

/// The `width(n)` of a parallel loop or copy is one that a thread can move (width-C1, C2).
mlir::LogicalResult checkWidth(mlir::Operation *op);

/// Whether all threads of the block take part in the op together (copies between private arrays do not).
bool isBlockWide(mlir::Operation *op);

/// What a `parallel` may not do: the same element from two points (parallel-C4, C5).
mlir::LogicalResult checkWrites(ParallelOp loop);

} // namespace tile

#endif // TILE_DIALECTS_TILE_CHECKS_H
