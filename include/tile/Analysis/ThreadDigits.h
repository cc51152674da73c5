// ThreadDigits.h - how the thread digits of a layout fall into warps; lowering and cost agree on it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_THREADDIGITS_H
#define TILE_ANALYSIS_THREADDIGITS_H

#include "tile/Layout/Layout.h"

namespace tile {

/// Lanes of a warp.
inline constexpr int64_t kWarp = 32;

/// The smallest stride of a thread position above `stride`; 0 if there is none.
int64_t nextThreadStride(const Layout &layout, int64_t stride);

/// How many values of a thread digit, counted from any multiple of that number, always lie in one warp. With idle lanes
/// behind them they may be more than the digit has.
///
/// \param anyRadix  for scans: any number of lanes; else a power of two all of whose lanes exist, as a butterfly needs.
/// Example: 125 threads of 128 -> 32; of 125 -> 1, for a scan 32.
int64_t lanesInWarp(const Layout &layout, const Digit &digit, bool anyRadix);

} // namespace tile

#endif // TILE_ANALYSIS_THREADDIGITS_H
