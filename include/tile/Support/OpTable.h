// OpTable.h - which scalar operations exist on which element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_OPTABLE_H
#define TILE_SUPPORT_OPTABLE_H

#include "tile/Support/ScalarOps.h"
#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tile {

/// A set of element types.
class TypeSet {
public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<ScalarType> types) {
    for (ScalarType type : types)
      insert(type);
  }
  constexpr void insert(ScalarType type) { bits = static_cast<uint16_t>(bits | 1u << static_cast<int>(type)); }
  constexpr bool contains(ScalarType type) const { return bits >> static_cast<int>(type) & 1; }

private:
  uint16_t bits = 0;
};

/// What kind of operation a name is; `code` of `ScalarOpInfo` is a value of the enum of that kind.
enum class OpKind : uint8_t { Unary, Binary, Ternary, Cast, CompareI, CompareF, Constant };

/// One row of the support table (ScalarOps.def).
struct ScalarOpInfo {
  std::string_view name; ///< as MLIR spells it: "arith.addf"
  OpKind kind;
  uint8_t code;  ///< the enumerator of UnaryOp, BinaryOp, TernaryOp or CastOp; 0 otherwise
  TypeSet types; ///< supported operand types; for casts the source types (pairs: `isSupported`)
};

/// All rows, in the order of ScalarOps.def, then `arith.cmpi`, `arith.cmpf` and `arith.constant`.
std::span<const ScalarOpInfo> scalarOps();

/// The row of that name, or null.
const ScalarOpInfo *findScalarOp(std::string_view name);

/// True if a cast is supported from one type to the other.
bool isSupported(CastOp op, ScalarType from, ScalarType to);

/// True if the named operation is supported; `type` is that of its operands (select, constant: of its value), `result`
/// that of its result, which matters for casts only.
bool isSupported(std::string_view name, ScalarType type, ScalarType result);

/// Why not, for a diagnostic: "'arith.addf' on f8E5M2 is not supported; it takes f16, bf16, f32, f64"; empty if it is.
std::string refusal(std::string_view name, ScalarType type, ScalarType result);

} // namespace tile

#endif // TILE_SUPPORT_OPTABLE_H
