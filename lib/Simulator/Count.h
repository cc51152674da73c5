// Count.h - what the 32 addresses of one request cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_COUNT_H
#define TILE_LIB_SIMULATOR_COUNT_H

#include "tile/Simulator/Simulator.h"

namespace tile::simt {

/// The byte addresses of a request, by lane; those outside the mask mean nothing.
using Addresses = std::array<int64_t, 32>;

/// Adds one request to global memory. \pre the mask is not empty; addresses are multiples of `bytesPerLane`.
void countGlobal(AccessCount &count, const Addresses &addresses, uint32_t mask);

/// Adds one request to shared memory, where lanes of an atomic never share a wavefront in a bank.
void countShared(AccessCount &count, const Addresses &addresses, uint32_t mask, bool isAtomic);

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_COUNT_H
