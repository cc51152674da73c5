// Atoms.cpp - cuts axes into atoms and carries layouts through index maps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Layout/Atoms.h"

#include "LayoutText.h"

#include <algorithm>

namespace tile {

static int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

static bool refuse(std::string *why, std::string sentence) {
  if (why)
    *why = std::move(sentence);
  return false;
}

static std::string str(int64_t number) {
  return std::to_string(number);
}

/// How many values (index floordiv divisor) mod modulus takes.
static int64_t numValues(const IndexTerm &term, int64_t loopExtent) {
  int64_t values = ceilDiv(loopExtent, term.divisor);
  return term.modulus ? std::min(term.modulus, values) : values;
}

Coordinate IndexMap::apply(std::span<const int64_t> loop) const {
  Coordinate buffer = constants;
  for (size_t a = 0; a < terms.size(); ++a)
    for (const IndexTerm &term : terms[a]) {
      int64_t value = loop[term.axis] / term.divisor;
      buffer[a] += term.coefficient * (term.modulus ? value % term.modulus : value);
    }
  return buffer;
}

IndexMap IndexMap::identity(int rank) {
  IndexMap map;
  map.constants.assign(rank, 0);
  for (int a = 0; a < rank; ++a)
    map.terms.push_back({IndexTerm{.axis = a}});
  return map;
}

int AtomGroup::addSpace(Extents extents) {
  Space space;
  space.cuts.resize(extents.size());
  space.extents = std::move(extents);
  spaces.push_back(std::move(space));
  return static_cast<int>(spaces.size()) - 1;
}

/// Small enough for every product of extents and coefficients below.
static bool checkExtents(const Extents &extents, std::string *why) {
  int64_t elements = 1;
  for (int64_t extent : extents) {
    if (extent < 1 || extent > Layout::kMaxElements || (elements *= extent) > Layout::kMaxElements)
      return refuse(why, "an extent of " + str(extent) + "; extents are positive and multiply to " +
                             str(Layout::kMaxElements) + " at most");
  }
  return true;
}

/// Terms and constants in range, the terms of each axis sorted by coefficient and without those that are always 0.
static bool normalise(IndexMap &map, const Extents &loop, const Extents &buffer, std::string *why) {
  if (!checkExtents(loop, why) || !checkExtents(buffer, why))
    return false;
  if (map.terms.size() != buffer.size() || map.constants.size() != buffer.size())
    return refuse(why, "the access has " + str(map.terms.size()) + " indices for " + str(buffer.size()) + " axes");
  for (size_t a = 0; a < buffer.size(); ++a) {
    std::string index = "index " + str(a);
    if (map.constants[a] < 0 || map.constants[a] >= buffer[a])
      return refuse(why, index + " starts at " + str(map.constants[a]) + ", outside the extent " + str(buffer[a]));
    std::vector<IndexTerm> &terms = map.terms[a];
    for (const IndexTerm &term : terms) {
      if (term.axis < 0 || term.axis >= static_cast<int64_t>(loop.size()))
        return refuse(why, index + " uses loop axis " + str(term.axis) + " of " + str(loop.size()));
      if (term.coefficient < 0 || term.divisor < 1 || term.modulus < 0)
        return refuse(why, index + " has the coefficient " + str(term.coefficient) + ", the divisor " +
                               str(term.divisor) + " and the modulus " + str(term.modulus) + "; none may be negative");
    }
    std::erase_if(terms, [&](const IndexTerm &term) {
      return term.coefficient == 0 || term.divisor >= loop[term.axis] || numValues(term, loop[term.axis]) == 1;
    });
    for (IndexTerm &term : terms) {
      // Beyond the extent every modulus and no modulus are the same.
      if (term.modulus >= ceilDiv(loop[term.axis], term.divisor))
        term.modulus = 0;
      if (term.coefficient >= buffer[a])
        return refuse(why,
                      index + " moves in steps of " + str(term.coefficient) + ", past the extent " + str(buffer[a]));
    }
    std::stable_sort(terms.begin(), terms.end(),
                     [](const IndexTerm &x, const IndexTerm &y) { return x.coefficient < y.coefficient; });
  }
  return true;
}

std::optional<int> AtomGroup::addMap(int loop, int buffer, IndexMap map, std::string *why) {
  if (!normalise(map, spaces[loop].extents, spaces[buffer].extents, why))
    return std::nullopt;
  std::vector<Space> before = spaces;
  maps.push_back({loop, buffer, std::move(map)});
  bool fits = carryCuts(why);
  for (size_t m = 0; fits && m < maps.size(); ++m)
    fits = links(maps[m], why).has_value();
  if (fits)
    return static_cast<int>(maps.size()) - 1;
  maps.pop_back();
  spaces = std::move(before);
  return std::nullopt;
}

/// Cuts an axis; false if the cut and the others do not divide one another.
bool AtomGroup::addCut(int space, int axis, int64_t cut, bool &changed, std::string *why) {
  if (cut <= 1 || cut >= spaces[space].extents[axis])
    return true;
  std::vector<int64_t> &cuts = spaces[space].cuts[axis];
  auto place = std::lower_bound(cuts.begin(), cuts.end(), cut);
  if (place != cuts.end() && *place == cut)
    return true;
  if (place != cuts.end() && *place % cut)
    return refuse(why, "an axis of " + str(spaces[space].extents[axis]) + " is cut at " + str(cut) + " and at " +
                           str(*place) + ", which do not nest");
  if (place != cuts.begin() && cut % *(place - 1))
    return refuse(why, "an axis of " + str(spaces[space].extents[axis]) + " is cut at " + str(*(place - 1)) +
                           " and at " + str(cut) + ", which do not nest");
  cuts.insert(place, cut);
  changed = true;
  return true;
}

/// Carries the cuts of one term both ways.
bool AtomGroup::carryTerm(const Map &map, int bufferAxis, const IndexTerm &term, bool &changed, std::string *why) {
  int64_t values = numValues(term, spaces[map.loop].extents[term.axis]);
  int64_t top = term.divisor * values;
  if (!addCut(map.loop, term.axis, term.divisor, changed, why) ||
      (term.modulus && !addCut(map.loop, term.axis, top, changed, why)) ||
      !addCut(map.buffer, bufferAxis, term.coefficient, changed, why))
    return false;
  std::vector<int64_t> loopCuts = spaces[map.loop].cuts[term.axis];
  for (int64_t cut : loopCuts)
    if (cut > term.divisor && cut < top &&
        !addCut(map.buffer, bufferAxis, cut / term.divisor * term.coefficient, changed, why))
      return false;
  std::vector<int64_t> bufferCuts = spaces[map.buffer].cuts[bufferAxis];
  for (int64_t cut : bufferCuts)
    if (cut > term.coefficient && cut < term.coefficient * values &&
        !addCut(map.loop, term.axis, cut / term.coefficient * term.divisor, changed, why))
      return false;
  return true;
}

/// Cuts the buffer above a term where a constant goes on; refuses terms that overlap each other.
static bool termTop(const std::vector<IndexTerm> &terms, size_t t, int64_t values, int64_t constant, int64_t &cut,
                    std::string *why) {
  int64_t coefficient = terms[t].coefficient, top = coefficient * values;
  bool isLast = t + 1 == terms.size();
  int64_t next = isLast ? INT64_MAX : terms[t + 1].coefficient;
  if (next < top)
    return refuse(why, "terms overlap: one takes the values 0 to " + str(top - coefficient) +
                           ", the next one moves in steps of " + str(next));
  int64_t between = isLast ? constant : constant % next;
  cut = between >= coefficient ? top : 1;
  return true;
}

bool AtomGroup::carryCuts(std::string *why) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Map &map : maps)
      for (size_t a = 0; a < map.index.terms.size(); ++a) {
        const std::vector<IndexTerm> &terms = map.index.terms[a];
        for (size_t t = 0; t < terms.size(); ++t) {
          int64_t cut = 1, values = numValues(terms[t], spaces[map.loop].extents[terms[t].axis]);
          if (!carryTerm(map, static_cast<int>(a), terms[t], changed, why) ||
              !termTop(terms, t, values, map.index.constants[a], cut, why) ||
              !addCut(map.buffer, static_cast<int>(a), cut, changed, why))
            return false;
        }
      }
  }
  return true;
}

