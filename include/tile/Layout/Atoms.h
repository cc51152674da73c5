// Atoms.h - index maps as projections: carrying a layout from a loop to a buffer and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over (i, j) reads a buffer at [j floordiv 4, i]. Which layout must the buffer have, so that each thread finds
// its element in its own registers? Digits alone do not say: 'j floordiv 4' drops the two lowest bits of j. But if the
// axis j is *cut* at 4 into two pieces, the map only picks pieces:
//
//     loop   i: [8]     j: [16] = [4 | 4]          buffer axis 0: the upper piece of j, axis 1: i
//
// Such a piece is an *atom*. Every term c * ((i floordiv d) mod m) of an index asks for cuts at d and d * m on the loop
// axis and at c on the buffer axis (and above its last value, where a constant or another term follows); cuts are
// carried through all maps of a group until nothing changes. If the cuts of each axis divide one another, every map is
// a choice of atoms, in some order, plus constants: a projection. A map that breaks this (i + 1; 6 = 2 * 3 against 3 *
// 2; a diagonal; data) is an *exchange*: the access works on a converted copy. It is an answer, not an error.
//
// A layout over atoms is a plain Layout whose axes are the atoms. This is more than a layout over the axes can say: 100
// elements held as 13 vectors of 8, in rows of a flat axis of 3200 = 32 * 100, have no digits over 3200.
// An axis that is no multiple of its cut (100 cut at 32) has a joint mask: coordinates past the extent hold nothing.
//
#ifndef TILE_LAYOUT_ATOMS_H
#define TILE_LAYOUT_ATOMS_H

#include "tile/Layout/Layout.h"

namespace tile {

/// One term of an index: coefficient * ((loop index floordiv divisor) mod modulus); modulus 0 means none.
struct IndexTerm {
  int axis = 0;
  int64_t coefficient = 1;
  int64_t divisor = 1;
  int64_t modulus = 0;
};

/// From a loop's coordinate to a buffer's: for each buffer axis a sum of terms and a constant.
struct IndexMap {
  std::vector<std::vector<IndexTerm>> terms;
  Coordinate constants;

  /// The buffer coordinate of a loop coordinate. \pre the map fits the coordinate.
  Coordinate apply(std::span<const int64_t> loop) const;
  /// The map (i, j, ...) -> (i, j, ...).
  static IndexMap identity(int rank);
};

/// A piece of an axis: index / weight % extent (no modulo for the topmost piece).
struct Atom {
  int axis = 0;
  int64_t weight = 1;
  int64_t extent = 1;
  bool operator==(const Atom &) const = default;
};

/// A layout of a loop in which the atoms that a buffer fixes have digits and the others are still free.
struct PulledLayout {
  /// Over the atoms of the loop; free atoms have no digits yet.
  LayoutParts parts;
  /// Indices of the free atoms.
  std::vector<int> free;
  /// For each atom of the loop: it may be padded, since no other piece of its axis lies above it.
  std::vector<bool> mayPad;

  /// Gives free atoms (the last one first) to the copy positions as far as they go, the rest to registers.
  std::optional<Layout> complete(std::string *why = nullptr) const;
};

/// The loops and buffers of a group with the index maps between them, cut into atoms.
class AtomGroup {
public:
  /// Adds a loop or a buffer. \returns its number. `addMap` refuses spaces whose extents are out of range.
  int addSpace(Extents extents);
  /// Adds an access of `buffer` by `loop` and carries all cuts to a fixed point.
  ///
  /// \returns the number of the map; nothing, with the group unchanged and one sentence in `why`, if it is an exchange.
  std::optional<int> addMap(int loop, int buffer, IndexMap map, std::string *why = nullptr);

  /// The atoms of a space: by axis, the lowest weight first. Each axis has at least one.
  std::vector<Atom> atoms(int space) const;
  /// A coordinate of the space as one of its atoms, and back. The latter may lie past an extent (joint mask).
  Coordinate toAtoms(int space, std::span<const int64_t> coordinate) const;
  Coordinate fromAtoms(int space, std::span<const int64_t> atomCoordinate) const;

  /// A layout over the axes of a space as one over its atoms. Nothing if a digit straddles a cut.
  std::optional<Layout> cut(int space, const Layout &layout, std::string *why = nullptr) const;
  /// A layout over the atoms of a space as one over its axes. Nothing if an atom below another one is padded.
  std::optional<Layout> join(int space, const Layout &layout, std::string *why = nullptr) const;

  /// The layout a buffer must have so that each access of the loop stays in its thread. Both are over atoms.
  ///
  /// Digits of atoms the map uses are kept; thread and block positions of the others become copies, their registers
  /// vanish. Elements the map never reaches lie in further registers.
  std::optional<Layout> push(int map, const Layout &loop, std::string *why = nullptr) const;
  /// The loop layout under which each access of the buffer stays in its thread. Both are over atoms.
  std::optional<PulledLayout> pull(int map, const Layout &buffer, std::string *why = nullptr) const;

private:
  struct Space {
    Extents extents;
    std::vector<std::vector<int64_t>> cuts; // per axis, ascending, 1 < cut < extent
  };
  struct Link {
    int loopAtom = -1; // -1: constant
    int64_t constant = 0;
  };
  struct Map {
    int loop = 0, buffer = 0;
    IndexMap index;
  };
  bool carryCuts(std::string *why);
  bool carryTerm(const Map &map, int bufferAxis, const IndexTerm &term, bool &changed, std::string *why);
  bool addCut(int space, int axis, int64_t cut, bool &changed, std::string *why);
  std::optional<std::vector<Link>> links(const Map &map, std::string *why) const;

  std::vector<Space> spaces;
  std::vector<Map> maps;
};

/// `AtomGroup::push` for a single map, over axes: the layout of a buffer of these extents as the loop sees it.
/// Nothing, and the reason in `why`, if the access is an exchange under this layout.
std::optional<Layout> push(const Layout &loop, const IndexMap &map, const Extents &buffer, std::string *why = nullptr);

/// `AtomGroup::pull` for a single map, completed, over axes: a loop layout that finds its elements under `buffer`.
std::optional<Layout> pull(const Layout &buffer, const IndexMap &map, const Extents &loop, std::string *why = nullptr);

} // namespace tile

#endif // TILE_LAYOUT_ATOMS_H
