// Numerics.h - values as bit patterns: to and from double, and to and from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_NUMERICS_H
#define TILE_SUPPORT_NUMERICS_H

#include "tile/Support/FloatFormat.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>

namespace tile {

// A value of any element type travels as its bit pattern in a uint64_t, zero-extended: -1 of i8 is 0xff, 1.0 of f16 is
// 0x3c00, true is 1. Every function here keeps that form.
//
// NaN policy: an operation that computes a NaN gives the one canonical NaN of its type (positive, quiet, no payload:
// `FloatFormat::nan`). Operations that only move bits or touch the sign (bitcast, select, negf, absf, copysign, a
// conversion to the same type) keep the payload.

/// The low `bitWidth(type)` bits of `bits`: an integer wrapped into its type.
constexpr uint64_t wrap(ScalarType type, uint64_t bits) {
  int width = bitWidth(type);
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

/// The integer in two's complement; true of i1 is -1.
constexpr int64_t signedValue(ScalarType type, uint64_t bits) {
  int unused = 64 - bitWidth(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// The lowest and highest integers of the type in two's complement (i1: -1 and 0), as bit patterns.
constexpr uint64_t lowestInteger(ScalarType type) {
  return uint64_t(1) << (bitWidth(type) - 1);
}
constexpr uint64_t highestInteger(ScalarType type) {
  return lowestInteger(type) - 1;
}

/// The number a pattern stands for: exact for floats and for integers up to 2^53, else rounded to nearest even.
/// Integers are signed, i1 is 0 or 1.
double toDouble(ScalarType type, uint64_t bits);

/// Rounds once, to nearest even; subnormals are kept.
///
/// Overflow gives infinity in f16, bf16, f32 and f64, and the largest finite value in fp8. Infinities stay infinite, in
/// f8E4M3FN (which has none) they become NaN. Any NaN becomes the canonical one. An integer is truncated toward zero,
/// then wrapped at its own width; NaN, infinities and values beyond 64 bits give 0 (saturation: see Conversion.h).
uint64_t fromDouble(ScalarType type, double value);

/// A 64-bit integer rounded once to a float type, also where it does not fit a double.
uint64_t fromSigned(ScalarType floatType, int64_t value);
uint64_t fromUnsigned(ScalarType floatType, uint64_t value);

/// One element from memory, little endian; any non-zero byte of i1 reads as true.
uint64_t loadBits(ScalarType type, const void *address);

/// One element to memory: `byteSize(type)` bytes.
void storeBits(ScalarType type, void *address, uint64_t bits);

} // namespace tile

#endif // TILE_SUPPORT_NUMERICS_H
