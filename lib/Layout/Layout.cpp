// Layout.cpp - checks, places and the canonical form of distributed layouts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Layout.h"

#include "LayoutText.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace tile {

static int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

static bool refuse(std::string *why, std::string sentence) {
  if (why)
    *why = std::move(sentence);
  return false;
}

static std::string quoted(const Digit &digit) {
  return "digit '" + spell(digit) + "' of axis " + std::to_string(digit.axis);
}

static std::string quoted(const Spread &copy) {
  return "copy '" + spell(copy) + "'";
}

/// A number that later arithmetic can multiply by another such number without overflow.
static bool isModerate(int64_t number) {
  return number >= 1 && number <= Layout::kMaxElements;
}

static std::string rangeRule() {
  return "; it must be between 1 and " + std::to_string(Layout::kMaxElements);
}

static bool checkShape(LayoutParts &parts, std::string *why) {
  auto rank = static_cast<int64_t>(parts.extents.size());
  if (rank > Layout::kMaxRank)
    return refuse(why, "the tile has " + std::to_string(rank) + " axes; at most " + std::to_string(Layout::kMaxRank) +
                           " are possible");
  for (int64_t a = 0; a < rank; ++a)
    if (!isModerate(parts.extents[a]))
      return refuse(why, "axis " + std::to_string(a) + " has extent " + std::to_string(parts.extents[a]) + rangeRule());
  if (parts.threads < 1 || parts.threads > Layout::kMaxThreads)
    return refuse(why, "the layout has " + std::to_string(parts.threads) + " threads; there must be between 1 and " +
                           std::to_string(Layout::kMaxThreads));
  if (parts.blocks < 1 || parts.blocks > Layout::kMaxBlocks)
    return refuse(why, "the layout has " + std::to_string(parts.blocks) + " blocks; there must be between 1 and " +
                           std::to_string(Layout::kMaxBlocks));
  if (parts.origins.empty())
    parts.origins.assign(rank, 0);
  if (static_cast<int64_t>(parts.origins.size()) != rank)
    return refuse(why, "the layout has " + std::to_string(parts.origins.size()) + " origins for " +
                           std::to_string(rank) + " axes; there must be one each");
  for (int64_t a = 0; a < rank; ++a)
    if (parts.origins[a] < 0 || parts.origins[a] > Layout::kMaxElements)
      return refuse(why, "axis " + std::to_string(a) + " has origin " + std::to_string(parts.origins[a]) +
                             "; it must be between 0 and " + std::to_string(Layout::kMaxElements));
  return true;
}

static bool checkNumbers(const LayoutParts &parts, std::string *why) {
  for (const Digit &digit : parts.digits) {
    if (digit.axis < 0 || digit.axis >= static_cast<int64_t>(parts.extents.size()))
      return refuse(why, quoted(digit) + " names no axis; the tile has " + std::to_string(parts.extents.size()));
    if (!isModerate(digit.radix))
      return refuse(why, quoted(digit) + " has radix " + std::to_string(digit.radix) + rangeRule());
    if (!isModerate(digit.stride))
      return refuse(why, quoted(digit) + " has stride " + std::to_string(digit.stride) + rangeRule());
    if (!isModerate(digit.weight))
      return refuse(why, quoted(digit) + " has weight " + std::to_string(digit.weight) + rangeRule());
  }
  for (const Spread &copy : parts.copies) {
    if (copy.owner == Owner::Register)
      return refuse(why, quoted(copy) + " belongs to registers; copies are in threads or blocks");
    if (!isModerate(copy.radix))
      return refuse(why, quoted(copy) + " has radix " + std::to_string(copy.radix) + rangeRule());
    if (!isModerate(copy.stride))
      return refuse(why, quoted(copy) + " has stride " + std::to_string(copy.stride) + rangeRule());
  }
  return true;
}