std::vector<Atom> AtomGroup::atoms(int space) const {
  std::vector<Atom> found;
  const Space &here = spaces[space];
  for (size_t a = 0; a < here.extents.size(); ++a) {
    int64_t weight = 1;
    for (int64_t cut : here.cuts[a]) {
      found.push_back({static_cast<int>(a), weight, cut / weight});
      weight = cut;
    }
    found.push_back({static_cast<int>(a), weight, ceilDiv(here.extents[a], weight)});
  }
  return found;
}

Coordinate AtomGroup::toAtoms(int space, std::span<const int64_t> coordinate) const {
  Coordinate result;
  for (const Atom &atom : atoms(space))
    result.push_back(coordinate[atom.axis] / atom.weight % atom.extent);
  return result;
}

Coordinate AtomGroup::fromAtoms(int space, std::span<const int64_t> atomCoordinate) const {
  Coordinate result(spaces[space].extents.size(), 0);
  std::vector<Atom> all = atoms(space);
  for (size_t i = 0; i < all.size(); ++i)
    result[all[i].axis] += atomCoordinate[i] * all[i].weight;
  return result;
}

/// For each atom of the buffer: the loop atom it follows, or its constant value.
std::optional<std::vector<AtomGroup::Link>> AtomGroup::links(const Map &map, std::string *why) const {
  std::vector<Atom> loopAtoms = atoms(map.loop), bufferAtoms = atoms(map.buffer);
  std::vector<Link> result;
  std::vector<bool> used(loopAtoms.size(), false);
  for (const Atom &atom : bufferAtoms) {
    Link link;
    link.constant = map.index.constants[atom.axis] / atom.weight % atom.extent;
    for (const IndexTerm &term : map.index.terms[atom.axis]) {
      int64_t values = numValues(term, spaces[map.loop].extents[term.axis]);
      if (atom.weight < term.coefficient || atom.weight >= term.coefficient * values)
        continue;
      int64_t weight = atom.weight / term.coefficient * term.divisor;
      for (size_t i = 0; i < loopAtoms.size(); ++i)
        if (loopAtoms[i].axis == term.axis && loopAtoms[i].weight == weight)
          link.loopAtom = static_cast<int>(i);
    }
    if (link.loopAtom >= 0 && link.constant != 0) {
      refuse(why, "index " + str(atom.axis) + " adds " + str(map.index.constants[atom.axis]) +
                      " to a term that carries into it");
      return std::nullopt;
    }
    if (link.loopAtom >= 0 && used[link.loopAtom]) {
      refuse(why, "a diagonal: loop axis " + str(loopAtoms[link.loopAtom].axis) + " is used twice");
      return std::nullopt;
    }
    if (link.loopAtom >= 0)
      used[link.loopAtom] = true;
    result.push_back(link);
  }
  return result;
}

} // namespace tile
