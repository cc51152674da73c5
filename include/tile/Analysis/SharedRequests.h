// SharedRequests.h - what the accesses of a kernel ask of the banks of each shared buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_SHAREDREQUESTS_H
#define TILE_ANALYSIS_SHAREDREQUESTS_H

#include "dialects/Simt/SimtOps.h"
#include "tile/Layout/AccessCost.h"

#include "llvm/ADT/MapVector.h"

namespace tile {

/// The requests of one shared buffer.
struct SharedRequests {
  /// Byte offsets from the start of the buffer; the weight is how often a block makes such a request. Lanes that a
  /// condition keeps away take no part, those whose offset is negative neither.
  std::vector<MemoryRequest> requests;
  /// The first access whose address or lanes depend on data; null if there is none.
  mlir::Operation *unknown = nullptr;
};

/// Evaluates the addresses of all accesses to shared buffers (`simt.shared`), warp by warp and trip by trip.
///
/// Of an access that runs many times, a spread of warps and trips stands for all. Sizes and strides count as large
/// numbers that every vector divides, loops over them as a few trips, the block is the first of the grid.
llvm::MapVector<mlir::Value, SharedRequests> collectSharedRequests(simt::KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDREQUESTS_H
