// Conversion.h - the published conversion table: `cast` in tile programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_CONVERSION_H
#define TILE_SUPPORT_CONVERSION_H

#include "tile/Support/ScalarOps.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>

namespace tile {

/// Converts a value between any two types by the table of docs/conversions.md.
///
/// To i1: `x != 0` (NaN is true). From i1: 0 or 1. Integer to integer: sign-extends or wraps. Float to integer:
/// truncates toward zero, saturates, NaN gives 0. Anything to float: rounded once from the exact value, with the
/// overflow rules of `fromDouble`. To the same type: the bits, unchanged.
/// Example: (f32, i8, 300.7f) -> 127; (i8, i1, 2) -> 1; (i64, f32, 2^24 + 1) -> 2^24.
uint64_t convert(ScalarType from, ScalarType to, uint64_t bits);

/// The same for lanes; never null, never faults.
LaneFunction lookupConversion(ScalarType from, ScalarType to);

} // namespace tile

#endif // TILE_SUPPORT_CONVERSION_H
