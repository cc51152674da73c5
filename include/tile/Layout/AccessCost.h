// AccessCost.h - what one memory instruction of one warp costs, counted exactly from its 32 addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory: 32 banks of 4 bytes, bank = address / 4 % 32. A request runs in phases (up to 4 bytes a lane: one
// phase of 32 lanes; 8 bytes: two of 16; 16 bytes: four of 8, and so for ldmatrix and stmatrix, whose lanes give rows
// of 16 bytes). A phase takes as many *wavefronts* as the fullest bank has distinct words. Equal words are free. Two
// phases of a load run as one where every lane shares its address with a neighbour (`loadWavefronts`). Global
// memory: *sectors* of 32 and *lines* of 128 bytes. A load that hits the L1 cache obeys the bank rule too, so
// `wavefronts` is meaningful for global addresses as well.
//
#ifndef TILE_LAYOUT_ACCESSCOST_H
#define TILE_LAYOUT_ACCESSCOST_H

#include "tile/Layout/SharedLayout.h"

#include <array>

namespace tile {

/// One instruction of one warp.
struct MemoryRequest {
  /// A negative address marks a lane that takes no part.
  static constexpr int64_t kInactive = -1;
  /// Byte address of each lane, a multiple of `bytes`.
  std::array<int64_t, 32> address = filled(kInactive);
  /// Bytes each lane moves: 1, 2, 4, 8 or 16. For ldmatrix and stmatrix 16.
  int bytes = 4;
  /// How often the request runs.
  int64_t weight = 1;

private:
  static constexpr std::array<int64_t, 32> filled(int64_t value) {
    std::array<int64_t, 32> all{};
    all.fill(value);
    return all;
  }
};

/// Lanes that share a phase: 32, 16 or 8.
int lanesPerPhase(int bytes);

/// Wavefronts of the request, weight not applied; 0 if no lane is active.
int64_t wavefronts(const MemoryRequest &request);
/// Wavefronts it would take without conflicts: its phases that have an active lane.
int64_t idealWavefronts(const MemoryRequest &request);
/// Wavefronts of a load, which may take two phases at once: the first and the second, or the third and the fourth, if
/// in both all active lanes 2i and 2i + 1 have the same address, or all lanes i and i + 2 do (i % 4 < 2). So a
/// broadcast of 16 bytes takes two wavefronts, not four. Stores do not; the search for layouts counts every load as if
/// it did not.
int64_t loadWavefronts(const MemoryRequest &request);
/// Wavefronts such a load would take without conflicts.
int64_t idealLoadWavefronts(const MemoryRequest &request);
/// Wavefronts no layout can beat that keeps chunks of `unit` bytes whole: per phase, the words at the same place inside
/// their chunks need ceil(distinct chunks / (128 / unit)). \pre unit is a power of two from 4 to 128.
int64_t chunkBound(const MemoryRequest &request, int64_t unit);

/// What a request costs in global memory, weight not applied.
struct GlobalCost {
  /// Distinct pieces of 32 and 128 bytes that are touched.
  int64_t sectors = 0;
  int64_t lines = 0;
  /// Sectors that the distinct bytes would fill if they lay together.
  int64_t idealSectors = 0;
  /// Sectors of which some bytes are not touched: for a store, a read from memory may follow.
  int64_t partialSectors = 0;
  bool operator==(const GlobalCost &) const = default;
};
GlobalCost globalCost(const MemoryRequest &request);

/// A shared layout and what it costs.
struct SharedChoice {
  SharedLayout layout;
  /// Weighted wavefronts over all requests.
  int64_t cost = 0;
};

/// The outcome of a search.
struct SharedSearchResult {
  SharedChoice best;
  /// The best of the others that were looked at; nothing if the first one already reached the bound.
  std::optional<SharedChoice> runnerUp;
  /// No layout that keeps the widest access whole can cost less.
  int64_t bound = 0;
  /// Weighted phases: the cost without any conflict.
  int64_t ideal = 0;
  /// Widest access in bytes that the choice assumes; smaller than the widest one given if cutting accesses pays.
  int accessBytes = 0;
  /// How many layouts were evaluated.
  int evaluated = 0;
  /// What was chosen and why it is not better, for the report.
  std::string why;
};

/// What a search may do.
struct SharedSearchOptions {
  /// Cut wide accesses into 8 or 4 bytes where that saves wavefronts.
  bool mayCut = false;
  /// Make rows longer. Without, every access must be aligned in rows as they are.
  bool mayPad = true;
  /// Bytes that stay together whatever the accesses are: the widest element of a view.
  int64_t wholeBytes = 1;
  /// The tile may not take more.
  int64_t maxBytes = INT64_MAX;
};

/// Chooses the layout of a tile in shared memory under all accesses to it.
///
/// The family, in this order: linear; one XOR field; two; padding (only if strictly better); and, if `mayCut`, layouts
/// that cut wide accesses into 8 or 4 bytes, each extra request counted as a quarter of a wavefront: such a layout
/// keeps no more bytes together, or aligned, than that. The search ends at the chunk bound. The first of equals wins.
/// \param requests  addresses are row-major byte offsets in the dense tile, (row * columns + column) * elementBytes.
/// \returns nothing, and the reason in `why`, if the tile or a request is malformed (an address outside the tile or not
/// a multiple of the width, a width that is no power of two from 1 to 16, an access across the end of a row).
std::optional<SharedSearchResult> searchSharedLayout(const Extents &extents, int64_t elementBytes,
                                                     const std::vector<MemoryRequest> &requests,
                                                     const SharedSearchOptions &options = {},
                                                     std::string *why = nullptr);

/// The cost of all requests (as above) under one layout, in weighted wavefronts; stops early once it exceeds `limit`.
int64_t sharedCost(const SharedLayout &layout, const std::vector<MemoryRequest> &requests, int64_t limit = INT64_MAX);

} // namespace tile

#endif // TILE_LAYOUT_ACCESSCOST_H
