// Passes.h - every pass: how to create and register it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_PASSES_H
#define TILE_TRANSFORMS_PASSES_H

#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/TileOps.h"

#include "mlir/Pass/Pass.h"

namespace tile {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tile/Transforms/Passes.h.inc"

/// The passes that decide the layouts of a tile kernel, in their order.
///
/// \param sharedLimit  bytes of shared memory that a block may use.
void addLayoutPasses(mlir::OpPassManager &kernels, int64_t sharedLimit);

} // namespace tile

#endif // TILE_TRANSFORMS_PASSES_H