/// The digits of each axis must be a mixed-radix number that reaches its extent. \pre sorted by axis and weight.
static bool checkAxes(const LayoutParts &parts, std::string *why) {
  int64_t elements = 1;
  auto digit = parts.digits.begin();
  for (size_t a = 0; a < parts.extents.size(); ++a) {
    int64_t next = 1;
    for (; digit != parts.digits.end() && digit->axis == static_cast<int>(a); ++digit) {
      if (digit->weight != next)
        return refuse(why, quoted(*digit) + " has weight " + std::to_string(digit->weight) +
                               "; the digits below it multiply to " + std::to_string(next));
      next *= digit->radix;
      if (next > Layout::kMaxElements)
        return refuse(why, quoted(*digit) + " makes its axis " + std::to_string(next) + " long; at most " +
                               std::to_string(Layout::kMaxElements) + " elements are possible");
    }
    int64_t needed = parts.extents[a] + parts.origins[a];
    if (next < needed)
      return refuse(why, "the digits of axis " + std::to_string(a) + " multiply to " + std::to_string(next) +
                             "; they must reach its extent" + (parts.origins[a] ? " plus its origin, " : ", ") +
                             std::to_string(needed));
    elements *= next;
    if (elements > Layout::kMaxElements)
      return refuse(why, "the digits of axes 0 to " + std::to_string(a) + " multiply to " + std::to_string(elements) +
                             "; at most " + std::to_string(Layout::kMaxElements) + " elements are possible");
  }
  return true;
}

namespace {
struct OwnerPosition {
  int64_t stride, radix;
  std::string name;
};
} // namespace

static std::vector<OwnerPosition> ownerPositions(const LayoutParts &parts, Owner owner) {
  std::vector<OwnerPosition> found;
  for (const Digit &digit : parts.digits)
    if (digit.owner == owner && digit.radix > 1)
      found.push_back({digit.stride, digit.radix, quoted(digit)});
  for (const Spread &copy : parts.copies)
    if (copy.owner == owner && copy.radix > 1)
      found.push_back({copy.stride, copy.radix, quoted(copy)});
  std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.stride < b.stride; });
  return found;
}

static std::string tooFar(const OwnerPosition &position, Owner owner, int64_t top, int64_t last) {
  std::string noun = " " + spell(owner) + " ";
  return position.name + " reaches" + noun + std::to_string(top) + "; the last" + noun + "is " + std::to_string(last);
}

/// The positions of an owner must form a chain of strides that stays below `limit`.
static bool checkOwner(const LayoutParts &parts, Owner owner, int64_t limit, std::string *why) {
  std::vector<OwnerPosition> chain = ownerPositions(parts, owner);
  int64_t top = 0;
  for (size_t i = 0; i < chain.size(); ++i) {
    const OwnerPosition &here = chain[i];
    if (i > 0 && here.stride < chain[i - 1].stride * chain[i - 1].radix)
      return refuse(why, here.name + " overlaps " + chain[i - 1].name + "; its stride must be at least " +
                             std::to_string(chain[i - 1].stride * chain[i - 1].radix));
    if (i > 0 && here.stride % chain[i - 1].stride)
      return refuse(why, here.name + " has stride " + std::to_string(here.stride) + "; it must be a multiple of " +
                             std::to_string(chain[i - 1].stride) + ", the stride of " + chain[i - 1].name);
    top += (here.radix - 1) * here.stride;
    if (top >= limit)
      return refuse(why, tooFar(here, owner, top, limit - 1));
  }
  return true;
}

std::optional<Layout> Layout::get(LayoutParts parts, std::string *why) {
  if (!checkShape(parts, why) || !checkNumbers(parts, why))
    return std::nullopt;
  std::stable_sort(parts.digits.begin(), parts.digits.end(), [](const Digit &a, const Digit &b) {
    return std::tie(a.axis, a.weight, a.radix) < std::tie(b.axis, b.weight, b.radix);
  });
  std::stable_sort(parts.copies.begin(), parts.copies.end(), [](const Spread &a, const Spread &b) {
    return std::tie(a.owner, a.stride) < std::tie(b.owner, b.stride);
  });
  if (!checkAxes(parts, why) || !checkOwner(parts, Owner::Thread, parts.threads, why) ||
      !checkOwner(parts, Owner::Block, parts.blocks, why) || !checkOwner(parts, Owner::Register, kMaxRegisters, why))
    return std::nullopt;
  return Layout(std::move(parts));
}

