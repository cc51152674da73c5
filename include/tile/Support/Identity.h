// Identity.h - reductions: accumulator, identity and combine of each kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_IDENTITY_H
#define TILE_SUPPORT_IDENTITY_H

#include "tile/Support/ScalarOps.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tile {

/// The reductions of the language. `Max`/`Min` are signed on integers and propagate NaN; `MaxNum`/`MinNum` drop it.
enum class Reduction : uint8_t { Sum, Mean, Prod, Max, Min, MaxNum, MinNum, AbsMax, AbsSum, UMax, UMin, And, Or, Xor };

/// How one reduction works on one element type: convert to `accumulator`, `map`, `combine`, convert back.
///
/// `identity` combined with any mapped value gives that value (sum: +0 turns -0 into +0), so masked elements may hold
/// it anywhere. For maxnum and minnum that is NaN: a reduction over NaNs only is NaN in every layout.
struct ReductionRule {
  ScalarType accumulator;     ///< f32 for 16-bit floats and fp8, else the element type
  std::optional<UnaryOp> map; ///< absf or absi, applied to each element first
  BinaryOp combine;           ///< associative up to rounding, commutative, never faults
  uint64_t identity;          ///< of `accumulator`
};

/// "sum", "mean", …: as `tile.reduce` spells them.
std::string_view name(Reduction reduction);
std::optional<Reduction> parseReduction(std::string_view text);

/// The rule, or nothing where the pair is refused: sum, mean, prod and abssum of i1, mean of integers, umax, umin, and,
/// or, xor of floats, maxnum and minnum of integers. On i1 (0 or 1) max, absmax are `or` and min is `and`.
std::optional<ReductionRule> reductionRule(Reduction reduction, ScalarType element);

/// One step: `combine` of the accumulator with an element, mapped and converted.
uint64_t accumulate(const ReductionRule &rule, ScalarType element, uint64_t accumulator, uint64_t value);

/// The end: divides by `count` (mean only), then converts from the accumulator's type to the element type.
uint64_t finish(Reduction reduction, const ReductionRule &rule, ScalarType element, uint64_t accumulator,
                int64_t count);

} // namespace tile

#endif // TILE_SUPPORT_IDENTITY_H
