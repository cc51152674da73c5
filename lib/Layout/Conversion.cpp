// Conversion.cpp - containment, same warp and register moves by tables, one per axis.
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

bool contains(const Layout &held, const Layout &needed) {
  if (!haveOneShape(held, needed))
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

bool sameWarp(const Layout &held, const Layout &needed) {
  if (!haveOneShape(held, needed))
    return false;
  std::vector<int64_t> heldCopies = copyTable(held), neededCopies = copyTable(needed);
  using Pair = std::pair<int64_t, int64_t>; // holder under needed, under held
  std::vector<Pair> sums = {{0, 0}};
  for (int a = 0; a < held.rank(); ++a) {
    std::vector<int64_t> from = holderTable(held, a), to = holderTable(needed, a);
    std::vector<Pair> pairs, grown;
    for (size_t x = 0; x < from.size(); ++x)
      pairs.emplace_back(to[x], from[x]);
    sortUnique(pairs);
    for (const Pair &sum : sums)
      for (const Pair &pair : pairs)
        grown.emplace_back(sum.first + pair.first, sum.second + pair.second);
    sortUnique(grown);
    sums = std::move(grown);
  }
  for (const auto &[to, from] : sums)
    for (int64_t neededCopy : neededCopies) {
      auto isHere = [&, to = to, from = from](int64_t copy) { return (from + copy) / 32 == (to + neededCopy) / 32; };
      if (std::none_of(heldCopies.begin(), heldCopies.end(), isHere))
        return false;
    }
  return true;
}

ConversionKind classify(const Layout &from, const Layout &to) {
  if (from == to)
    return ConversionKind::Same;
  if (contains(from, to))
    return ConversionKind::Registers;
  return sameWarp(from, to) ? ConversionKind::Shuffle : ConversionKind::Shared;
}

std::string_view name(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Same:
    return "nothing to do";
  case ConversionKind::Registers:
    return "register move";
  case ConversionKind::Shuffle:
    return "shuffles inside each warp";
  case ConversionKind::Shared:
    return "through shared memory";
  }
  return "?";
}

bool RegisterMoves::isUniform() const {
  return std::find(source.begin(), source.end(), kVaries) == source.end();
}

namespace {
/// What one axis adds to a register number of `to`, and what it then adds to that of `from`.
struct AxisMove {
  int64_t to, from;
};
} // namespace

/// The distinct register parts of one axis; `from` is kVaries where threads disagree.
static std::vector<AxisMove> axisMoves(const Layout &from, const Layout &to, int axis) {
  std::vector<int64_t> source = from.axisTable(axis, Owner::Register), target = to.axisTable(axis, Owner::Register);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t x = 0; x < source.size(); ++x)
    pairs.emplace_back(target[x], source[x]);
  sortUnique(pairs);
  std::vector<AxisMove> moves;
  for (const auto &[targetPart, sourcePart] : pairs) {
    if (!moves.empty() && moves.back().to == targetPart)
      moves.back().from = RegisterMoves::kVaries;
    else
      moves.push_back({targetPart, sourcePart});
  }
  return moves;
}

std::optional<RegisterMoves> registerMoves(const Layout &from, const Layout &to) {
  if (!contains(from, to))
    return std::nullopt;
  // The axes are independent: thread digits of one axis take all their values whatever the others do. So a register is
  // uniform iff the part of each axis is.
  std::vector<AxisMove> moves = {{0, 0}};
  for (int a = 0; a < from.rank(); ++a) {
    std::vector<AxisMove> grown;
    std::vector<AxisMove> parts = axisMoves(from, to, a);
    for (const AxisMove &move : moves)
      for (const AxisMove &part : parts) {
        bool varies = move.from == RegisterMoves::kVaries || part.from == RegisterMoves::kVaries;
        grown.push_back({move.to + part.to, varies ? RegisterMoves::kVaries : move.from + part.from});
      }
    moves = std::move(grown);
  }
  RegisterMoves result;
  result.source.assign(to.numRegisters(), RegisterMoves::kUnused);
  for (const AxisMove &move : moves)
    result.source[move.to] = move.from;
  return result;
}

} // namespace tile
