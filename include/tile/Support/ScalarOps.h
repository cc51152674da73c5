// ScalarOps.h - every scalar operation of the language, evaluated on bit patterns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_SUPPORT_SCALAROPS_H
#define TILE_SUPPORT_SCALAROPS_H

#include "tile/Support/ScalarType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tile {

// The one definition of what a scalar operation means: the interpreter, the simulator, the tests of folding and (as
// reference) the emitted C all come here. Floats compute in f64 and round once to their type; for + - * / and sqrt that
// is the IEEE result, fma rounds once by construction. Integers wrap at their own width. Division by zero and
// lowest / -1 are faults: reported, never trapped.

enum class UnaryOp : uint8_t {
#define TILE_UNARY(id, name, types) id,
#include "tile/Support/ScalarOps.def"
};

enum class BinaryOp : uint8_t {
#define TILE_BINARY(id, name, types) id,
#include "tile/Support/ScalarOps.def"
};

/// Select takes (condition of i1, value if true, value if false).
enum class TernaryOp : uint8_t {
#define TILE_TERNARY(id, name, types) id,
#include "tile/Support/ScalarOps.def"
};

enum class CastOp : uint8_t {
#define TILE_CAST(id, name) id,
#include "tile/Support/ScalarOps.def"
};

/// Integer comparisons, then float comparisons, each in MLIR's order (`arith.cmpi` 0-9, `arith.cmpf` 0-15).
enum class CompareOp : uint8_t {
  Eq,
  Ne,
  Slt,
  Sle,
  Sgt,
  Sge,
  Ult,
  Ule,
  Ugt,
  Uge,
  FFalse,
  FOeq,
  FOgt,
  FOge,
  FOlt,
  FOle,
  FOne,
  FOrd,
  FUeq,
  FUgt,
  FUge,
  FUlt,
  FUle,
  FUne,
  FUno,
  FTrue
};

/// An operation on `n` lanes, 1 <= n <= 64: operand k of lane l is `operands[k][l]`.
///
/// \returns a mask: bit l is set where lane l faulted (its result is 0). Lanes nobody wants may hold any bits: clear
/// their mask bits. `out` may be one of the operands.
using LaneFunction = uint64_t (*)(const uint64_t *const *operands, uint64_t *out, int n);

// The function for an operation on operands of `type` (FPowI: the exponent is i32; Select: the type of the values;
// casts: both types), or null where OpTable.h says it is not supported.
LaneFunction lookup(UnaryOp op, ScalarType type);
LaneFunction lookup(BinaryOp op, ScalarType type);
LaneFunction lookup(TernaryOp op, ScalarType type);
LaneFunction lookup(CompareOp op, ScalarType type);
LaneFunction lookup(CastOp op, ScalarType from, ScalarType to);

// One value. `std::nullopt` is a fault of the operands (`faultText` says which).
// \pre the operation is supported for the type; asserts otherwise.
uint64_t evaluate(UnaryOp op, ScalarType type, uint64_t operand);
std::optional<uint64_t> evaluate(BinaryOp op, ScalarType type, uint64_t lhs, uint64_t rhs);
uint64_t evaluate(TernaryOp op, ScalarType type, uint64_t a, uint64_t b, uint64_t c);
bool evaluate(CompareOp op, ScalarType type, uint64_t lhs, uint64_t rhs);
uint64_t evaluate(CastOp op, ScalarType from, ScalarType to, uint64_t operand);

/// Why a division faulted: "division by zero" or "lowest integer divided by -1"; empty where it does not.
std::string_view faultText(BinaryOp op, ScalarType type, uint64_t lhs, uint64_t rhs);

/// The type of the result: i1 for the isnan family, else the operand's.
ScalarType resultType(UnaryOp op, ScalarType type);

} // namespace tile

#endif // TILE_SUPPORT_SCALAROPS_H
