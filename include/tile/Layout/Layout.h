// Layout.h - distributed layouts: which thread holds which element of a tile, in which register.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout answers one question: where is element x of a tile? The answer is a thread, a register of that thread and,
// in a cluster, a block. It is written as a list of *digits*.
//
// The smallest example. Eight elements over four threads, two neighbours in each thread:
//
//     8 = [(4 thread, 2 reg)] threads 4
//
//     element   0  1  2  3  4  5  6  7
//     thread    0  0  1  1  2  2  3  3
//     register  0  1  0  1  0  1  0  1
//
// Read it like the hands of a clock: x = 5 is "2 and 1" when counted in (4, 2), as 135 minutes are 2 hours 15. The high
// digit, 2, is the thread; the low digit, 1, is the register. The list is written most significant digit first.
//
// The one rule. Each axis is a mixed-radix number, and each of its digits belongs to exactly one owner:
//
//     digit value      v = ((x[axis] + origin[axis]) / weight) % radix
//     owner's number   = the sum of v * stride over the owner's digits, all axes together
//
// The weights of an axis are 1, then 1 * first radix, then that times the next radix ...: a list of radices says it
// all. The strides of an owner form a chain too: each divides the next and leaves room for the radix below it, so that
// a thread number can be taken apart again. Powers of two play no part in this: 96 = (3, 8, 4) is as good as any.
//
// Five words, five different things:
//  - *masked*: the radices of an axis multiply to more than its extent (100 held as 13 vectors of 8); a thread and
//    register that lie past the extent hold nothing, and the access is guarded.
//  - *idle*: a thread number that no digit value gives (24 threads used of 32). It takes no part at all.
//  - *hole*: the same for a register number.
//  - *copy*: a thread (or block) position that no axis owns. All its values hold the same element, and the one with
//    value 0 is the designated writer.
//  - *origin*: a shift of an axis, known only at run time and equal in the whole block, used where rows start at odd
//    addresses. The layout knows its largest value and is padded for it.
//
// What it cannot do: hold an element in two registers of one thread; skew (thread = (i + j) % 4); place elements by
// data. A conversion through shared memory serves all of these; shared memory itself has layouts of its own
// (SharedLayout.h).
//
#ifndef TILE_LAYOUT_LAYOUT_H
#define TILE_LAYOUT_LAYOUT_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

using Extents = std::vector<int64_t>;
using Coordinate = std::vector<int64_t>;

/// Who a digit belongs to. A block is a rank inside the cluster.
enum class Owner : uint8_t { Register, Thread, Block };

/// One digit of one axis; see the rule at the head of this file. All numbers count elements or owner positions.
struct Digit {
  int axis = 0;
  int64_t weight = 1;
  int64_t radix = 1;
  Owner owner = Owner::Register;
  int64_t stride = 1;
  bool operator==(const Digit &) const = default;
};

/// The part of an owner's number that these digits of one axis give, for each of `size` values of index plus origin.
std::vector<int64_t> digitTable(std::span<const Digit> digits, Owner owner, int64_t size);

/// Copies: a thread or block position of `radix` values, `stride` apart, that all hold the same elements.
struct Spread {
  Owner owner = Owner::Thread;
  int64_t stride = 1;
  int64_t radix = 1;
  bool operator==(const Spread &) const = default;
};

/// Where one copy of an element is.
struct Place {
  int64_t thread = 0;
  int64_t reg = 0;
  int64_t block = 0;
  bool operator==(const Place &) const = default;
};

/// The raw description of a layout, valid or not. `Layout::get` turns it into a layout.
struct LayoutParts {
  Extents extents;
  std::vector<Digit> digits;
  std::vector<Spread> copies;
  int64_t threads = 1;
  int64_t blocks = 1;
  /// Largest origin of each axis; empty means that all are 0.
  Coordinate origins;
};

/// A valid distributed layout. The head of this file explains the idea.
class Layout {
public:
  /// Limits of what a layout may describe; beyond them `get` refuses.
  static constexpr int64_t kMaxThreads = 1024, kMaxBlocks = 16, kMaxRank = 32;
  static constexpr int64_t kMaxElements = int64_t(1) << 26, kMaxRegisters = int64_t(1) << 24;

  /// Checks `parts` and makes a layout of them. Total: any numbers may be given, also zero, negative and huge ones.
  ///
  /// \param why  if given and the parts are refused: one sentence, naming the digit, what was found and the rule.
  /// \returns nothing if the parts break a rule.
  static std::optional<Layout> get(LayoutParts parts, std::string *why = nullptr);

