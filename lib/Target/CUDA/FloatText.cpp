// FloatText.cpp - float arithmetic and functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScalarText.h"

#include "Types.h"

#include "tile/Support/FloatFormat.h"
#include "tile/Support/Numerics.h"

#include "llvm/ADT/StringExtras.h"

namespace tile::cuda {

static bool isNative(ScalarType type) {
  return type == ScalarType::F32 || type == ScalarType::F64;
}

Expr ScalarText::widened(ScalarType type, const Expr &a) {
  if (isNative(type))
    return a;
  if (a.constant && !floatFormat(type).isNan(*a.constant))
    return literal(ScalarType::F32, fromDouble(ScalarType::F32, toDouble(type, *a.constant)));
  switch (type) {
  case ScalarType::F16:
    return help("f16_to_f32", {a});
  case ScalarType::BF16:
    return help("bf16_to_f32", {a});
  case ScalarType::F8E4M3FN:
    return help("f8e4m3_to_f32", {a});
  default:
    return help("f8e5m2_to_f32", {a});
  }
}

Expr ScalarText::narrowed(ScalarType type, const Expr &a) {
  switch (type) {
  case ScalarType::F16:
    return help("f32_to_f16", {a});
  case ScalarType::BF16:
    return help("f32_to_bf16", {a});
  case ScalarType::F8E4M3FN:
    return help("f32_to_f8e4m3", {a});
  case ScalarType::F8E5M2:
    return help("f32_to_f8e5m2", {a});
  default:
    return a;
  }
}

namespace {
/// A C function for f64 (for f32 with an `f` behind), and its approximation on f32.
struct Function {
  llvm::StringRef name;
  llvm::StringRef approximation = "";
};
} // namespace

static Function functionOf(UnaryOp op) {
  switch (op) {
  case UnaryOp::Ceil:
    return {"ceil"};
  case UnaryOp::Floor:
    return {"floor"};
  case UnaryOp::Round:
    return {"round"};
  case UnaryOp::RoundEven:
    return {"rint"};
  case UnaryOp::Trunc:
    return {"trunc"};
  case UnaryOp::Sqrt:
    return {"sqrt", "sqrt_approx"};
  case UnaryOp::Rsqrt:
    return {"rsqrt", "rsqrt_approx"};
  case UnaryOp::Cbrt:
    return {"cbrt"};
  case UnaryOp::Exp:
    return {"exp", "exp_approx"};
  case UnaryOp::Exp2:
    return {"exp2", "exp2_approx"};
  case UnaryOp::ExpM1:
    return {"expm1"};
  case UnaryOp::Log:
    return {"log", "log_approx"};
  case UnaryOp::Log2:
    return {"log2", "log2_approx"};
  case UnaryOp::Log10:
    return {"log10", "log10_approx"};
  case UnaryOp::Log1p:
    return {"log1p"};
  case UnaryOp::Sin:
    return {"sin", "sin_approx"};
  case UnaryOp::Cos:
    return {"cos", "cos_approx"};
  case UnaryOp::Tan:
    return {"tan"};
  case UnaryOp::Asin:
    return {"asin"};
  case UnaryOp::Acos:
    return {"acos"};
  case UnaryOp::Atan:
    return {"atan"};
  case UnaryOp::Sinh:
    return {"sinh"};
  case UnaryOp::Cosh:
    return {"cosh"};
  case UnaryOp::Tanh:
    return {"tanh", "tanh_approx"};
  case UnaryOp::Asinh:
    return {"asinh"};
  case UnaryOp::Acosh:
    return {"acosh"};
  case UnaryOp::Atanh:
    return {"atanh"};
  case UnaryOp::Erf:
    return {"erf", "erf_approx"};
  case UnaryOp::Erfc:
    return {"erfc"};
  default: // AbsF
    return {"fabs"};
  }
}

/// A library function of f64, or with an `f` of f32.
static Expr library(llvm::StringRef name, ScalarType type, llvm::ArrayRef<Expr> arguments) {
  return call(type == ScalarType::F64 ? name.str() : (name + "f").str(), arguments);
}

/// `0x8000` of a 16-bit float.
static Expr mask(uint64_t bits) {
  return primary("0x" + llvm::utohexstr(bits, /*LowerCase=*/true));
}

Expr ScalarText::floatClass(UnaryOp op, ScalarType type, const Expr &a) {
  // f16 subnormals are normal in f32; bf16 has the exponents of f32.
  if (op == UnaryOp::IsNormal && type == ScalarType::F16)
    return help("isnormal_f16", {a});
  bool isDouble = type == ScalarType::F64;
  Expr x = widened(type, a);
  switch (op) {
  case UnaryOp::IsNaN:
    return help(isDouble ? "isnan_f64" : "isnan_f32", {x});
  case UnaryOp::IsInf:
    return help(isDouble ? "isinf_f64" : "isinf_f32", {x});
  case UnaryOp::IsFinite:
    return help(isDouble ? "isfinite_f64" : "isfinite_f32", {x});
  default:
    return help(isDouble ? "isnormal_f64" : "isnormal_f32", {x});
  }
}

Expr ScalarText::floatUnary(UnaryOp op, ScalarType type, const Expr &a, Freedom freedom) {
  uint64_t sign = floatFormat(type).signBit();
  switch (op) {
  case UnaryOp::NegF:
    return isNative(type) ? unary("-", a) : cast(value(type), binary("^", a, mask(sign)));
  case UnaryOp::AbsF:
    if (!isNative(type))
      return cast(value(type), binary("&", a, mask(sign - 1)));
    break;
  case UnaryOp::IsNaN:
  case UnaryOp::IsInf:
  case UnaryOp::IsFinite:
  case UnaryOp::IsNormal:
    return floatClass(op, type, a);
  default:
    break;
  }
  Function function = functionOf(op);
  if (freedom.isApproximate && type != ScalarType::F64 && !function.approximation.empty())
    return narrowed(type, help(function.approximation, {widened(type, a)}));
  return narrowed(type, library(function.name, type, {widened(type, a)}));
}

Expr ScalarText::quotient(ScalarType type, const Expr &a, const Expr &b, Freedom freedom) {
  Expr l = widened(type, a), r = widened(type, b);
  if (type == ScalarType::F64)
    return binary("/", l, r);
  if (freedom.usesReciprocal) {
    bool isOne = a.constant && *a.constant == floatFormat(type).one();
    Expr reciprocal = help("rcp_approx", {r});
    return narrowed(type, isOne ? reciprocal : binary("*", l, reciprocal));
  }
  return narrowed(type, freedom.isApproximate ? help("div_approx", {l, r}) : binary("/", l, r));
}

/// The helper for the larger or smaller of two, by type.
static llvm::StringRef extremum(BinaryOp op, ScalarType type) {
  bool isDouble = type == ScalarType::F64;
  switch (op) {
  case BinaryOp::MaximumF:
    return isDouble                   ? "maximum_f64"
           : type == ScalarType::F16  ? "maximum_f16"
           : type == ScalarType::BF16 ? "maximum_bf16"
                                      : "maximum_f32";
  case BinaryOp::MinimumF:
    return isDouble                   ? "minimum_f64"
           : type == ScalarType::F16  ? "minimum_f16"
           : type == ScalarType::BF16 ? "minimum_bf16"
                                      : "minimum_f32";
  case BinaryOp::MaxNumF:
    return isDouble ? "maxnum_f64" : "maxnum_f32";
  default:
    return isDouble ? "minnum_f64" : "minnum_f32";
  }
}

Expr ScalarText::floatBinary(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom) {
  auto l = [&] { return widened(type, a); };
  auto r = [&] { return widened(type, b); };
  uint64_t sign = floatFormat(type).signBit();
  switch (op) {
  case BinaryOp::AddF:
    return narrowed(type, binary("+", l(), r()));
  case BinaryOp::SubF:
    return narrowed(type, binary("-", l(), r()));
  case BinaryOp::MulF:
    return narrowed(type, binary("*", l(), r()));
  case BinaryOp::DivF:
    return quotient(type, a, b, freedom);
  case BinaryOp::RemF:
    return narrowed(type, library("fmod", type, {l(), r()}));
  case BinaryOp::MaximumF:
  case BinaryOp::MinimumF:
    return help(extremum(op, type), {a, b});
  case BinaryOp::MaxNumF:
  case BinaryOp::MinNumF:
    return narrowed(type, help(extremum(op, type), {l(), r()}));
  case BinaryOp::CopySign:
    if (isNative(type))
      return library("copysign", type, {a, b});
    return cast(value(type), binary("|", binary("&", a, mask(sign - 1)), binary("&", b, mask(sign))));
  case BinaryOp::Atan2:
    return narrowed(type, library("atan2", type, {l(), r()}));
  case BinaryOp::PowF:
    return narrowed(type, library("pow", type, {l(), r()}));
  default: { // FPowI: f64 holds every exponent, and so knows whether it is odd
    Expr power = call("pow", {type == ScalarType::F64 ? a : cast("double", l()), cast("double", b)});
    if (isNative(type))
      return type == ScalarType::F64 ? power : cast("float", power);
    return narrowed(type, help("f64_to_f32_odd", {power}));
  }
  }
}

Expr ScalarText::fma(ScalarType type, const Expr &a, const Expr &b, const Expr &c) {
  // In f32 the sum of a narrow product would round twice.
  switch (type) {
  case ScalarType::F16:
    return help("fma_f16", {a, b, c});
  case ScalarType::BF16:
    return help("fma_bf16", {a, b, c});
  default:
    return library("fma", type, {a, b, c});
  }
}

} // namespace tile::cuda
