// ConvertText.cpp - casts of arith and the conversion table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScalarText.h"

#include "Types.h"

#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include "llvm/ADT/StringExtras.h"

namespace tile::cuda {

static bool isLong(ScalarType type) {
  return bitWidth(type) == 64;
}

/// An integer to a float: rounded once.
Expr ScalarText::toFloat(bool isSigned, ScalarType from, ScalarType to, const Expr &a) {
  ScalarType computed = to == ScalarType::F64 ? to : ScalarType::F32;
  if (from == ScalarType::I1 && isSigned)
    return narrowed(to, conditional(a, literal(computed, fromDouble(computed, -1)), literal(computed, 0)));
  Expr bits = isSigned || from == ScalarType::I1 ? a : unsignedOf(from, a);
  bool isExact = bitWidth(from) <= 16; // in f32
  if (to == ScalarType::F32 || to == ScalarType::F64 || isExact)
    return narrowed(to, cast(value(computed), bits));
  llvm::StringRef helper = isSigned ? (isLong(from) ? "i64_to_f32_odd" : "i32_to_f32_odd")
                                    : (isLong(from) ? "u64_to_f32_odd" : "u32_to_f32_odd");
  return narrowed(to, help(helper, {bits}));
}

/// A float to an integer: toward zero, saturating, NaN gives 0.
Expr ScalarText::toInteger(bool isSigned, ScalarType from, ScalarType to, const Expr &a) {
  Expr x = widened(from, a);
  bool isDouble = from == ScalarType::F64;
  if (to == ScalarType::I1) {
    ScalarType computed = isDouble ? ScalarType::F64 : ScalarType::F32;
    return binary(isSigned ? "<=" : ">=", x, literal(computed, fromDouble(computed, isSigned ? -1 : 1)));
  }
  llvm::StringRef helper;
  if (isSigned)
    helper = isLong(to) ? (isDouble ? "f64_to_i64" : "f32_to_i64") : (isDouble ? "f64_to_i32" : "f32_to_i32");
  else
    helper = isLong(to) ? (isDouble ? "f64_to_u64" : "f32_to_u64") : (isDouble ? "f64_to_u32" : "f32_to_u32");
  Expr whole = help(helper, {x});
  if (bitWidth(to) >= 32)
    return isSigned ? whole : fromUnsigned(to, whole);
  if (!isSigned)
    return fromUnsigned(to, call("min", {whole, primary(llvm::utostr(wrap(to, ~uint64_t(0))) + "u")}));
  Expr lowest = plainInteger(signedValue(to, lowestInteger(to))),
       highest = plainInteger(signedValue(to, highestInteger(to)));
  return call("max", {lowest, call("min", {whole, highest})});
}

Expr ScalarText::resize(bool isSigned, ScalarType from, ScalarType to, const Expr &a) {
  if (bitWidth(from) == bitWidth(to))
    return a;
  if (a.constant)
    return literal(to, isSigned ? static_cast<uint64_t>(signedValue(from, *a.constant)) : *a.constant);
  if (to == ScalarType::I1)
    return binary("!=", binary("&", a, plainInteger(1)), plainInteger(0));
  if (bitWidth(from) > bitWidth(to))
    return cast(value(to), a);
  if (from == ScalarType::I1)
    return isSigned ? unary("-", cast(isLong(to) ? "long long" : "int", a)) : cast(value(to), a);
  Expr out = cast(value(to), isSigned ? a : unsignedOf(from, a));
  if (isSigned && from == ScalarType::I32 && isLong(to)) {
    out.narrowText = a.text;
    out.narrowBinding = a.binding;
  }
  return out;
}

Expr ScalarText::bitcast(ScalarType from, ScalarType to, const Expr &a) {
  if (from == to)
    return a;
  switch (bitWidth(from)) {
  case 64:
    return call(to == ScalarType::F64 ? "__longlong_as_double" : "__double_as_longlong", {a});
  case 32:
    return call(to == ScalarType::F32 ? "__int_as_float" : "__float_as_int", {a});
  default:
    return cast(value(to), a);
  }
}

Expr ScalarText::castOp(CastOp op, ScalarType from, ScalarType to, const Expr &a) {
  switch (op) {
  case CastOp::ExtSI:
  case CastOp::TruncI:
  case CastOp::IndexCast:
    return resize(true, from, to, a);
  case CastOp::ExtUI:
  case CastOp::IndexCastUI:
    return resize(false, from, to, a);
  case CastOp::SIToFP:
    return toFloat(true, from, to, a);
  case CastOp::UIToFP:
    return toFloat(false, from, to, a);
  case CastOp::FPToSI:
    return toInteger(true, from, to, a);
  case CastOp::FPToUI:
    return toInteger(false, from, to, a);
  case CastOp::ExtF:
  case CastOp::TruncF:
    return convert(from, to, a);
  case CastOp::Bitcast:
    return bitcast(from, to, a);
  }
  return a;
}

/// `x != 0`; NaN is not zero.
static Expr isNotZero(ScalarType from, const Expr &a) {
  if (from == ScalarType::F32 || from == ScalarType::F64)
    return binary("!=", a, literal(from, 0));
  if (!isFloat(from))
    return binary("!=", a, plainInteger(0));
  uint64_t magnitude = floatFormat(from).signBit() - 1;
  return binary("!=", binary("&", a, primary("0x" + llvm::utohexstr(magnitude, /*LowerCase=*/true))), plainInteger(0));
}

Expr ScalarText::convert(ScalarType from, ScalarType to, const Expr &a) {
  if (from == to)
    return a;
  if (to == ScalarType::I1)
    return isNotZero(from, a);
  // Here, unlike in arithmetic, true is 1.
  bool isSigned = from != ScalarType::I1;
  if (!isFloat(from))
    return isFloat(to) ? toFloat(isSigned, from, to, a) : resize(isSigned, from, to, a);
  if (!isFloat(to))
    return toInteger(/*isSigned=*/true, from, to, a);
  if (from == ScalarType::F64)
    return to == ScalarType::F32 ? cast("float", a) : narrowed(to, help("f64_to_f32_odd", {a}));
  Expr x = widened(from, a);
  return to == ScalarType::F64 ? cast("double", x) : narrowed(to, x);
}

} // namespace tile::cuda