  /// Reads the spelling that `toString` writes:
  ///
  ///     4x96 = [(4 reg), (3 thread * 8, 8 thread, 4 reg * 4)] threads 32
  ///
  /// Extents joined by 'x' ('scalar' for rank 0), one list per axis, the most significant digit first, each as
  /// `radix owner [* stride]` with owner reg, thread or block and stride 1 if not given; then `threads n` and, where
  /// needed, `copies (2 thread * 16)`, `blocks n`, `origins (0, 7)`, in any order.
  /// \returns nothing, and one sentence in `why`, for any other text and for digits that break a rule.
  static std::optional<Layout> parse(std::string_view text, std::string *why = nullptr);
  std::string toString() const;

  int rank() const { return static_cast<int>(parts.extents.size()); }
  const Extents &extents() const { return parts.extents; }
  /// Sorted by axis, then by weight.
  const std::vector<Digit> &digits() const { return parts.digits; }
  /// Sorted by owner, then by stride.
  const std::vector<Spread> &copies() const { return parts.copies; }
  int64_t threads() const { return parts.threads; }
  int64_t blocks() const { return parts.blocks; }
  /// Largest origin of each axis, one entry an axis.
  const Coordinate &origins() const { return parts.origins; }
  /// The description, to be changed and given to `get` again.
  const LayoutParts &description() const { return parts; }

  /// Where copy 0 of an element is.
  ///
  /// \param coordinate  one index per axis. \pre 0 <= index < extent; asserts otherwise.
  /// \param origin  the run-time origin, empty for 0. \pre 0 <= origin <= origins().
  /// Example: 8 = [(4 thread, 2 reg)], element 5 -> thread 2, register 1.
  Place place(std::span<const int64_t> coordinate, std::span<const int64_t> origin = {}) const;

  /// The element that a register of a thread holds; the inverse of `place`, all copies included.
  /// \returns nothing for an idle thread, a hole, a masked place, or numbers out of range.
  std::optional<Coordinate> at(int64_t thread, int64_t reg, int64_t block = 0,
                               std::span<const int64_t> origin = {}) const;

  /// Registers of each thread, holes included: the largest register number plus one.
  int64_t numRegisters() const { return span(Owner::Register); }
  /// Threads up to the last one that takes part: the largest thread number plus one.
  int64_t threadSpan() const { return span(Owner::Thread); }
  /// Blocks up to the last one that takes part.
  int64_t blockSpan() const { return span(Owner::Block); }
  /// True for a thread number that no digit or copy gives. A thread whose elements are all masked is not idle.
  bool isIdle(int64_t thread) const;
  /// How many threads of a block are not idle.
  int64_t numActiveThreads() const;
  /// The distance of each copy from copy 0, as (thread, 0, block), copy 0 first.
  std::vector<Place> copyOffsets() const;

  /// No masks, no idle threads or blocks, no holes: every (thread, register) holds an element (copies are allowed).
  bool coversExactly() const;
  /// True if some axis is padded beyond its extent, or has an origin.
  bool hasMasks() const;
  /// The product of the radices of an axis: its extent with padding.
  int64_t paddedExtent(int axis) const;

  /// The digits of one axis, the lowest weight first.
  std::span<const Digit> axisDigits(int axis) const;
  /// The part of the owner's number that comes from one axis, for each value of index plus origin:
  /// extent + largest origin entries. The owner's number of an element is the sum over the axes.
  std::vector<int64_t> axisTable(int axis, Owner owner) const;

  /// The shortest description of the same function: no radix 1, top digits trimmed to what occurs, neighbours that
  /// continue each other merged. Two layouts place every element alike iff their canonical forms have equal parts.
  Layout canonical() const;
  /// Equal as functions: the same extents, threads, blocks, origins, places and copies.
  bool operator==(const Layout &other) const;

private:
  /// A digit or copy as its owner sees it; radix 1 is left out. `axis` is -1 for a copy.
  struct Position {
    int64_t stride, radix, weight;
    int axis;
  };
  explicit Layout(LayoutParts checked);
  int64_t span(Owner owner) const;
  int64_t numPositions(Owner owner) const;
  bool takeApart(Owner owner, int64_t number, Coordinate *shifted) const;

  LayoutParts parts;
  /// By owner, the largest stride first.
  std::array<std::vector<Position>, 3> positions;
};

} // namespace tile

#endif // TILE_LAYOUT_LAYOUT_H
