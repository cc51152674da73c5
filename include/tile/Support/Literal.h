// Literal.h - values as text: exact C literals, what people read, and what they write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_LITERAL_H
#define TILE_SUPPORT_LITERAL_H

#include "tile/Support/Result.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tile {

/// A CUDA C expression, without headers, that is exactly this value.
///
/// Integers: `-5`, `7ll` (i64, index), `(-2147483647 - 1)`, `true`. f32 and f64: decimal where that is exact and short
/// (`1.5f`, `-0.0`), else hexadecimal (`0x1.99999ap-4f`); infinities and NaNs by their bits
/// (`__int_as_float(0x7f800000)`, `__longlong_as_double(…)`). f16, bf16 and fp8: their bit pattern (`0x3c00`).
std::string cLiteral(ScalarType type, uint64_t bits);

/// The value for people: a short decimal that reads back to the same bits (whole numbers below 10^6 of the narrow
/// floats in full: 448, not 450); `inf`, `-inf`, `nan`, `true`, `false`.
std::string toText(ScalarType type, uint64_t bits);

/// Reads a number a user wrote: decimal, `0x…` integers, `inf`, `-inf`, `nan`, `true`, `false`.
///
/// f32 and f64 round the text once; narrower floats round the f64 of the text, with the overflow rules of `fromDouble`.
/// For an integer type a fraction is an error, and so is a number outside lowest signed ... highest unsigned.
Result<uint64_t> parseValue(ScalarType type, std::string_view text);

} // namespace tile

#endif // TILE_SUPPORT_LITERAL_H
