// Conversion.h - exact questions about two layouts, and what it takes to get from one to the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LAYOUT_CONVERSION_H
#define TILE_LAYOUT_CONVERSION_H

#include "tile/Layout/Layout.h"

namespace tile {

/// Does every thread that holds x under `needed` hold x under `held`, for all x? Then no data crosses threads.
///
/// Exact for every radix, padding and number of copies; registers do not matter. The cost is the sum of the extents,
/// since a thread number is a sum of one function per axis: the differences of both form a sumset, built axis by axis,
/// that must stay inside the copies of `held`.
/// \returns false if extents or origins differ.
/// Example: held = [(32 reg)] copies (4 thread), needed = [(4 thread, 8 reg)]: true, each thread has all it needs.
bool contains(const Layout &held, const Layout &needed);

/// Does, for each thread that holds x under `needed`, some thread of its warp hold x under `held`? Then shuffles
/// suffice.
/// \returns false if extents or origins differ.
bool sameWarp(const Layout &held, const Layout &needed);

/// The cheapest way from one layout to another, cheapest first.
enum class ConversionKind {
  Same,      ///< nothing to do: the same place for every element
  Registers, ///< moves inside each thread
  Shuffle,   ///< moves inside each warp
  Shared     ///< through shared memory, with a barrier
};

/// The cheapest kind that is enough to make `to` out of `from`. Where `to` has fewer copies, it is `Registers` at most.
/// \pre equal extents and origins; `Shared` otherwise.
ConversionKind classify(const Layout &from, const Layout &to);

/// "register move", as a sentence to the user would say it.
std::string_view name(ConversionKind kind);

/// Where registers of `to` come from.
struct RegisterMoves {
  /// No thread needs this register: a hole, or masked everywhere.
  static constexpr int64_t kUnused = -1;
  /// The source differs between threads; a select is needed.
  static constexpr int64_t kVaries = -2;
  /// For each register of `to`, the register of `from` that holds the same element, or one of the above.
  std::vector<int64_t> source;
  /// No entry is kVaries.
  bool isUniform() const;
};

/// For a conversion inside threads: which register of `from` each register of `to` takes, where all threads agree.
/// \returns nothing unless `contains(from, to)`.
std::optional<RegisterMoves> registerMoves(const Layout &from, const Layout &to);

} // namespace tile

#endif // TILE_LAYOUT_CONVERSION_H
