// Evaluate.cpp - finds the scalar function of an arith or math operation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Evaluate/Evaluate.h"

#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile {

std::optional<ScalarType> scalarType(Type type) {
  if (type.isIndex())
    return ScalarType::Index;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return ScalarType::I1;
    case 8:
      return ScalarType::I8;
    case 16:
      return ScalarType::I16;
    case 32:
      return ScalarType::I32;
    case 64:
      return ScalarType::I64;
    default:
      return std::nullopt;
    }
  }
  using Result = std::optional<ScalarType>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case([](Float16Type) { return ScalarType::F16; })
      .Case([](BFloat16Type) { return ScalarType::BF16; })
      .Case([](Float32Type) { return ScalarType::F32; })
      .Case([](Float64Type) { return ScalarType::F64; })
      .Case([](Float8E4M3FNType) { return ScalarType::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return ScalarType::F8E5M2; })
      .Default(Result());
}

Type mlirType(MLIRContext *context, ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return Float16Type::get(context);
  case ScalarType::BF16:
    return BFloat16Type::get(context);
  case ScalarType::F32:
    return Float32Type::get(context);
  case ScalarType::F64:
    return Float64Type::get(context);
  case ScalarType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ScalarType::F8E5M2:
    return Float8E5M2Type::get(context);
  case ScalarType::Index:
    return IndexType::get(context);
  default:
    return IntegerType::get(context, static_cast<unsigned>(bitWidth(type)));
  }
}

std::optional<uint64_t> bitsOf(Attribute attribute) {
  auto typed = dyn_cast_or_null<TypedAttr>(attribute);
  if (!typed || !scalarType(typed.getType()))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

TypedAttr attributeOf(MLIRContext *context, ScalarType type, uint64_t bits) {
  Type target = mlirType(context, type);
  llvm::APInt pattern(static_cast<unsigned>(bitWidth(type)), wrap(type, bits));
  if (auto floatType = dyn_cast<FloatType>(target))
    return FloatAttr::get(floatType, llvm::APFloat(floatType.getFloatSemantics(), pattern));
  return IntegerAttr::get(target, pattern);
}

// CompareOp repeats MLIR's predicates in MLIR's order.
static_assert(static_cast<int>(arith::CmpIPredicate::uge) == static_cast<int>(CompareOp::Uge));
static_assert(static_cast<int>(arith::CmpFPredicate::AlwaysTrue) + static_cast<int>(CompareOp::FFalse) ==
              static_cast<int>(CompareOp::FTrue));
static_assert(static_cast<int>(arith::CmpFPredicate::UNO) + static_cast<int>(CompareOp::FFalse) ==
              static_cast<int>(CompareOp::FUno));

/// The type that the operation is looked up by: of its values for select and constants, else of the first operand.
static Type governingType(Operation *op) {
  if (isa<arith::SelectOp>(op))
    return op->getOperand(1).getType();
  return op->getNumOperands() == 0 ? op->getResult(0).getType() : op->getOperand(0).getType();
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

/// What the support table cannot know: shapes, mixed operand types, rounding modes.
static std::string refusalOfForm(Operation *op) {
  std::string quoted = "'" + op->getName().getStringRef().str() + "'";
  SmallVector<Type, 4> types(op->getOperandTypes());
  types.push_back(op->getResult(0).getType());
  for (Type type : types)
    if (!scalarType(type))
      return quoted + " on " + textOf(type) + " is not supported; scalar operations take element types";
  if (auto power = dyn_cast<math::FPowIOp>(op))
    if (!power.getRhs().getType().isInteger(32))
      return quoted + " has an exponent of " + textOf(power.getRhs().getType()) + "; the exponent must be i32";
  if (auto truncate = dyn_cast<arith::TruncFOp>(op))
    if (truncate.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return quoted + " rounds '" + stringifyRoundingMode(*truncate.getRoundingmode()).str() +
             "'; conversions round to nearest even";
  if (isa<arith::ConstantOp>(op) && !bitsOf(cast<arith::ConstantOp>(op).getValue()))
    return quoted + " has a value that is no number";
  return "";
}

std::string scalarRefusal(Operation *op) {
  StringRef opName = op->getName().getStringRef();
  if (!findScalarOp(opName) || op->getNumResults() != 1)
    return "'" + opName.str() + "' is not a scalar operation of the language";
  std::string form = refusalOfForm(op);
  if (!form.empty())
    return form;
  return refusal(opName, *scalarType(governingType(op)), *scalarType(op->getResult(0).getType()));
}

static LaneFunction functionOf(Operation *op, const ScalarOpInfo &info, ScalarType type, ScalarType result) {
  switch (info.kind) {
  case OpKind::Unary:
    return lookup(static_cast<UnaryOp>(info.code), type);
  case OpKind::Binary:
    return lookup(static_cast<BinaryOp>(info.code), type);
  case OpKind::Ternary:
    return lookup(static_cast<TernaryOp>(info.code), type);
  case OpKind::Cast:
    return lookup(static_cast<CastOp>(info.code), type, result);
  case OpKind::CompareI:
    return lookup(static_cast<CompareOp>(cast<arith::CmpIOp>(op).getPredicate()), type);
  case OpKind::CompareF: {
    int predicate = static_cast<int>(cast<arith::CmpFOp>(op).getPredicate());
    return lookup(static_cast<CompareOp>(static_cast<int>(CompareOp::FFalse) + predicate), type);
  }
  case OpKind::Constant:
    return nullptr;
  }
  return nullptr;
}

std::optional<ScalarFunction> scalarFunction(Operation *op) {
  if (!scalarRefusal(op).empty())
    return std::nullopt;
  const ScalarOpInfo &info = *findScalarOp(op->getName().getStringRef());
  ScalarType type = *scalarType(governingType(op));
  ScalarFunction function;
  function.result = *scalarType(op->getResult(0).getType());
  function.numOperands = static_cast<int>(op->getNumOperands());
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    function.operandTypes[i] = *scalarType(op->getOperand(i).getType());
  function.function = functionOf(op, info, type, function.result);
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op))
    function.constant = *bitsOf(constantOp.getValue());
  if (info.kind == OpKind::Binary && isInteger(type))
    function.division = static_cast<BinaryOp>(info.code);
  return function;
}

std::string_view ScalarFunction::faultText(const uint64_t *operands) const {
  return division ? tile::faultText(*division, operandTypes[0], operands[0], operands[1]) : std::string_view();
}

} // namespace tile
