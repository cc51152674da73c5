// Numerics.cpp - bit patterns to and from double, and to and from memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Numerics.h"

#include "lib/Support/LaneCode.h"

#include <cstring>

namespace tile {

double toDouble(ScalarType type, uint64_t bits) {
  switch (type) {
  case ScalarType::F16:
    return decode<ScalarType::F16>(bits);
  case ScalarType::BF16:
    return decode<ScalarType::BF16>(bits);
  case ScalarType::F32:
    return decode<ScalarType::F32>(bits);
  case ScalarType::F64:
    return decode<ScalarType::F64>(bits);
  case ScalarType::F8E4M3FN:
    return decode<ScalarType::F8E4M3FN>(bits);
  case ScalarType::F8E5M2:
    return decode<ScalarType::F8E5M2>(bits);
  case ScalarType::I1:
    return static_cast<double>(bits & 1);
  default:
    return static_cast<double>(signedValue(type, bits));
  }
}

/// Truncates toward zero into 64 bits of two's complement; what does not fit gives 0.
static uint64_t truncateToInteger(double value) {
  if (value >= -0x1p63 && value < 0x1p63)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  if (value >= 0x1p63 && value < 0x1p64)
    return static_cast<uint64_t>(value);
  return 0;
}

uint64_t fromDouble(ScalarType type, double value) {
  switch (type) {
  case ScalarType::F16:
    return encode<ScalarType::F16>(value);
  case ScalarType::BF16:
    return encode<ScalarType::BF16>(value);
  case ScalarType::F32:
    return encode<ScalarType::F32>(value);
  case ScalarType::F64:
    return encode<ScalarType::F64>(value);
  case ScalarType::F8E4M3FN:
    return encode<ScalarType::F8E4M3FN>(value);
  case ScalarType::F8E5M2:
    return encode<ScalarType::F8E5M2>(value);
  default:
    return wrap(type, truncateToInteger(value));
  }
}

static uint64_t fromMagnitude(ScalarType floatType, uint64_t magnitude, bool isNegative) {
  double value = floatType == ScalarType::F64 ? static_cast<double>(magnitude) : toOdd(magnitude);
  return fromDouble(floatType, isNegative ? -value : value);
}

uint64_t fromSigned(ScalarType floatType, int64_t value) {
  return fromMagnitude(floatType, value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value), value < 0);
}

uint64_t fromUnsigned(ScalarType floatType, uint64_t value) {
  return fromMagnitude(floatType, value, false);
}

// The library runs on little-endian hosts only: memory holds the low bytes of a pattern first.
static_assert(std::endian::native == std::endian::little);

uint64_t loadBits(ScalarType type, const void *address) {
  uint64_t bits = 0;
  std::memcpy(&bits, address, static_cast<size_t>(byteSize(type)));
  return type == ScalarType::I1 ? bits != 0 : bits;
}

void storeBits(ScalarType type, void *address, uint64_t bits) {
  std::memcpy(address, &bits, static_cast<size_t>(byteSize(type)));
}

} // namespace tile
