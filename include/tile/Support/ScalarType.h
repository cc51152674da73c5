// ScalarType.h - the element types of the language, without MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_SCALARTYPE_H
#define TILE_SUPPORT_SCALARTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace tile {

/// The element types of tiles and scalars. `Index` is a 64-bit signed integer that never lives in memory.
enum class ScalarType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64, F8E4M3FN, F8E5M2, Index };

/// Bytes of one element in memory; i1 takes one byte, 0 or 1.
constexpr int64_t byteSize(ScalarType type) {
  switch (type) {
  case ScalarType::I1:
  case ScalarType::I8:
  case ScalarType::F8E4M3FN:
  case ScalarType::F8E5M2:
    return 1;
  case ScalarType::I16:
  case ScalarType::F16:
  case ScalarType::BF16:
    return 2;
  case ScalarType::I32:
  case ScalarType::F32:
    return 4;
  case ScalarType::I64:
  case ScalarType::F64:
  case ScalarType::Index:
    return 8;
  }
  return 0;
}

/// Bits that carry the value: 1 for i1, else eight times the bytes.
constexpr int bitWidth(ScalarType type) {
  return type == ScalarType::I1 ? 1 : static_cast<int>(8 * byteSize(type));
}

constexpr bool isFloat(ScalarType type) {
  return type >= ScalarType::F16 && type <= ScalarType::F8E5M2;
}

constexpr bool isInteger(ScalarType type) {
  return !isFloat(type);
}

/// The name as MLIR spells it: "f8E4M3FN", "bf16", "i32", "index".
std::string_view name(ScalarType type);

/// The type of that name, or nothing.
std::optional<ScalarType> parseScalarType(std::string_view name);

} // namespace tile

#endif // TILE_SUPPORT_SCALARTYPE_H
