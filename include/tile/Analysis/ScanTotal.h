// ScanTotal.h - reductions whose value a scan beside them already knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_ANALYSIS_SCANTOTAL_H
#define TILE_ANALYSIS_SCANTOTAL_H

#include "dialects/Tile/TileOps.h"

namespace tile {

/// The scan that has the reduction's value on its way: the nearest before it in its block, of the same fragment along
/// the same dimension and of the same kind, with nothing in between that may write the fragment. Null if there is none.
///
/// Whether the scan is exclusive or reverse does not matter: its total combines every element. The layout is that of
/// the one fragment for both; where the program pins them apart, one of them works on a copy, which is another
/// fragment once conversions are inserted.
/// Example: `tile.scan sum %r into %s dim 1`, then `tile.reduce sum %r into %c dim 1 accumulate`.
ScanOp scanOfTotal(ReduceOp reduce);

/// Does some reduction take the scan's total?
bool isTotalTaken(ScanOp scan);

} // namespace tile

#endif // TILE_ANALYSIS_SCANTOTAL_H
