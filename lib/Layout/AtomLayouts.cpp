// AtomLayouts.cpp - layouts over atoms: cutting, joining, pushing to a buffer and pulling to a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Atoms.h"

#include "LayoutText.h"

#include <algorithm>

namespace tile {

static int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

static std::string str(int64_t number) {
  return std::to_string(number);
}

static std::nullopt_t refuse(std::string *why, std::string sentence) {
  if (why)
    *why = std::move(sentence);
  return std::nullopt;
}

/// Numbers the registers without holes, in the order of the strides they have.
static void renumberRegisters(std::vector<Digit> &digits) {
  std::vector<Digit *> registers;
  for (Digit &digit : digits)
    if (digit.owner == Owner::Register)
      registers.push_back(&digit);
  std::stable_sort(registers.begin(), registers.end(),
                   [](const Digit *a, const Digit *b) { return a->stride < b->stride; });
  int64_t stride = 1;
  for (Digit *digit : registers) {
    digit->stride = stride;
    stride *= digit->radix;
  }
}

/// Lets the digits of an axis reach `needed` values by one more register digit above them.
static void reach(std::vector<Digit> &digits, int axis, int64_t needed) {
  int64_t product = 1;
  for (const Digit &digit : digits)
    if (digit.axis == axis)
      product *= digit.radix;
  if (product < needed)
    digits.push_back({axis, product, ceilDiv(needed, product), Owner::Register, Layout::kMaxElements});
}

static LayoutParts emptyParts(const std::vector<Atom> &atoms, const Layout &like) {
  LayoutParts parts;
  for (const Atom &atom : atoms)
    parts.extents.push_back(atom.extent);
  parts.threads = like.threads();
  parts.blocks = like.blocks();
  parts.origins.assign(atoms.size(), 0);
  return parts;
}

std::optional<Layout> AtomGroup::cut(int space, const Layout &layout, std::string *why) const {
  if (layout.extents() != spaces[space].extents)
    return refuse(why, "the layout " + layout.toString() + " is not over the axes of this space");
  Layout shortest = layout.canonical();
  std::vector<Atom> all = atoms(space);
  LayoutParts parts = emptyParts(all, layout);
  parts.copies = shortest.copies();
  for (size_t i = 0; i < all.size(); ++i) {
    const Atom &atom = all[i];
    bool isTop = i + 1 == all.size() || all[i + 1].axis != atom.axis;
    int64_t end = isTop ? INT64_MAX : atom.weight * atom.extent;
    if (layout.origins()[atom.axis] != 0) {
      if (!isTop || atom.weight != 1)
        return refuse(why,
                      "axis " + str(atom.axis) + " has an origin and is cut at " + str(all[i].weight * atom.extent));
      parts.origins[i] = layout.origins()[atom.axis];
    }
    for (const Digit &digit : shortest.axisDigits(atom.axis)) {
      int64_t last = digit.weight * digit.radix;
      int64_t low = std::max(digit.weight, atom.weight), high = std::min(last, end);
      if (low >= high)
        continue;
      // The topmost digit of an axis may be padded up to a cut; any other one must be cut evenly.
      bool isPadded = last >= spaces[space].extents[atom.axis];
      if (low % digit.weight || (!isPadded && high % low) || (high != last && high % digit.weight))
        return refuse(why, "digit '" + spell(digit) + "' of axis " + str(atom.axis) + " covers " + str(digit.weight) +
                               " to " + str(last) + " and does not meet the cut at " + str(high != last ? high : low));
      parts.digits.push_back({static_cast<int>(i), low / atom.weight, ceilDiv(high, low), digit.owner,
                              digit.stride * (low / digit.weight)});
    }
  }
  return Layout::get(std::move(parts), why);
}

std::optional<Layout> AtomGroup::join(int space, const Layout &layout, std::string *why) const {
  std::vector<Atom> all = atoms(space);
  if (layout.extents() != emptyParts(all, layout).extents)
    return refuse(why, "the layout " + layout.toString() + " is not over the atoms of this space");
  Layout shortest = layout.canonical();
  LayoutParts parts;
  parts.extents = spaces[space].extents;
  parts.copies = shortest.copies();
  parts.threads = layout.threads();
  parts.blocks = layout.blocks();
  parts.origins.assign(parts.extents.size(), 0);
  for (size_t i = 0; i < all.size(); ++i) {
    const Atom &atom = all[i];
    int index = static_cast<int>(i);
    bool isTop = i + 1 == all.size() || all[i + 1].axis != atom.axis;
    if (!isTop && (shortest.paddedExtent(index) != atom.extent || layout.origins()[i] != 0))
      return refuse(why, "a piece of " + str(atom.extent) + " elements of axis " + str(atom.axis) + " is held as " +
                             str(shortest.paddedExtent(index)) + ", with another piece above it");
    if (layout.origins()[i] != 0 && atom.weight != 1)
      return refuse(why, "a piece of axis " + str(atom.axis) + " has an origin");
    parts.origins[atom.axis] += layout.origins()[i];
    for (Digit digit : shortest.axisDigits(index)) {
      digit.axis = atom.axis;
      digit.weight *= atom.weight;
      parts.digits.push_back(digit);
    }
  }
  std::optional<Layout> joined = Layout::get(std::move(parts), why);
  return joined ? std::optional(joined->canonical()) : std::nullopt;
}

std::optional<Layout> AtomGroup::push(int map, const Layout &loop, std::string *why) const {
  const Map &here = maps[map];
  std::vector<Atom> loopAtoms = atoms(here.loop), bufferAtoms = atoms(here.buffer);
  if (loop.extents() != emptyParts(loopAtoms, loop).extents)
    return refuse(why, "the layout " + loop.toString() + " is not over the atoms of the loop");
  Layout shortest = loop.canonical();
  std::vector<Link> follow = *links(here, nullptr);
  std::vector<bool> used(loopAtoms.size(), false);
  LayoutParts parts = emptyParts(bufferAtoms, loop);
  parts.copies = shortest.copies();
  for (size_t i = 0; i < bufferAtoms.size(); ++i) {
    if (follow[i].loopAtom >= 0) {
      used[follow[i].loopAtom] = true;
      parts.origins[i] = loop.origins()[follow[i].loopAtom];
      for (Digit digit : shortest.axisDigits(follow[i].loopAtom)) {
        digit.axis = static_cast<int>(i);
        parts.digits.push_back(digit);
      }
    }
    reach(parts.digits, static_cast<int>(i), bufferAtoms[i].extent + parts.origins[i]);
  }
  for (size_t i = 0; i < loopAtoms.size(); ++i)
    for (const Digit &digit : shortest.axisDigits(static_cast<int>(i)))
      if (!used[i] && digit.owner != Owner::Register)
        parts.copies.push_back({digit.owner, digit.stride, digit.radix});
  renumberRegisters(parts.digits);
  return Layout::get(std::move(parts), why);
}

std::optional<PulledLayout> AtomGroup::pull(int map, const Layout &buffer, std::string *why) const {
  const Map &here = maps[map];
  std::vector<Atom> loopAtoms = atoms(here.loop), bufferAtoms = atoms(here.buffer);
  if (buffer.extents() != emptyParts(bufferAtoms, buffer).extents)
    return refuse(why, "the layout " + buffer.toString() + " is not over the atoms of the buffer");
  Layout shortest = buffer.canonical();
  std::vector<Link> follow = *links(here, nullptr);
  std::vector<bool> isFixed(loopAtoms.size(), false);
  PulledLayout pulled;
  pulled.parts = emptyParts(loopAtoms, buffer);
  pulled.parts.copies = shortest.copies();
  for (size_t i = 0; i < bufferAtoms.size(); ++i) {
    int loopAtom = follow[i].loopAtom;
    for (Digit digit : shortest.axisDigits(static_cast<int>(i))) {
      if (loopAtom >= 0) {
        digit.axis = loopAtom;
        pulled.parts.digits.push_back(digit);
      } else if (digit.owner != Owner::Register && follow[i].constant / digit.weight % digit.radix != 0) {
        // Threads could only be numbered with an offset, which a layout does not have.
        return refuse(why, "the constant " + str(follow[i].constant) + " of axis " + str(bufferAtoms[i].axis) +
                               " selects other " + spell(digit.owner) + "s than those from 0");
      }
    }
    if (loopAtom < 0)
      continue;
    isFixed[loopAtom] = true;
    pulled.parts.origins[loopAtom] = buffer.origins()[i];
    reach(pulled.parts.digits, loopAtom, loopAtoms[loopAtom].extent + buffer.origins()[i]);
  }
  for (size_t i = 0; i < loopAtoms.size(); ++i) {
    pulled.mayPad.push_back(i + 1 == loopAtoms.size() || loopAtoms[i + 1].axis != loopAtoms[i].axis);
    if (!isFixed[i])
      pulled.free.push_back(static_cast<int>(i));
  }
  renumberRegisters(pulled.parts.digits);
  return pulled;
}

std::optional<Layout> PulledLayout::complete(std::string *why) const {
  LayoutParts full = parts;
  std::vector<Spread> spare = parts.copies;
  full.copies.clear();
  for (auto atom = free.rbegin(); atom != free.rend(); ++atom) {
    int64_t weight = 1, extent = full.extents[*atom];
    for (Spread &copy : spare) {
      int64_t left = ceilDiv(extent, weight), radix = std::min(copy.radix, left);
      while (!mayPad[*atom] && left % radix)
        --radix;
      if (radix <= 1)
        continue;
      full.digits.push_back({*atom, weight, radix, copy.owner, copy.stride});
      weight *= radix;
      // What does not divide stays idle: it could not be numbered above this digit.
      copy.radix = copy.radix % radix ? 1 : copy.radix / radix;
      copy.stride *= radix;
    }
    reach(full.digits, *atom, extent);
  }
  for (const Spread &copy : spare)
    if (copy.radix > 1)
      full.copies.push_back(copy);
  renumberRegisters(full.digits);
  return Layout::get(std::move(full), why);
}

std::optional<Layout> push(const Layout &loop, const IndexMap &map, const Extents &buffer, std::string *why) {
  AtomGroup group;
  int from = group.addSpace(loop.extents()), to = group.addSpace(buffer);
  std::optional<int> access = group.addMap(from, to, map, why);
  if (!access)
    return std::nullopt;
  std::optional<Layout> cut = group.cut(from, loop, why);
  std::optional<Layout> pushed = cut ? group.push(*access, *cut, why) : std::nullopt;
  return pushed ? group.join(to, *pushed, why) : std::nullopt;
}

std::optional<Layout> pull(const Layout &buffer, const IndexMap &map, const Extents &loop, std::string *why) {
  AtomGroup group;
  int from = group.addSpace(loop), to = group.addSpace(buffer.extents());
  std::optional<int> access = group.addMap(from, to, map, why);
  if (!access)
    return std::nullopt;
  std::optional<Layout> cut = group.cut(to, buffer, why);
  std::optional<PulledLayout> pulled = cut ? group.pull(*access, *cut, why) : std::nullopt;
  std::optional<Layout> complete = pulled ? pulled->complete(why) : std::nullopt;
  return complete ? group.join(from, *complete, why) : std::nullopt;
}

} // namespace tile
