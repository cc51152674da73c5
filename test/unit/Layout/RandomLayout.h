// RandomLayout.h - seeded random layouts and their enumeration, the reference of the property tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
#define TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H

#include "tile/Layout/Layout.h"

#include <map>
#include <random>
#include <set>

namespace tile {

/// Small random numbers from one seed.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) {}
  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(engine() % (high - low + 1)); }
  bool oneIn(int64_t n) { return between(1, n) == 1; }
  template <typename T> void shuffle(std::vector<T> &items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[between(0, static_cast<int64_t>(i) - 1)]);
  }

private:
  std::mt19937_64 engine;
};

/// What may occur in a random layout.
struct RandomOptions {
  int64_t maxThreads = 160;
  int64_t maxBlocks = 3;
  int64_t maxCopies = 6;
  bool gaps = true;
  bool origins = false;
  bool powersOfTwo = false;
};

/// A random layout over the extents: mixed radices, paddings, idle threads, holes, copies, blocks.
Layout randomLayout(Dice &dice, const Extents &extents, const RandomOptions &options);

/// Random extents of `rank` axes with at most `maxElements` elements in all.
Extents randomExtents(Dice &dice, int rank, int64_t maxElements);

/// The same function written differently: digits split, radix 1 added, top digits padded, the order shuffled.
Layout rewriteRandomly(Dice &dice, const Layout &layout);

/// A relative of the layout: some thread digits become registers with copies, copies vanish, strides are exchanged.
Layout mutateRandomly(Dice &dice, const Layout &layout);

/// Calls `visit(coordinate)` for every coordinate of the extents, the last axis fastest.
template <typename Visit> void forEach(const Extents &extents, Visit visit) {
  Coordinate x(extents.size(), 0);
  for (;;) {
    visit(static_cast<const Coordinate &>(x));
    size_t a = extents.size();
    while (a > 0 && ++x[a - 1] == extents[a - 1])
      x[--a] = 0;
    if (a == 0)
      return;
  }
}

/// (block, thread) -> register of all holders, for each element, found by asking every thread and register what it
/// holds.
using Holders = std::map<Coordinate, std::map<std::pair<int64_t, int64_t>, int64_t>>;
Holders enumerate(const Layout &layout);

} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_RANDOMLAYOUT_H