Layout::Layout(LayoutParts checked) : parts(std::move(checked)) {
  for (const Digit &digit : parts.digits)
    if (digit.radix > 1)
      positions[static_cast<int>(digit.owner)].push_back({digit.stride, digit.radix, digit.weight, digit.axis});
  for (const Spread &copy : parts.copies)
    if (copy.radix > 1)
      positions[static_cast<int>(copy.owner)].push_back({copy.stride, copy.radix, 0, -1});
  for (std::vector<Position> &chain : positions)
    std::sort(chain.begin(), chain.end(), [](const Position &a, const Position &b) { return a.stride > b.stride; });
}

Place Layout::place(std::span<const int64_t> coordinate, std::span<const int64_t> origin) const {
  assert(coordinate.size() == parts.extents.size() && "one index per axis");
  assert((origin.empty() || origin.size() == parts.extents.size()) && "one origin per axis");
  std::array<int64_t, 3> number{};
  for (const Digit &digit : parts.digits) {
    int64_t shifted = coordinate[digit.axis] + (origin.empty() ? 0 : origin[digit.axis]);
    assert(coordinate[digit.axis] >= 0 && coordinate[digit.axis] < parts.extents[digit.axis] && "index out of range");
    number[static_cast<int>(digit.owner)] += shifted / digit.weight % digit.radix * digit.stride;
  }
  return {number[static_cast<int>(Owner::Thread)], number[static_cast<int>(Owner::Register)],
          number[static_cast<int>(Owner::Block)]};
}

/// Splits an owner's number into the values of its positions and adds them to the axes, if `shifted` is given.
bool Layout::takeApart(Owner owner, int64_t number, Coordinate *shifted) const {
  if (number < 0)
    return false;
  for (const Position &position : positions[static_cast<int>(owner)]) {
    int64_t value = number / position.stride;
    number %= position.stride;
    if (value >= position.radix)
      return false;
    if (shifted && position.axis >= 0)
      (*shifted)[position.axis] += value * position.weight;
  }
  return number == 0;
}

std::optional<Coordinate> Layout::at(int64_t thread, int64_t reg, int64_t block,
                                     std::span<const int64_t> origin) const {
  assert((origin.empty() || origin.size() == parts.extents.size()) && "one origin per axis");
  Coordinate found(parts.extents.size(), 0);
  if (!takeApart(Owner::Thread, thread, &found) || !takeApart(Owner::Register, reg, &found) ||
      !takeApart(Owner::Block, block, &found))
    return std::nullopt;
  for (size_t a = 0; a < found.size(); ++a) {
    found[a] -= origin.empty() ? 0 : origin[a];
    if (found[a] < 0 || found[a] >= parts.extents[a])
      return std::nullopt;
  }
  return found;
}

int64_t Layout::span(Owner owner) const {
  int64_t top = 0;
  for (const Position &position : positions[static_cast<int>(owner)])
    top += (position.radix - 1) * position.stride;
  return top + 1;
}

int64_t Layout::numPositions(Owner owner) const {
  int64_t product = 1;
  for (const Position &position : positions[static_cast<int>(owner)])
    product *= position.radix;
  return product;
}

bool Layout::isIdle(int64_t thread) const {
  return !takeApart(Owner::Thread, thread, nullptr);
}

int64_t Layout::numActiveThreads() const {
  return numPositions(Owner::Thread);
}

