// Evaluate.h - from MLIR's types, attributes and scalar operations to the scalar library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_EVALUATE_EVALUATE_H
#define TILE_EVALUATE_EVALUATE_H

#include "tile/Support/ScalarOps.h"
#include "tile/Support/ScalarType.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mlir {
class MLIRContext;
class Operation;
} // namespace mlir

namespace tile {

/// The element type, or nothing for what is none: signless i1, i8, i16, i32, i64, index, f16, bf16, f32, f64,
/// f8E4M3FN and f8E5M2 are.
std::optional<ScalarType> scalarType(mlir::Type type);

/// The MLIR type of an element type.
mlir::Type mlirType(mlir::MLIRContext *context, ScalarType type);

/// The bit pattern of an integer, float or bool attribute of an element type, or nothing.
std::optional<uint64_t> bitsOf(mlir::Attribute attribute);

/// The integer or float attribute of that pattern.
mlir::TypedAttr attributeOf(mlir::MLIRContext *context, ScalarType type, uint64_t bits);

/// A scalar operation of `arith` or `math`, found once, called often.
///
/// Example: for `arith.divsi %a, %b : i32`, arity 2; `call({7, 0}, &r)` is false and `faultText({7, 0})` is
/// "division by zero". A constant has arity 0.
class ScalarFunction {
public:
  int arity() const { return numOperands; }
  ScalarType operandType(int index) const { return operandTypes[index]; }
  ScalarType resultType() const { return result; }

  /// Evaluates one value; false is a fault of the operands, and the result 0.
  bool call(const uint64_t *operands, uint64_t *value) const {
    const uint64_t *lanes[3] = {operands, operands + 1, operands + 2};
    return callLanes(lanes, value, 1) == 0;
  }

  /// Evaluates 1 to 64 lanes, operand k of lane l at `operands[k][l]`.
  /// \returns a mask of the lanes that faulted; lanes nobody wants may hold any bits.
  uint64_t callLanes(const uint64_t *const *operands, uint64_t *out, int n) const {
    if (function)
      return function(operands, out, n);
    for (int lane = 0; lane < n; ++lane)
      out[lane] = constant;
    return 0;
  }

  /// Why these operands fault; empty where they do not.
  std::string_view faultText(const uint64_t *operands) const;

private:
  friend std::optional<ScalarFunction> scalarFunction(mlir::Operation *op);

  LaneFunction function = nullptr; ///< null for a constant
  uint64_t constant = 0;
  int numOperands = 0;
  ScalarType operandTypes[3] = {};
  ScalarType result = ScalarType::I1;
  std::optional<BinaryOp> division; ///< set for operations that can fault
};

/// The function of an `arith` or `math` operation on scalars, or nothing where `scalarRefusal` says why. Flags that
/// permit more (`fastmath`, `nsw`, `exact`) change nothing.
std::optional<ScalarFunction> scalarFunction(mlir::Operation *op);

/// Why an operation has no function, for a diagnostic on it; empty if it has one.
/// Example: "'arith.addf' on f8E5M2 is not supported; it takes bf16, f16, f32, f64".
std::string scalarRefusal(mlir::Operation *op);

} // namespace tile

#endif // TILE_EVALUATE_EVALUATE_H
