// DefaultLayout.h - the layout that a loop or fragment gets when nothing stronger asks for one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LAYOUT_DEFAULTLAYOUT_H
#define TILE_LAYOUT_DEFAULTLAYOUT_H

#include "tile/Layout/Layout.h"

namespace tile {

/// Bytes first: `vectorElements` neighbours along the contiguous axis in each thread, then threads along that axis,
/// then threads over the other axes from the innermost to the outermost, then registers over what is left.
///
/// Exists for every tile and every thread count, and holds each element once: surplus threads are idle, never copies,
/// and tails are masked. Vectors are halved while a thread would hold more than twice ceil(elements / threads)
/// registers. Among what is left an exact cover wins (no masks, no idle threads) if it is at least half as wide as the
/// widest, then fewer accesses a thread, no masks, fewer registers, more threads on the contiguous axis.
///
/// \param elementBytes  size of the largest element that moves under the layout; 64 bytes of a row stay together.
/// \param contiguousAxis  the axis whose neighbours are neighbours in memory; ignored for rank 0.
/// \param vectorElements  widest vector wanted; rounded down to a power of two.
/// \returns nothing, and the reason in `why`, only for numbers outside the limits of Layout.
/// Example: {4, 96}, 4 bytes, axis 1, 128 threads, 4 -> 4x96 = [(4 thread * 24), (24 thread, 4 reg)] threads 128: 96
/// work. threads.
std::optional<Layout> defaultLayout(const Extents &extents, int64_t elementBytes, int contiguousAxis, int64_t threads,
                                    int64_t vectorElements, std::string *why = nullptr);

/// Layouts worth comparing, of the same form: each vector width down to one element, numbers of threads along the
/// contiguous axis that waste none of them, the other axes dealt in a few ways. Distinct, in a fixed order, the widest
/// vectors first; empty for numbers outside the limits of Layout.
std::vector<Layout> candidateLayouts(const Extents &extents, int64_t elementBytes, int contiguousAxis, int64_t threads,
                                     int64_t vectorElements);

} // namespace tile

#endif // TILE_LAYOUT_DEFAULTLAYOUT_H
