// ConversionChoice.h - how to get from one layout to another: in registers, by shuffles or through shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LAYOUT_CONVERSIONCHOICE_H
#define TILE_LAYOUT_CONVERSIONCHOICE_H

#include "tile/Layout/CostModel.h"
#include "tile/Layout/Layout.h"

#include <string>

namespace tile {

/// The ways from one layout to another.
enum class ConversionKind {
  Same,      ///< nothing to do: the same place for every element
  Registers, ///< each thread holds what it needs: moves, selections where threads disagree about the register
  Shuffles,  ///< a warp holds what it needs: for each register and each register it may come from, one shuffle
  Shared     ///< through shared memory, with a barrier
};

/// "registers", "shuffles", "through shared memory", as the report says it.
std::string_view name(ConversionKind kind);

/// Instructions of one thread.
struct ConversionCounts {
  int64_t moves = 0, selections = 0, shuffles = 0, stores = 0, loads = 0, barriers = 0;
  bool operator==(const ConversionCounts &) const = default;
};

/// "8 shuffles, 4 selections": what is there, in the order of execution; "nothing" if nothing is.
std::string describe(const ConversionCounts &counts);

struct ConversionChoice {
  ConversionKind kind = ConversionKind::Shared;
  ConversionCounts counts;
  Pools pools; ///< of a block
};

/// The way that takes least time, of those that are possible: what is certain to be cheaper (no barrier, no memory) on
/// a tie. Loops and alignment of the shared tile are not known here; its accesses count as without bank conflicts.
///
/// \param elementBytes  of one element; a shuffle moves 4 bytes.
/// \param mayShuffle  all threads of a warp come here together.
/// \pre equal extents; of unequal origins nothing is known, and the way is Shared.
ConversionChoice chooseConversion(const Layout &from, const Layout &to, int64_t elementBytes, bool mayShuffle = true);

/// What it takes through shared memory, whatever else were possible.
ConversionChoice convertThroughShared(const Layout &from, const Layout &to, int64_t elementBytes);

} // namespace tile

#endif // TILE_LAYOUT_CONVERSIONCHOICE_H
