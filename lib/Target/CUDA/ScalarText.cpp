// ScalarText.cpp - sends each scalar operation to the kind that spells it; comparisons and affine expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScalarText.h"

#include "Types.h"

#include "tile/Support/Numerics.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile::cuda {

llvm::StringRef ScalarText::note(ScalarType type, bool inMemory) {
  llvm::StringRef text = inMemory ? memoryType(type) : valueType(type);
  if (isFloat(type) && type != ScalarType::F32 && type != ScalarType::F64)
    used.insert(text);
  return text;
}

Expr ScalarText::help(llvm::StringRef name, llvm::ArrayRef<Expr> arguments) {
  used.insert(name);
  return call(name, arguments);
}

Expr ScalarText::unaryOp(UnaryOp op, ScalarType type, const Expr &a, Freedom freedom) {
  if (isFloat(type))
    return floatUnary(op, type, a, freedom);
  return type == ScalarType::I1 ? booleanUnary(op, a) : integerUnary(op, type, a);
}

Expr ScalarText::binaryOp(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom) {
  if (isFloat(type))
    return floatBinary(op, type, a, b, freedom);
  return type == ScalarType::I1 ? booleanBinary(op, a, b) : integerBinary(op, type, a, b, freedom);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// `a op b` of two integers; a constant needs no suffix beside a value that has its type already.
static Expr plainCompare(llvm::StringRef op, ScalarType type, const Expr &a, const Expr &b) {
  if (b.constant && !a.constant)
    return binary(op, unwidened(a), plainInteger(signedValue(type, *b.constant)));
  if (a.constant && !b.constant)
    return binary(op, plainInteger(signedValue(type, *a.constant)), b);
  return a.narrowText.empty() ? binary(op, a, unwidened(b)) : binary(op, unwidened(a), b);
}

static llvm::StringRef orderOf(CompareOp op) {
  switch (op) {
  case CompareOp::Slt:
  case CompareOp::Ult:
  case CompareOp::FOlt:
    return "<";
  case CompareOp::Sle:
  case CompareOp::Ule:
  case CompareOp::FOle:
    return "<=";
  case CompareOp::Sgt:
  case CompareOp::Ugt:
  case CompareOp::FOgt:
    return ">";
  case CompareOp::Sge:
  case CompareOp::Uge:
  case CompareOp::FOge:
    return ">=";
  case CompareOp::Eq:
  case CompareOp::FOeq:
    return "==";
  default: // Ne, FUne
    return "!=";
  }
}

/// Negated, an ordered comparison is the opposite unordered one.
static std::optional<llvm::StringRef> negatedOrder(CompareOp op) {
  switch (op) {
  case CompareOp::FUgt:
    return "<=";
  case CompareOp::FUge:
    return "<";
  case CompareOp::FUlt:
    return ">=";
  case CompareOp::FUle:
    return ">";
  default:
    return std::nullopt;
  }
}

Expr ScalarText::compare(CompareOp op, ScalarType type, const Expr &a, const Expr &b) {
  bool isUnsigned = op >= CompareOp::Ult && op <= CompareOp::Uge;
  if (!isFloat(type)) {
    // As a signed number, true is -1: the order of i1 turns round.
    if (type == ScalarType::I1)
      return isUnsigned || op <= CompareOp::Ne ? binary(orderOf(op), a, b) : binary(orderOf(op), b, a);
    if (isUnsigned)
      return binary(orderOf(op), unsignedOf(type, a), unsignedOf(type, b));
    return plainCompare(orderOf(op), type, a, b);
  }
  Expr l = widened(type, a), r = widened(type, b);
  std::string suffix = type == ScalarType::F64 ? "_f64" : "_f32";
  if (std::optional<llvm::StringRef> order = negatedOrder(op))
    return unary("!", binary(*order, l, r));
  auto named = [&](llvm::StringRef name) {
    for (llvm::StringRef known : {"ordered_f32", "ordered_f64", "differ_f32", "differ_f64"})
      if (known == name.str() + suffix)
        return help(known, {l, r});
    return Expr();
  };
  switch (op) {
  case CompareOp::FFalse:
    return primary("false");
  case CompareOp::FTrue:
    return primary("true");
  case CompareOp::FOrd:
    return named("ordered");
  case CompareOp::FUno:
    return unary("!", named("ordered"));
  case CompareOp::FOne:
    return named("differ");
  case CompareOp::FUeq:
    return unary("!", named("differ"));
  default:
    return binary(orderOf(op), l, r);
  }
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// The negative of a term that is written with a minus: -3 -> 3, d * -2 -> d * 2; null for others.
static AffineExpr negated(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() < 0 && constant.getValue() != INT64_MIN
               ? getAffineConstantExpr(-constant.getValue(), expr.getContext())
               : AffineExpr();
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return {};
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!factor || factor.getValue() >= 0 || factor.getValue() == INT64_MIN)
    return {};
  return product.getLHS() * -factor.getValue();
}

Expr ScalarText::affine(AffineExpr expr, unsigned dimensions, llvm::ArrayRef<Expr> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return literal(ScalarType::Index, static_cast<uint64_t>(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dimensions + symbol.getPosition()];
  auto pair = cast<AffineBinaryOpExpr>(expr);
  auto side = [&](AffineExpr part) { return affine(part, dimensions, operands); };
  auto factor = dyn_cast<AffineConstantExpr>(pair.getRHS());
  Expr l = side(pair.getLHS());
  // The left side is never a constant of its own (affine expressions put constants right), so it gives the type.
  auto right = [&](AffineExpr part) {
    auto constant = dyn_cast<AffineConstantExpr>(part);
    return constant && !l.constant ? plainInteger(constant.getValue()) : side(part);
  };
  // Shifting and masking round toward minus infinity, as affine division does.
  bool isPower = factor && factor.getValue() > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(factor.getValue()));
  switch (pair.getKind()) {
  case AffineExprKind::Add:
    if (AffineExpr minus = negated(pair.getRHS()))
      return binary("-", l, right(minus));
    return binary("+", l, right(pair.getRHS()));
  case AffineExprKind::Mul:
    return factor && factor.getValue() == -1 ? unary("-", l) : binary("*", l, right(pair.getRHS()));
  case AffineExprKind::FloorDiv:
    if (isPower)
      return binary(">>", l, plainInteger(llvm::Log2_64(static_cast<uint64_t>(factor.getValue()))));
    return help("floordiv_i64", {l, side(pair.getRHS())});
  case AffineExprKind::CeilDiv:
    return help("ceildiv_i64", {l, side(pair.getRHS())});
  default:
    if (isPower)
      return binary("&", l, plainInteger(factor.getValue() - 1));
    return help("mod_i64", {l, side(pair.getRHS())});
  }
}

} // namespace tile::cuda
