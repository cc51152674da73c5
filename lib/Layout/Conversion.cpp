// Conversion.cpp - containment, same warp and the sources of registers by tables, one per axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Conversion.h"

#include <algorithm>

namespace tile {

// Thread and block as one number. Threads are below 1024, so sums and differences of threads never reach a block, and
// dividing by 32 keeps blocks apart.
static constexpr int64_t kBlockStep = 1 << 16;

static std::vector<int64_t> holderTable(const Layout &layout, int axis) {
  std::vector<int64_t> holders = layout.axisTable(axis, Owner::Thread);
  std::vector<int64_t> blocks = layout.axisTable(axis, Owner::Block);
  for (size_t x = 0; x < holders.size(); ++x)
    holders[x] += blocks[x] * kBlockStep;
  return holders;
}

static std::vector<int64_t> copyTable(const Layout &layout) {
  std::vector<int64_t> offsets;
  for (const Place &copy : layout.copyOffsets())
    offsets.push_back(copy.thread + copy.block * kBlockStep);
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

template <typename T> static void sortUnique(std::vector<T> &values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

static bool haveOneShape(const Layout &a, const Layout &b) {
  return a.extents() == b.extents() && a.origins() == b.origins();
}

/// Tries the first copy of a few elements, one for each digit: mostly that is enough to refute what a table proves.
template <typename Test> static bool passesProbes(const Layout &held, const Layout &needed, Test isFine) {
  std::vector<int64_t> copies = copyTable(held);
  Coordinate at(held.rank(), 0);
  for (const Layout *layout : {&held, &needed})
    for (const Digit &digit : layout->digits()) {
      if (digit.radix == 1 || digit.weight >= held.extents()[digit.axis])
        continue;
      at[digit.axis] = digit.weight;
      Place from = held.place(at), to = needed.place(at);
      at[digit.axis] = 0;
      int64_t first = from.thread + from.block * kBlockStep, wanted = to.thread + to.block * kBlockStep;
      if (std::none_of(copies.begin(), copies.end(), [&](int64_t copy) { return isFine(first + copy, wanted); }))
        return false;
    }
  return true;
}

bool contains(const Layout &held, const Layout &needed) {
  if (!haveOneShape(held, needed) || !passesProbes(held, needed, [](int64_t from, int64_t to) { return from == to; }))
    return false;
  std::vector<int64_t> allowed = copyTable(held), sums = copyTable(needed);
  if (sums.size() > allowed.size())
    return false;
  for (int a = 0; a < held.rank(); ++a) {
    std::vector<int64_t> from = holderTable(held, a), to = holderTable(needed, a), differences, grown;
    for (size_t x = 0; x < from.size(); ++x) {
      int64_t difference = to[x] - from[x];
      if (std::find(differences.begin(), differences.end(), difference) != differences.end())
        continue;
      differences.push_back(difference);
      // A sumset is at least as large as each of its parts.
      if (differences.size() > allowed.size())
        return false;
    }
    for (int64_t sum : sums)
      for (int64_t difference : differences)
        grown.push_back(sum + difference);
    sortUnique(grown);
    if (grown.size() > allowed.size())
      return false;
    sums = std::move(grown);
  }
  return std::includes(allowed.begin(), allowed.end(), sums.begin(), sums.end());
}

/// True if lanes of different axes and copies never add up to another warp: then the warp number is a sum over the axes
/// too.
static bool keepsWarpsApart(const Layout &layout) {
  int64_t lanes = 0;
  auto addLargest = [&](const std::vector<int64_t> &holders) {
    int64_t largest = 0;
    for (int64_t holder : holders)
      largest = std::max(largest, holder % 32);
    lanes += largest;
  };
  for (int a = 0; a < layout.rank(); ++a)
    addLargest(holderTable(layout, a));
  addLargest(copyTable(layout));
  return lanes < 32;
}

namespace {
/// A holder under `needed` and one under `held` of the same element.
using HolderPair = std::pair<int64_t, int64_t>;
} // namespace

/// Divides by `unit` and drops what is then equal.
static std::vector<HolderPair> holderPairs(const Layout &held, const Layout &needed, int axis, int64_t unit) {
  std::vector<int64_t> from = holderTable(held, axis), to = holderTable(needed, axis);
  std::vector<HolderPair> pairs;
  for (size_t x = 0; x < from.size(); ++x)
    pairs.emplace_back(to[x] / unit, from[x] / unit);
  sortUnique(pairs);
  return pairs;
}

static std::vector<int64_t> copyTable(const Layout &layout, int64_t unit) {
  std::vector<int64_t> offsets = copyTable(layout);
  for (int64_t &offset : offsets)
    offset /= unit;
  sortUnique(offsets);
  return offsets;
}

bool mayShareWarps(const Layout &held, const Layout &needed) {
  return haveOneShape(held, needed) &&
         passesProbes(held, needed, [](int64_t from, int64_t to) { return from / 32 == to / 32; });
}

bool sameWarp(const Layout &held, const Layout &needed) {
  if (!mayShareWarps(held, needed))
    return false;
  int64_t unit = keepsWarpsApart(held) && keepsWarpsApart(needed) ? 32 : 1, warp = 32 / unit;
  std::vector<int64_t> heldCopies = copyTable(held, unit), neededCopies = copyTable(needed, unit);
  auto isInWarp = [&](const HolderPair &pair) {
    return std::all_of(neededCopies.begin(), neededCopies.end(), [&](int64_t neededCopy) {
      return std::any_of(heldCopies.begin(), heldCopies.end(), [&](int64_t heldCopy) {
        return (pair.first + neededCopy) / warp == (pair.second + heldCopy) / warp;
      });
    });
  };
  std::vector<HolderPair> sums = {{0, 0}};
  for (int a = 0; a < held.rank(); ++a) {
    std::vector<HolderPair> grown, pairs = holderPairs(held, needed, a, unit);
    for (const HolderPair &sum : sums)
      for (const HolderPair &pair : pairs)
        grown.emplace_back(sum.first + pair.first, sum.second + pair.second);
    sortUnique(grown);
    sums = std::move(grown);
    // The other axes at their first index: already an element, so a miss here is one.
    if (!std::all_of(sums.begin(), sums.end(), isInWarp))
      return false;
  }
  return held.rank() > 0 || isInWarp({0, 0});
}

int64_t ownCopy(const Layout &held, int64_t thread) {
  int64_t offset = 0;
  for (const Spread &copy : held.copies())
    if (copy.owner == Owner::Thread)
      offset += thread / copy.stride % copy.radix * copy.stride;
  return offset;
}

bool sameWarpAtOwnCopy(const Layout &held, const Layout &needed) {
  if (!sameWarp(held, needed))
    return false;
  auto isSpread = [](const Spread &copy) { return copy.owner == Owner::Thread && copy.radix > 1; };
  if (std::none_of(held.copies().begin(), held.copies().end(), isSpread))
    return true;
  std::vector<int64_t> neededCopies = copyTable(needed);
  std::vector<HolderPair> sums = {{0, 0}};
  for (int a = 0; a < held.rank(); ++a) {
    std::vector<HolderPair> grown, pairs = holderPairs(held, needed, a, /*unit=*/1);
    for (const HolderPair &sum : sums)
      for (const HolderPair &pair : pairs)
        grown.emplace_back(sum.first + pair.first, sum.second + pair.second);
    sortUnique(grown);
    sums = std::move(grown);
  }
  return std::all_of(sums.begin(), sums.end(), [&](const HolderPair &pair) {
    return std::all_of(neededCopies.begin(), neededCopies.end(), [&](int64_t copy) {
      int64_t thread = pair.first + copy;
      return thread / 32 == (pair.second + ownCopy(held, thread % kBlockStep)) / 32;
    });
  });
}

/// The register parts of one axis under `to` and under `from`, each pair once.
static std::vector<std::pair<int64_t, int64_t>> registerPairs(const Layout &from, const Layout &to, int axis) {
  std::vector<int64_t> source = from.axisTable(axis, Owner::Register), target = to.axisTable(axis, Owner::Register);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t x = 0; x < source.size(); ++x)
    pairs.emplace_back(target[x], source[x]);
  sortUnique(pairs);
  return pairs;
}

std::vector<std::vector<int64_t>> registerSources(const Layout &from, const Layout &to) {
  // The axes are independent: an element exists for every combination of indices. So the sources of a register are the
  // sums of what each axis can contribute.
  std::vector<std::pair<int64_t, int64_t>> sums = {{0, 0}};
  for (int a = 0; a < from.rank(); ++a) {
    std::vector<std::pair<int64_t, int64_t>> grown, pairs = registerPairs(from, to, a);
    for (const auto &[target, source] : sums)
      for (const auto &[targetPart, sourcePart] : pairs)
        grown.emplace_back(target + targetPart, source + sourcePart);
    sums = std::move(grown);
  }
  std::sort(sums.begin(), sums.end());
  std::vector<std::vector<int64_t>> sources(to.numRegisters());
  for (const auto &[target, source] : sums)
    sources[target].push_back(source);
  return sources;
}

namespace {
/// Of one axis: distinct register parts under `to`, and distinct pairs of them under `to` and `from`.
struct PartCount {
  int64_t targets = 1, pairs = 1;
};
} // namespace

/// The digit that covers weight `low`, null past the top one.
static const Digit *digitAt(std::span<const Digit> digits, int64_t low) {
  for (const Digit &digit : digits)
    if (digit.weight <= low && low < digit.weight * digit.radix)
      return &digit;
  return nullptr;
}

/// Counts by pieces of digits. Nothing if the cuts of the two layouts do not divide one another, or the extent ends
/// inside of a piece.
static std::optional<PartCount> countByPieces(const Layout &from, const Layout &to, int axis) {
  std::span<const Digit> source = from.axisDigits(axis), target = to.axisDigits(axis);
  int64_t end = from.extents()[axis] + from.origins()[axis];
  PartCount count;
  for (int64_t low = 1, high = 0; low < end; low = high) {
    const Digit *below = digitAt(source, low), *above = digitAt(target, low);
    if (!below || !above)
      return std::nullopt;
    high = std::min({below->weight * below->radix, above->weight * above->radix, end});
    if (high % low != 0)
      return std::nullopt;
    bool isTarget = above->owner == Owner::Register;
    count.targets *= isTarget ? high / low : 1;
    count.pairs *= isTarget || below->owner == Owner::Register ? high / low : 1;
  }
  return count;
}

static PartCount countByTables(const Layout &from, const Layout &to, int axis) {
  std::vector<std::pair<int64_t, int64_t>> pairs = registerPairs(from, to, axis);
  PartCount count{0, static_cast<int64_t>(pairs.size())};
  for (size_t i = 0; i < pairs.size(); ++i)
    count.targets += i == 0 || pairs[i].first != pairs[i - 1].first;
  return count;
}

SourceCount countRegisterSources(const Layout &from, const Layout &to) {
  PartCount all;
  for (int a = 0; a < from.rank(); ++a) {
    std::optional<PartCount> quick = countByPieces(from, to, a);
    PartCount count = quick ? *quick : countByTables(from, to, a);
    all.targets *= count.targets;
    all.pairs *= count.pairs;
  }
  return {all.pairs, to.numRegisters() - all.targets};
}

} // namespace tile
