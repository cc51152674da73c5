// DefaultLayout.cpp - chooses vector, threads and registers for a tile by a short exhaustive search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/DefaultLayout.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>

namespace tile {

static int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

namespace {
struct Tile {
  Extents extents;
  int contiguousAxis;
  int64_t elementBytes, threads, elements;
  int64_t contiguousExtent() const { return extents.empty() ? 1 : extents[contiguousAxis]; }
};

/// A vector width and a number of threads for each axis.
struct Candidate {
  int64_t vector = 1;
  std::vector<int64_t> axisThreads;
  int64_t steps = 1; // accesses of each thread
  int64_t usedThreads = 1;
  bool isMasked = false;

  int64_t registers() const { return steps * vector; }
  bool isExact(const Tile &tile) const { return !isMasked && usedThreads == tile.threads; }
};

/// How threads are dealt to an axis when `left` of them are still free.
enum class Deal { Greedy, Balanced, Common, Divisor };
} // namespace

static int64_t deal(Deal how, int64_t extent, int64_t left) {
  int64_t most = std::min(extent, left);
  switch (how) {
  case Deal::Greedy:
    return most;
  case Deal::Balanced:
    return ceilDiv(extent, ceilDiv(extent, most));
  case Deal::Common:
    return std::gcd(extent, left);
  case Deal::Divisor:
    while (extent % most)
      --most;
    return most;
  }
  return 1;
}

/// The axes other than the contiguous one, the innermost first.
static std::vector<int> otherAxes(const Tile &tile) {
  std::vector<int> axes;
  for (int a = static_cast<int>(tile.extents.size()) - 1; a >= 0; --a)
    if (a != tile.contiguousAxis)
      axes.push_back(a);
  return axes;
}

static Candidate makeCandidate(const Tile &tile, int64_t vector, int64_t lanes, Deal how) {
  Candidate made;
  made.vector = vector;
  made.axisThreads.assign(tile.extents.size(), 1);
  auto give = [&](int64_t pieces, int64_t threads) {
    int64_t steps = ceilDiv(pieces, threads);
    made.steps *= steps;
    made.usedThreads *= threads;
    made.isMasked |= steps * threads != pieces;
    return threads;
  };
  if (tile.extents.empty())
    return made;
  int64_t vectors = ceilDiv(tile.contiguousExtent(), vector);
  made.isMasked = vectors * vector != tile.contiguousExtent();
  made.axisThreads[tile.contiguousAxis] = give(vectors, lanes);
  for (int a : otherAxes(tile))
    made.axisThreads[a] = give(tile.extents[a], deal(how, tile.extents[a], tile.threads / made.usedThreads));
  return made;
}

/// Lower is better; `mayPreferExact` is off for vectors below half of the widest.
static auto score(const Tile &tile, const Candidate &candidate, bool mayPreferExact) {
  int64_t lanes = tile.extents.empty() ? 1 : candidate.axisThreads[tile.contiguousAxis];
  return std::make_tuple(!(mayPreferExact && candidate.isExact(tile)), candidate.steps, candidate.isMasked,
                         candidate.registers(), -lanes);
}

/// Is this number of threads along the contiguous axis worth a try? Those that waste none for their number of steps,
/// and powers of two, if they keep 64 bytes of a row together.
static bool isWorthTrying(const Tile &tile, int64_t vector, int64_t vectors, int64_t lanes) {
  int64_t most = std::min(vectors, tile.threads);
  if (lanes == most)
    return true;
  int64_t rowBytes = tile.contiguousExtent() * tile.elementBytes;
  if (lanes * vector * tile.elementBytes < std::min<int64_t>(64, rowBytes))
    return false;
  return lanes == ceilDiv(vectors, ceilDiv(vectors, lanes)) || std::has_single_bit(static_cast<uint64_t>(lanes));
}

/// Calls `visit` with every candidate of one vector width.
template <typename Visit> static void forCandidates(const Tile &tile, int64_t vector, Visit visit) {
  int64_t vectors = ceilDiv(tile.contiguousExtent(), vector);
  int64_t mostRegisters = 2 * ceilDiv(tile.elements, tile.threads);
  for (int64_t lanes = 1; lanes <= std::min(vectors, tile.threads); ++lanes) {
    if (!isWorthTrying(tile, vector, vectors, lanes))
      continue;
    for (Deal how : {Deal::Greedy, Deal::Balanced, Deal::Common, Deal::Divisor})
      if (Candidate candidate = makeCandidate(tile, vector, lanes, how); candidate.registers() <= mostRegisters)
        visit(std::move(candidate));
  }
}

static std::optional<Candidate> bestOfVector(const Tile &tile, int64_t vector, bool mayPreferExact) {
  std::optional<Candidate> best;
  forCandidates(tile, vector, [&](Candidate candidate) {
    if (!best || score(tile, candidate, mayPreferExact) < score(tile, *best, mayPreferExact))
      best = std::move(candidate);
  });
  return best;
}

static LayoutParts toParts(const Tile &tile, const Candidate &chosen) {
  LayoutParts parts;
  parts.extents = tile.extents;
  parts.threads = tile.threads;
  int64_t threadStride = 1, registerStride = 1;
  auto add = [&](int axis, int64_t &weight, int64_t radix, Owner owner) {
    int64_t &stride = owner == Owner::Thread ? threadStride : registerStride;
    if (radix > 1)
      parts.digits.push_back({axis, weight, radix, owner, stride});
    weight *= radix;
    stride *= radix;
  };
  std::vector<int> axes = otherAxes(tile);
  if (!tile.extents.empty())
    axes.insert(axes.begin(), tile.contiguousAxis);
  for (int axis : axes) {
    int64_t weight = 1, threads = chosen.axisThreads[axis];
    if (axis == tile.contiguousAxis)
      add(axis, weight, chosen.vector, Owner::Register);
    add(axis, weight, threads, Owner::Thread);
    add(axis, weight, ceilDiv(tile.extents[axis], weight), Owner::Register);
  }
  return parts;
}

static bool checkTile(Tile &tile, int64_t vectorElements, std::string *why) {
  auto refuse = [&](std::string sentence) {
    if (why)
      *why = std::move(sentence);
    return false;
  };
  auto rank = static_cast<int64_t>(tile.extents.size());
  if (tile.threads < 1 || tile.threads > Layout::kMaxThreads)
    return refuse("a layout over " + std::to_string(tile.threads) + " threads; there must be between 1 and " +
                  std::to_string(Layout::kMaxThreads));
  if (rank > 0 && (tile.contiguousAxis < 0 || tile.contiguousAxis >= rank))
    return refuse("axis " + std::to_string(tile.contiguousAxis) + " is contiguous, of " + std::to_string(rank));
  if (tile.elementBytes < 1 || tile.elementBytes > 16 || vectorElements < 1)
    return refuse("vectors of " + std::to_string(vectorElements) + " elements of " + std::to_string(tile.elementBytes) +
                  " bytes; there must be at least one element, of 1 to 16 bytes");
  for (int64_t extent : tile.extents)
    if (extent < 1 || extent > Layout::kMaxElements || (tile.elements *= extent) > Layout::kMaxElements)
      return refuse("an extent of " + std::to_string(extent) + "; extents are positive and multiply to " +
                    std::to_string(Layout::kMaxElements) + " at most");
  return true;
}

std::optional<Layout> defaultLayout(const Extents &extents, int64_t elementBytes, int contiguousAxis, int64_t threads,
                                    int64_t vectorElements, std::string *why) {
  Tile tile{extents, contiguousAxis, elementBytes, threads, 1};
  if (!checkTile(tile, vectorElements, why))
    return std::nullopt;
  auto widest = std::bit_floor(static_cast<uint64_t>(std::min(vectorElements, tile.contiguousExtent())));
  std::optional<Candidate> best;
  int64_t widestPossible = 0;
  // One element a thread and step is always possible: dealing threads greedily never costs a factor of two.
  for (auto vector = static_cast<int64_t>(widest); vector >= 1; vector /= 2) {
    bool mayPreferExact = widestPossible == 0 || 2 * vector >= widestPossible;
    std::optional<Candidate> candidate = bestOfVector(tile, vector, mayPreferExact);
    if (!candidate)
      continue;
    if (widestPossible == 0)
      widestPossible = vector;
    auto isHalf = [&](const Candidate &c) { return 2 * c.vector >= widestPossible; };
    if (!best || score(tile, *candidate, isHalf(*candidate)) < score(tile, *best, isHalf(*best)))
      best = std::move(candidate);
  }
  return Layout::get(toParts(tile, *best), why);
}

std::vector<Layout> candidateLayouts(const Extents &extents, int64_t elementBytes, int contiguousAxis, int64_t threads,
                                     int64_t vectorElements) {
  Tile tile{extents, contiguousAxis, elementBytes, threads, 1};
  std::vector<Layout> layouts;
  if (!checkTile(tile, vectorElements, nullptr))
    return layouts;
  std::set<std::vector<int64_t>> known;
  auto widest = std::bit_floor(static_cast<uint64_t>(std::min(vectorElements, tile.contiguousExtent())));
  for (auto vector = static_cast<int64_t>(widest); vector >= 1; vector /= 2)
    forCandidates(tile, vector, [&](const Candidate &candidate) {
      std::vector<int64_t> key = candidate.axisThreads;
      key.push_back(vector);
      if (!known.insert(key).second)
        return;
      if (std::optional<Layout> layout = Layout::get(toParts(tile, candidate)))
        layouts.push_back(std::move(*layout));
    });
  return layouts;
}

} // namespace tile
