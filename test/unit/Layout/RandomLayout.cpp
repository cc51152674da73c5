// RandomLayout.cpp - seeded random layouts and their enumeration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomLayout.h"

#include <gtest/gtest.h>

namespace tile {

Extents randomExtents(Dice &dice, int rank, int64_t maxElements) {
  Extents extents;
  for (int a = 0; a < rank; ++a) {
    extents.push_back(dice.between(1, std::min<int64_t>(maxElements, dice.oneIn(3) ? 40 : 12)));
    maxElements /= extents.back();
  }
  return extents;
}

/// Random radices whose product reaches `extent`.
static std::vector<int64_t> randomRadices(Dice &dice, int64_t extent, bool powersOfTwo) {
  std::vector<int64_t> radices;
  int64_t product = 1;
  while (product < extent || dice.oneIn(8)) {
    int64_t radix = powersOfTwo ? int64_t(1) << dice.between(1, 3) : dice.between(1, 7);
    if (dice.oneIn(3) && product < extent)
      radix = (extent + product - 1) / product; // an end that fits
    if (product * radix > 4 * extent + 8)
      continue;
    radices.push_back(radix);
    product *= radix;
  }
  return radices;
}

/// Gives strides to the positions of one owner in random order; positions that do not fit are returned.
template <typename Position>
static std::vector<Position *> assignStrides(Dice &dice, std::vector<Position *> positions, int64_t limit, bool gaps) {
  std::vector<Position *> rejected;
  dice.shuffle(positions);
  int64_t next = gaps && dice.oneIn(6) ? 2 : 1, top = 0;
  for (Position *position : positions) {
    if (position->radix > 1 && top + (position->radix - 1) * next >= limit) {
      rejected.push_back(position);
      continue;
    }
    position->stride = next;
    top += (position->radix - 1) * next;
    next *= position->radix * (gaps && dice.oneIn(6) ? 2 : 1);
  }
  return rejected;
}

Layout randomLayout(Dice &dice, const Extents &extents, const RandomOptions &options) {
  LayoutParts parts;
  parts.extents = extents;
  for (size_t a = 0; a < extents.size(); ++a) {
    parts.origins.push_back(options.origins && dice.oneIn(2) ? dice.between(0, 5) : 0);
    int64_t weight = 1;
    for (int64_t radix : randomRadices(dice, extents[a] + parts.origins[a], options.powersOfTwo)) {
      Owner owner = dice.oneIn(8) ? Owner::Block : dice.oneIn(2) ? Owner::Thread : Owner::Register;
      parts.digits.push_back({static_cast<int>(a), weight, radix, owner, 1});
      weight *= radix;
    }
  }
  // Copies are digits of no axis until the strides are known.
  for (Owner owner : {Owner::Thread, Owner::Block})
    if (options.maxCopies > 1 && dice.oneIn(3))
      parts.digits.push_back({-1, 1, dice.between(2, owner == Owner::Block ? 2 : options.maxCopies), owner, 1});
  for (auto [owner, limit] : {std::pair{Owner::Block, options.maxBlocks},
                              {Owner::Thread, options.maxThreads},
                              {Owner::Register, Layout::kMaxRegisters}}) {
    std::vector<Digit *> mine;
    for (Digit &digit : parts.digits)
      if (digit.owner == owner)
        mine.push_back(&digit);
    for (Digit *digit : assignStrides(dice, mine, limit, options.gaps)) {
      digit->owner = Owner::Register; // reached last
      digit->radix = digit->axis < 0 ? 1 : digit->radix;
    }
  }
  for (const Digit &digit : parts.digits)
    if (digit.axis < 0 && digit.radix > 1)
      parts.copies.push_back({digit.owner, digit.stride, digit.radix});
  std::erase_if(parts.digits, [](const Digit &digit) { return digit.axis < 0; });
  parts.threads = options.maxThreads;
  parts.blocks = options.maxBlocks;
  std::string why;
  std::optional<Layout> layout = Layout::get(parts, &why);
  EXPECT_TRUE(layout) << why;
  parts.threads = std::min(options.maxThreads, layout->threadSpan() + (dice.oneIn(3) ? dice.between(0, 20) : 0));
  parts.blocks = std::min(options.maxBlocks, layout->blockSpan() + (dice.oneIn(4) ? 1 : 0));
  return *Layout::get(parts, &why);
}

Layout rewriteRandomly(Dice &dice, const Layout &layout) {
  LayoutParts parts = layout.description();
  parts.digits.clear();
  for (const Digit &digit : layout.digits()) {
    int64_t factor = dice.between(2, 4);
    if (digit.radix % factor == 0 && dice.oneIn(2)) {
      parts.digits.push_back({digit.axis, digit.weight, factor, digit.owner, digit.stride});
      parts.digits.push_back(
          {digit.axis, digit.weight * factor, digit.radix / factor, digit.owner, digit.stride * factor});
    } else {
      parts.digits.push_back(digit);
    }
    if (dice.oneIn(4))
      parts.digits.push_back({digit.axis, digit.weight, 1, Owner::Thread, dice.between(1, 9)});
  }
  // Padding on top changes nothing as long as it fits.
  for (int a = 0; a < layout.rank(); ++a) {
    LayoutParts padded = parts;
    padded.digits.push_back({a, layout.paddedExtent(a), 2, Owner::Register, 2 * layout.numRegisters()});
    if (dice.oneIn(3))
      if (std::optional<Layout> fits = Layout::get(padded))
        if (fits->numRegisters() < 4096)
          parts = padded;
  }
  for (size_t i = 0; i < parts.copies.size(); ++i)
    if (Spread &copy = parts.copies[i]; copy.radix % 2 == 0 && copy.radix > 2 && dice.oneIn(2)) {
      parts.copies.push_back({copy.owner, copy.stride * 2, copy.radix / 2});
      parts.copies[i].radix = 2;
    }
  dice.shuffle(parts.digits);
  dice.shuffle(parts.copies);
  std::string why;
  std::optional<Layout> rewritten = Layout::get(parts, &why);
  return rewritten ? *rewritten : layout; // strides that a hole made unequal may not be padded
}

Layout mutateRandomly(Dice &dice, const Layout &layout) {
  LayoutParts parts = layout.description();
  // Strides exchanged between positions of equal radix.
  for (Digit &first : parts.digits)
    for (Digit &second : parts.digits)
      if (first.owner == second.owner && first.radix == second.radix && dice.oneIn(12))
        std::swap(first.stride, second.stride);
  for (Digit &digit : parts.digits)
    if (digit.owner != Owner::Register && digit.radix > 1 && dice.oneIn(5)) {
      // The thread holds all values of the digit now, and every thread that the digit told apart does.
      parts.copies.push_back({digit.owner, digit.stride, digit.radix});
      digit.owner = Owner::Register;
    }
  if (dice.oneIn(3) && !parts.copies.empty())
    parts.copies.erase(parts.copies.begin() + dice.between(0, static_cast<int64_t>(parts.copies.size()) - 1));
  std::vector<Digit *> registers;
  for (Digit &digit : parts.digits)
    if (digit.owner == Owner::Register)
      registers.push_back(&digit);
  assignStrides(dice, registers, Layout::kMaxRegisters, false);
  std::string why;
  std::optional<Layout> mutated = Layout::get(parts, &why);
  EXPECT_TRUE(mutated) << why << "\n" << layout.toString();
  return *mutated;
}

Holders enumerate(const Layout &layout) {
  Holders holders;
  for (int64_t block = 0; block < layout.blocks(); ++block)
    for (int64_t thread = 0; thread < layout.threads(); ++thread)
      for (int64_t reg = 0; reg < layout.numRegisters(); ++reg)
        if (std::optional<Coordinate> x = layout.at(thread, reg, block)) {
          bool isNew = holders[*x].emplace(std::pair(block, thread), reg).second;
          EXPECT_TRUE(isNew) << "held twice by one thread: " << layout.toString();
        }
  return holders;
}

} // namespace tile
