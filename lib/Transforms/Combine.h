// Combine.h - the arithmetic of reductions as operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_COMBINE_H
#define TILE_TRANSFORMS_COMBINE_H

#include "tile/Support/Identity.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tile {

/// How a reduction combines, by its word. \pre the verifier accepted the word for the elements of `source`.
ReductionRule ruleOf(llvm::StringRef word, mlir::MemRefType source);

/// The value a reduction starts with.
mlir::Value createIdentity(mlir::OpBuilder &builder, mlir::Location loc, const ReductionRule &rule);

/// What a reduction makes of an element of the accumulator's type before it combines it.
mlir::Value createMapped(mlir::OpBuilder &builder, mlir::Location loc, const ReductionRule &rule, mlir::Value element);

mlir::Value createCombined(mlir::OpBuilder &builder, mlir::Location loc, const ReductionRule &rule, mlir::Value a,
                           mlir::Value b);

} // namespace tile

#endif // TILE_TRANSFORMS_COMBINE_H
