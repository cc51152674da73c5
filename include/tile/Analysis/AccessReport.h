// AccessReport.h - what each memory access of a simt kernel costs, read off its addresses without running it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_ACCESSREPORT_H
#define TILE_ANALYSIS_ACCESSREPORT_H

#include "dialects/Simt/SimtOps.h"

#include <optional>
#include <string>
#include <vector>

namespace tile {

/// One access of global or shared memory by the first warp of the first block, in the first trip of the loops around
/// it. Sizes and strides count as large multiples of every vector, tensors as aligned: the typical request. An estimate
/// where other warps differ. What the compiler of the CUDA text makes of an access is its own: it joins loads of
/// neighbouring words of shared memory, and moves loads whose value only some warps need (docs/counters.md).
struct AccessPrediction {
  mlir::Operation *op = nullptr;
  mlir::Value buffer; ///< the parameter or the shared buffer, behind all views
  simt::Space space = simt::Space::Global;
  bool isStore = false; ///< writes; an atomic counts as a store
  int64_t bytesPerThread = 0;
  std::string instruction; ///< "ld.global.v4.b32"
  // Nothing where the address depends on data; wavefronts also for stores to global memory, which have none.
  std::optional<int64_t> sectors, idealSectors;       ///< of global memory
  std::optional<int64_t> wavefronts, idealWavefronts; ///< of shared memory, and of loads that hit the L1 cache
  std::vector<std::string> guards;                    ///< the conditions the access stands under, outermost first
  std::string why;
};

/// The accesses of a kernel, in program order. A `simt.move` between two memories has one entry a side.
std::vector<AccessPrediction> predictAccesses(simt::KernelOp kernel);

/// Emits one remark of category "access" for each of them.
void reportAccesses(simt::KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSREPORT_H