std::vector<Place> Layout::copyOffsets() const {
  std::vector<Place> offsets = {Place()};
  for (const Spread &copy : parts.copies) {
    size_t known = offsets.size();
    for (int64_t value = 1; value < copy.radix; ++value)
      for (size_t i = 0; i < known; ++i) {
        Place moved = offsets[i];
        (copy.owner == Owner::Thread ? moved.thread : moved.block) += value * copy.stride;
        offsets.push_back(moved);
      }
  }
  return offsets;
}

std::span<const Digit> Layout::axisDigits(int axis) const {
  auto below = [](const Digit &digit, int wanted) { return digit.axis < wanted; };
  auto first = std::lower_bound(parts.digits.begin(), parts.digits.end(), axis, below);
  auto last = std::lower_bound(first, parts.digits.end(), axis + 1, below);
  return {first, last};
}

int64_t Layout::paddedExtent(int axis) const {
  int64_t product = 1;
  for (const Digit &digit : axisDigits(axis))
    product *= digit.radix;
  return product;
}

bool Layout::hasMasks() const {
  for (int a = 0; a < rank(); ++a)
    if (parts.origins[a] != 0 || paddedExtent(a) != parts.extents[a])
      return true;
  return false;
}

bool Layout::coversExactly() const {
  return !hasMasks() && numPositions(Owner::Thread) == parts.threads && numPositions(Owner::Block) == parts.blocks &&
         numPositions(Owner::Register) == numRegisters();
}

std::vector<int64_t> digitTable(std::span<const Digit> digits, Owner owner, int64_t size) {
  std::vector<int64_t> table(size, 0);
  for (const Digit &digit : digits) {
    if (digit.owner != owner)
      continue;
    // Counted, not divided: each value holds for `weight` indices, and all of them come around again.
    int64_t value = 0;
    for (int64_t first = 0; first < size; first += digit.weight) {
      for (int64_t x = first, end = std::min(size, first + digit.weight); x < end; ++x)
        table[x] += value * digit.stride;
      value = value + 1 == digit.radix ? 0 : value + 1;
    }
  }
  return table;
}

std::vector<int64_t> Layout::axisTable(int axis, Owner owner) const {
  return digitTable(axisDigits(axis), owner, parts.extents[axis] + parts.origins[axis]);
}

/// The digits of one axis with `reach` values, trimmed and merged.
static void appendCanonicalAxis(std::span<const Digit> axis, int64_t reach, std::vector<Digit> &out) {
  size_t first = out.size();
  for (Digit digit : axis) {
    if (digit.radix == 1 || digit.weight >= reach)
      continue;
    Digit *below = out.size() > first ? &out.back() : nullptr;
    if (below && below->owner == digit.owner && below->stride * below->radix == digit.stride)
      below->radix *= digit.radix;
    else
      out.push_back(digit);
  }
  if (out.size() > first)
    out.back().radix = std::min(out.back().radix, ceilDiv(reach, out.back().weight));
}

Layout Layout::canonical() const {
  LayoutParts shorter = parts;
  shorter.digits.clear();
  shorter.copies.clear();
  for (int a = 0; a < rank(); ++a)
    appendCanonicalAxis(axisDigits(a), parts.extents[a] + parts.origins[a], shorter.digits);
  for (const Spread &copy : parts.copies) {
    if (copy.radix == 1)
      continue;
    Spread *below = shorter.copies.empty() ? nullptr : &shorter.copies.back();
    if (below && below->owner == copy.owner && below->stride * below->radix == copy.stride)
      below->radix *= copy.radix;
    else
      shorter.copies.push_back(copy);
  }
  return Layout(std::move(shorter));
}

bool Layout::operator==(const Layout &other) const {
  Layout a = canonical(), b = other.canonical();
  return a.parts.extents == b.parts.extents && a.parts.threads == b.parts.threads && a.parts.blocks == b.parts.blocks &&
         a.parts.origins == b.parts.origins && a.parts.digits == b.parts.digits && a.parts.copies == b.parts.copies;
}

} // namespace tile
