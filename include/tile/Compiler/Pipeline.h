// Pipeline.h - the passes from tile programs to final simt kernels, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_COMPILER_PIPELINE_H
#define TILE_COMPILER_PIPELINE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace tile {

/// What the pipeline may be told.
struct PipelineSettings {
  /// Architecture the kernels are for: "sm_90a".
  std::string arch = "sm_90a";
  /// Trap on accesses out of a tile, on division by zero and on failed assertions.
  bool checked = false;
};

/// Every dialect a program may use, with the layout rules attached.
void registerDialects(mlir::DialectRegistry &registry);

/// Appends the passes that turn a module of tile kernels into a module of final simt kernels.
void addPipeline(mlir::OpPassManager &manager, const PipelineSettings &settings);

/// Makes the pipeline known to drivers as `--tile-to-simt` (options: `arch=sm_90a`, `checked`).
void registerTilePipelines();

} // namespace tile

#endif // TILE_COMPILER_PIPELINE_H
