// CompileScalar.cpp - constants, arithmetic, index expressions, conversions, shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Simulator/Compiler.h"

#include "tile/Support/Conversion.h"
#include "tile/Support/Numerics.h"
#include "tile/Support/OpTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <bit>

using namespace mlir;

namespace tile::simt {

static std::optional<uint64_t> constantBits(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

bool Compiler::compileConstant(Operation &op) {
  auto constant = cast<arith::ConstantOp>(op);
  std::optional<uint64_t> bits = constantBits(constant.getValue());
  if (!bits)
    return refuse(&op, "'arith.constant' holds a value that is not a scalar of the language");
  slots[constant.getResult()] = fixedSlot(FixedSlot::Constant, *bits);
  return true;
}

/// The function of an operation on `type`, or null.
static LaneFunction findFunction(Operation &op, const ScalarOpInfo &row, ScalarType type, ScalarType result) {
  switch (row.kind) {
  case OpKind::Unary:
    return lookup(static_cast<UnaryOp>(row.code), type);
  case OpKind::Binary:
    return lookup(static_cast<BinaryOp>(row.code), type);
  case OpKind::Ternary:
    return lookup(static_cast<TernaryOp>(row.code), type);
  case OpKind::Cast:
    return lookup(static_cast<CastOp>(row.code), type, result);
  case OpKind::CompareI: {
    auto predicate = static_cast<int>(cast<arith::CmpIOp>(op).getPredicate());
    return lookup(static_cast<CompareOp>(predicate), type);
  }
  case OpKind::CompareF: {
    auto predicate = static_cast<int>(cast<arith::CmpFOp>(op).getPredicate());
    return lookup(static_cast<CompareOp>(static_cast<int>(CompareOp::FFalse) + predicate), type);
  }
  case OpKind::Constant:
    return nullptr;
  }
  return nullptr;
}

bool Compiler::compileScalar(Operation &op) {
  StringRef opName = op.getName().getStringRef();
  const ScalarOpInfo *row = findScalarOp(std::string_view(opName));
  if (!row)
    return refuse(&op, "'" + opName + "' is not an operation the simulator knows");
  std::optional<ScalarType> result = scalarType(op.getResult(0).getType()), type = result;
  if (row->kind == OpKind::Cast || row->kind == OpKind::CompareI || row->kind == OpKind::CompareF ||
      row->kind == OpKind::Unary)
    type = scalarType(op.getOperand(0).getType());
  if (!type || !result)
    return refuse(&op, "'" + opName + "' acts on values that are not scalars of the language");
  if (row->kind == OpKind::Constant)
    return compileConstant(op);
  Inst inst;
  inst.function = findFunction(op, *row, *type, *result);
  if (!inst.function)
    return refuse(&op, refusal(row->name, *type, *result));
  inst.code = Code::Compute;
  inst.op = &op;
  inst.type = *type;
  inst.operands = static_cast<uint8_t>(op.getNumOperands());
  for (auto [i, operand] : llvm::enumerate(op.getOperands()))
    inst.slots[i] = slotOf(operand);
  inst.result = define(op.getResult(0));
  emit(inst);
  return true;
}

//===----------------------------------------------------------------------===//
// Index expressions
//===----------------------------------------------------------------------===//

/// Divides with the quotient rounded down (`roundsUp`: up) or gives the remainder, which is never negative. Divisors
/// are positive: others fault.
enum class Division { Floor, Ceil, Mod };

template <Division kind> static uint64_t divideLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  uint64_t faults = 0;
  for (int lane = 0; lane < n; ++lane) {
    auto a = static_cast<int64_t>(operands[0][lane]), b = static_cast<int64_t>(operands[1][lane]);
    if (b <= 0) {
      faults |= uint64_t(1) << lane;
      out[lane] = 0;
      continue;
    }
    // Small numbers divide several times faster.
    bool isSmall = static_cast<uint64_t>(a | b) >> 32 == 0;
    int64_t quotient = isSmall ? static_cast<uint32_t>(a) / static_cast<uint32_t>(b) : a / b;
    int64_t rest = a - quotient * b;
    if (kind == Division::Mod)
      out[lane] = rest < 0 ? rest + b : rest;
    else if (kind == Division::Floor)
      out[lane] = quotient - (rest < 0);
    else
      out[lane] = quotient + (rest > 0);
  }
  return faults;
}

/// The same for a power of two that is equal in all lanes.
template <Division kind> static uint64_t shiftLanes(const uint64_t *const *operands, uint64_t *out, int n) {
  uint64_t divisor = operands[1][0];
  int shift = std::countr_zero(divisor);
  for (int lane = 0; lane < n; ++lane) {
    uint64_t a = operands[0][lane];
    if (kind == Division::Mod)
      out[lane] = a & (divisor - 1);
    else if (kind == Division::Floor)
      out[lane] = static_cast<uint64_t>(static_cast<int64_t>(a) >> shift);
    else
      out[lane] = 0 - static_cast<uint64_t>(static_cast<int64_t>(0 - a) >> shift);
  }
  return 0;
}

static LaneFunction affineFunction(AffineExprKind kind, AffineExpr divisor = {}) {
  auto constant = dyn_cast_or_null<AffineConstantExpr>(divisor);
  bool isPower = constant && constant.getValue() > 0 && std::has_single_bit(static_cast<uint64_t>(constant.getValue()));
  switch (kind) {
  case AffineExprKind::Add:
    return lookup(BinaryOp::AddI, ScalarType::Index);
  case AffineExprKind::Mul:
    return lookup(BinaryOp::MulI, ScalarType::Index);
  case AffineExprKind::FloorDiv:
    return isPower ? shiftLanes<Division::Floor> : divideLanes<Division::Floor>;
  case AffineExprKind::CeilDiv:
    return isPower ? shiftLanes<Division::Ceil> : divideLanes<Division::Ceil>;
  case AffineExprKind::Mod:
    return isPower ? shiftLanes<Division::Mod> : divideLanes<Division::Mod>;
  default:
    return nullptr;
  }
}

/// Computes `expr` into slot `result`, or returns where its value already is.
int32_t Compiler::compileExpr(affine::AffineApplyOp op, AffineExpr expr, int32_t result, bool &isTemporary) {
  isTemporary = false;
  unsigned numDims = op.getAffineMap().getNumDims();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return slotOf(op.getMapOperands()[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return slotOf(op.getMapOperands()[numDims + symbol.getPosition()]);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return fixedSlot(FixedSlot::Constant, constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isLeftTemporary, isRightTemporary;
  int32_t left = compileExpr(op, binary.getLHS(), -1, isLeftTemporary);
  int32_t right = compileExpr(op, binary.getRHS(), -1, isRightTemporary);
  Inst inst;
  inst.code = Code::Compute;
  inst.op = op;
  inst.operands = 2;
  inst.slots = {left, right, -1};
  inst.function = affineFunction(expr.getKind(), binary.getRHS());
  inst.result = result >= 0 ? result : newSlot();
  emit(inst);
  if (isLeftTemporary)
    release(left);
  if (isRightTemporary)
    release(right);
  isTemporary = result < 0;
  return inst.result;
}

bool Compiler::compileAffine(affine::AffineApplyOp op) {
  AffineExpr expr = op.getAffineMap().getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    slots[op.getResult()] = fixedSlot(FixedSlot::Constant, constant.getValue());
    return true;
  }
  int32_t result = define(op.getResult());
  bool isTemporary;
  int32_t place = compileExpr(op, expr, result, isTemporary);
  if (place != result) { // the map is one of its operands
    Inst inst;
    inst.code = Code::Compute;
    inst.op = op;
    inst.operands = 2;
    inst.slots = {place, fixedSlot(FixedSlot::Constant, 0), -1};
    inst.function = affineFunction(AffineExprKind::Add);
    inst.result = result;
    emit(inst);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Operations of simt that compute
//===----------------------------------------------------------------------===//

bool Compiler::compileConvert(ConvertOp op) {
  std::optional<ScalarType> from = scalarType(op.getValue().getType()), to = scalarType(op.getType());
  if (!from || !to)
    return refuse(op, "'simt.convert' acts on values that are not scalars of the language");
  Inst inst;
  inst.code = Code::Compute;
  inst.op = op;
  inst.operands = 1;
  inst.slots[0] = slotOf(op.getValue());
  inst.type = *from;
  inst.function = lookupConversion(*from, *to);
  inst.result = define(op.getResult());
  emit(inst);
  return true;
}

bool Compiler::compileShuffle(ShuffleOp op) {
  std::optional<ScalarType> type = scalarType(op.getValue().getType());
  if (!type)
    return refuse(op, "'simt.shuffle' moves a value that is not a scalar of the language");
  int32_t place =
      emit(Code::Shuffle, op, {slotOf(op.getValue()), slotOf(op.getLane()), -1}, static_cast<int32_t>(op.getMode()));
  program.insts[place].type = *type;
  program.insts[place].result = define(op.getResult());
  return true;
}

/// What shows values: a print, or a check under its condition.
bool Compiler::compileOutput(Operation &op, Code code, int32_t condition, ValueRange shown) {
  std::vector<CopyPair> values;
  std::vector<ScalarType> types;
  for (Value value : shown) {
    std::optional<ScalarType> type = scalarType(value.getType());
    if (!type)
      return refuse(&op, "'" + op.getName().getStringRef() + "' shows a value that is not a scalar of the language");
    values.push_back({slotOf(value), -1});
    types.push_back(*type);
  }
  emit(code, &op, {condition, -1, -1}, static_cast<int32_t>(program.copies.size()));
  program.copies.push_back(std::move(values));
  program.printTypes.resize(program.copies.size());
  program.printTypes.back() = std::move(types);
  return true;
}

} // namespace tile::simt
