// Rules.h - one attach function a rule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_LAYOUTRULES_RULES_H
#define TILE_ANALYSIS_LAYOUTRULES_RULES_H

#include "mlir/IR/MLIRContext.h"

namespace tile {
void attachArgReduceRule(mlir::MLIRContext *context);
void attachCopyRule(mlir::MLIRContext *context);
void attachFillRule(mlir::MLIRContext *context);
void attachParallelRule(mlir::MLIRContext *context);
void attachReduceRule(mlir::MLIRContext *context);
void attachScanRule(mlir::MLIRContext *context);
} // namespace tile

#endif // TILE_ANALYSIS_LAYOUTRULES_RULES_H
