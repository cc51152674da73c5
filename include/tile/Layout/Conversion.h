// Conversion.h - exact questions about two layouts, and what it takes to get from one to the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LAYOUT_CONVERSION_H
#define TILE_LAYOUT_CONVERSION_H

#include "tile/Layout/Layout.h"

namespace tile {

/// Does every thread that holds x under `needed` hold x under `held`, for all x? Then no data crosses threads.
///
/// Exact for every radix, padding and number of copies; registers do not matter. The cost is the sum of the extents,
/// since a thread number is a sum of one function per axis: the differences of both form a sumset, built axis by axis,
/// that must stay inside the copies of `held`.
/// \returns false if extents or origins differ.
/// Example: held = [(32 reg)] copies (4 thread), needed = [(4 thread, 8 reg)]: true, each thread has all it needs.
bool contains(const Layout &held, const Layout &needed);

/// Does, for each thread that holds x under `needed`, some thread of its warp hold x under `held`? Then shuffles
/// suffice.
/// \returns false if extents or origins differ.
bool sameWarp(const Layout &held, const Layout &needed);

/// A quick look at a few elements: false only if `sameWarp` is.
bool mayShareWarps(const Layout &held, const Layout &needed);

/// Does shuffling suffice if each thread reads the copy at its own positions (`ownCopy`)? That is the one that lowering
/// names. It implies `sameWarp`; without copies of threads in `held` it is the same.
bool sameWarpAtOwnCopy(const Layout &held, const Layout &needed);

/// What a thread adds to the designated holder of an element, to name the holder in its own copy.
/// Example: copies (4 thread * 8), thread 21 -> 16.
int64_t ownCopy(const Layout &held, int64_t thread);

/// Where the registers of `to` come from: for each of them the registers of `from`, ascending, that hold its element in
/// some thread. Empty for a hole. Exact, whatever threads hold the elements.
/// \pre extents and origins are equal.
/// Example: from = [(4 thread, 2 reg)], to = [(2 reg, 4 thread)]: {0, 1}, {0, 1}.
std::vector<std::vector<int64_t>> registerSources(const Layout &from, const Layout &to);

/// The sum of the sizes of `registerSources`, and how many of them are empty, without building them.
struct SourceCount {
  int64_t sources = 0, empty = 0;
};
SourceCount countRegisterSources(const Layout &from, const Layout &to);

} // namespace tile

#endif // TILE_LAYOUT_CONVERSION_H
