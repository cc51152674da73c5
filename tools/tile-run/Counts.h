// Counts.h - what the accesses of a simulated kernel cost, beside what was predicted of one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TOOLS_TILE_RUN_COUNTS_H
#define TILE_TOOLS_TILE_RUN_COUNTS_H

#include "tile/Simulator/Simulator.h"

#include "llvm/Support/raw_ostream.h"

namespace tile::run {

/// One JSON object: the kernel, and each access with its prediction a request (null where there is none) and its
/// requests, sectors and wavefronts over the whole run.
/// \pre `result` is of a run of `kernel` that ended well.
void printCounts(llvm::raw_ostream &os, simt::KernelOp kernel, const std::string &entry,
                 const simt::SimulatorResult &result);

} // namespace tile::run

#endif // TILE_TOOLS_TILE_RUN_COUNTS_H
