// Shadow.h - who touched which bytes last: finds races by happens-before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_SIMULATOR_SHADOW_H
#define TILE_LIB_SIMULATOR_SHADOW_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tile::simt {

/// One access by one thread.
struct Stamp {
  uint32_t clock = 0; ///< of the warp: how many synchronisations it had seen; 0: never
  uint32_t step = 0;  ///< of the warp: which of its instructions
  int32_t inst = 0;   ///< place in the program
  uint16_t thread = 0;
  bool isAtomic = false;
};

/// What is known of one granule. A second reader is kept so that readers of two warps are never forgotten; of one warp
/// only the last reader is known.
struct Cell {
  Stamp writer, reader, otherReader;
};

/// Vector clocks, one a warp. Own time counts on at each synchronisation, over all blocks, so that nothing needs to be
/// cleared: what is older than the block is void.
class Clocks {
public:
  static constexpr int kMostWarps = 32;

  /// A new block: no warp has seen anything of another.
  void begin() {
    base = latest + 1;
    latest = floor = base;
    for (int warp = 0; warp < kMostWarps; ++warp) {
      own[warp] = base;
      seen[warp].fill(base - 1);
    }
  }
  /// A barrier of the whole block: everything before it happens before everything after it.
  void join(int warps) {
    for (int warp = 0; warp < warps; ++warp)
      for (int other = 0; other < warps; ++other)
        seen[warp][other] = own[other];
    for (int warp = 0; warp < warps; ++warp)
      latest = std::max(latest, ++own[warp]);
    floor = *std::min_element(own.begin(), own.begin() + warps);
  }
  uint32_t now(int warp) const { return own[warp]; }
  /// Short for the usual case: stamps older than this happened before whatever happens now, in every warp.
  bool isSettled(const Stamp &stamp) const { return stamp.clock < floor; }
  bool isOfThisBlock(const Stamp &stamp) const { return stamp.clock >= base; }
  /// True if warp `observer` has synchronised with the stamp's warp since.
  bool hasSeen(int observer, const Stamp &stamp) const { return seen[observer][stamp.thread / 32] >= stamp.clock; }

private:
  uint32_t base = 0, latest = 0, floor = 0;
  std::array<uint32_t, kMostWarps> own{};
  std::array<std::array<uint32_t, kMostWarps>, kMostWarps> seen{};
};

/// The cells of one memory, made as they are touched.
class Shadow {
public:
  Shadow(int64_t bytes, int granule) : shift(granule == 16 ? 4 : granule == 8 ? 3 : granule == 4 ? 2 : granule / 2) {
    pages.resize((bytes >> shift) / kPageCells + 1);
  }
  int64_t granule() const { return int64_t(1) << shift; }
  Cell &cell(int64_t address) {
    int64_t number = address >> shift;
    std::unique_ptr<Page> &page = pages[number / kPageCells];
    if (!page)
      makePage(number / kPageCells);
    return (*page)[number % kPageCells];
  }
  /// Pages that no thread of the coming block needs are used again: memory follows the footprint of one block.
  void recycle() {
    for (int64_t number : touched)
      spare.push_back(std::move(pages[number]));
    touched.clear();
  }

private:
  static constexpr int64_t kPageCells = 128;
  using Page = std::array<Cell, kPageCells>;

  void makePage(int64_t number) {
    if (spare.empty()) {
      pages[number] = std::make_unique<Page>();
    } else {
      pages[number] = std::move(spare.back());
      spare.pop_back();
    }
    touched.push_back(number);
  }

  int shift;
  std::vector<std::unique_ptr<Page>> pages, spare;
  std::vector<int64_t> touched;
};

} // namespace tile::simt

#endif // TILE_LIB_SIMULATOR_SHADOW_H
