// IntegerText.cpp - integer arithmetic that wraps at its own width, in C that promotes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScalarText.h"

#include "Types.h"

#include "tile/Support/Numerics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace tile::cuda {

static bool isNarrow(ScalarType type) {
  return bitWidth(type) < 32;
}

static bool isLong(ScalarType type) {
  return bitWidth(type) == 64;
}

/// `a op b` in the operands' own signed type; one constant of the two needs no suffix.
static Expr plain(llvm::StringRef op, ScalarType type, const Expr &a, const Expr &b) {
  auto bare = [&](const Expr &x) { return plainInteger(signedValue(type, *x.constant)); };
  if (b.constant && !a.constant) {
    int64_t value = signedValue(type, *b.constant);
    if (op == "+" && value < 0 && value > INT32_MIN)
      return binary("-", a, plainInteger(-value));
    return binary(op, a, bare(b));
  }
  if (a.constant)
    return b.constant ? binary(op, a, b) : binary(op, bare(a), b);
  // C widens one side to the type of the other.
  return a.narrowText.empty() ? binary(op, a, unwidened(b)) : binary(op, unwidened(a), b);
}

Expr ScalarText::unsignedOf(ScalarType type, const Expr &a) {
  return isNarrow(type) ? cast(unsignedType(type), a) : asUnsigned(type, a);
}

/// An unsigned result as a value of the type; wide ones remember the text before the cast.
Expr ScalarText::fromUnsigned(ScalarType type, const Expr &a) {
  Expr out = cast(value(type), a);
  if (!isNarrow(type)) {
    out.unsignedText = a.text;
    out.unsignedBinding = a.binding;
  }
  return out;
}

/// + - *, which C leaves undefined on signed overflow.
Expr ScalarText::wrapping(llvm::StringRef op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom) {
  if (isNarrow(type)) // computed in int, which holds every result
    return cast(value(type), plain(op, type, a, b));
  if (freedom.neverWrapsSigned)
    return plain(op, type, a, b);
  Expr l = asUnsigned(type, a);
  if (b.constant && op == "+" && signedValue(type, *b.constant) < 0) {
    Expr minus = literal(type, 0);
    minus.constant = wrap(type, -*b.constant);
    return fromUnsigned(type, binary("-", l, asUnsigned(type, minus)));
  }
  // C converts the right side to the unsigned type of the left.
  bool converts = !b.constant && b.unsignedText.empty();
  return fromUnsigned(type, binary(op, l, converts ? b : asUnsigned(type, b)));
}

Expr ScalarText::shift(BinaryOp op, ScalarType type, const Expr &a, const Expr &b) {
  uint64_t width = static_cast<uint64_t>(bitWidth(type));
  if (b.constant) {
    uint64_t amount = *b.constant;
    if (op == BinaryOp::ShrSI)
      return binary(">>", a, plainInteger(static_cast<int64_t>(std::min(amount, width - 1))));
    if (amount >= width)
      return literal(type, 0);
    return fromUnsigned(type, binary(op == BinaryOp::ShlI ? "<<" : ">>", unsignedOf(type, a),
                                     plainInteger(static_cast<int64_t>(amount))));
  }
  // Zero-extended first, narrow values shift in 32 bits: what leaves their width is cut off, or was 0.
  Expr amount = unsignedOf(type, b);
  if (op == BinaryOp::ShrSI)
    return help(isLong(type) ? "shr_i64" : "shr_i32", {a, amount});
  Expr bits = unsignedOf(type, a);
  if (op == BinaryOp::ShrUI)
    return fromUnsigned(type, help(isLong(type) ? "shr_u64" : "shr_u32", {bits, amount}));
  Expr shifted = help(isLong(type) ? "shl_i64" : "shl_i32", {bits, amount});
  return isNarrow(type) ? cast(value(type), shifted) : shifted;
}

/// Beside an unsigned constant of its own width C reads a number as unsigned.
Expr ScalarText::dividend(ScalarType type, const Expr &a, const Expr &b) {
  bool converts = b.constant && !isNarrow(type) && !a.constant && a.unsignedText.empty();
  return converts ? a : unsignedOf(type, a);
}

Expr ScalarText::division(BinaryOp op, ScalarType type, const Expr &a, const Expr &b) {
  auto fit = [&](const Expr &x) { return isNarrow(type) ? cast(value(type), x) : x; };
  switch (op) {
  case BinaryOp::DivSI:
    return fit(plain("/", type, a, b));
  case BinaryOp::RemSI:
    if (isNarrow(type) || (b.constant && signedValue(type, *b.constant) != -1))
      return plain("%", type, a, b);
    return help(isLong(type) ? "rem_i64" : "rem_i32", {a, b});
  case BinaryOp::DivUI:
    return fromUnsigned(type, binary("/", dividend(type, a, b), unsignedOf(type, b)));
  case BinaryOp::RemUI:
    return fromUnsigned(type, binary("%", dividend(type, a, b), unsignedOf(type, b)));
  case BinaryOp::CeilDivSI:
    return fit(help(isLong(type) ? "ceildiv_i64" : "ceildiv_i32", {a, b}));
  case BinaryOp::FloorDivSI:
    return fit(help(isLong(type) ? "floordiv_i64" : "floordiv_i32", {a, b}));
  default: // CeilDivUI
    return fromUnsigned(type,
                        help(isLong(type) ? "ceildiv_u64" : "ceildiv_u32", {unsignedOf(type, a), unsignedOf(type, b)}));
  }
}

Expr ScalarText::integerBinary(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom) {
  switch (op) {
  case BinaryOp::AddI:
    return wrapping("+", type, a, b, freedom);
  case BinaryOp::SubI:
    return wrapping("-", type, a, b, freedom);
  case BinaryOp::MulI:
    return wrapping("*", type, a, b, freedom);
  case BinaryOp::AndI:
    return plain("&", type, a, b);
  case BinaryOp::OrI:
    return plain("|", type, a, b);
  case BinaryOp::XorI:
    return plain("^", type, a, b);
  case BinaryOp::ShlI:
  case BinaryOp::ShrSI:
  case BinaryOp::ShrUI:
    return shift(op, type, a, b);
  case BinaryOp::MaxSI:
    return call("max", {a, b});
  case BinaryOp::MinSI:
    return call("min", {a, b});
  case BinaryOp::MaxUI:
    return fromUnsigned(type, call("max", {unsignedOf(type, a), unsignedOf(type, b)}));
  case BinaryOp::MinUI:
    return fromUnsigned(type, call("min", {unsignedOf(type, a), unsignedOf(type, b)}));
  default:
    return division(op, type, a, b);
  }
}

Expr ScalarText::integerUnary(UnaryOp op, ScalarType type, const Expr &a) {
  int spare = 32 - bitWidth(type);
  // The bit counts of C are int.
  auto count = [&](llvm::StringRef name, const Expr &x) {
    return isLong(type) ? cast(value(type), call((name + "ll").str(), {x})) : call(name, {x});
  };
  switch (op) {
  case UnaryOp::AbsI:
    return isNarrow(type) ? cast(value(type), help("abs_i32", {a})) : help(isLong(type) ? "abs_i64" : "abs_i32", {a});
  case UnaryOp::Ctlz:
    return isNarrow(type) ? binary("-", call("__clz", {unsignedOf(type, a)}), plainInteger(spare)) : count("__clz", a);
  case UnaryOp::Cttz: {
    // A bit just above a narrow value ends the count of zeros.
    Expr bits =
        isNarrow(type) ? binary("|", unsignedOf(type, a), primary("0x1" + std::string(bitWidth(type) / 4, '0'))) : a;
    return count("__clz", call(isLong(type) ? "__brevll" : "__brev", {bits}));
  }
  default: // CtPop
    return count("__popc", isNarrow(type) ? unsignedOf(type, a) : a);
  }
}

//===----------------------------------------------------------------------===//
// One bit: `bool` in C; as a signed number true is -1.
//===----------------------------------------------------------------------===//

Expr ScalarText::booleanUnary(UnaryOp op, const Expr &a) {
  switch (op) {
  case UnaryOp::Ctlz:
  case UnaryOp::Cttz:
    return unary("!", a);
  default: // AbsI wraps, CtPop counts
    return a;
  }
}

Expr ScalarText::booleanBinary(BinaryOp op, const Expr &a, const Expr &b) {
  switch (op) {
  case BinaryOp::AddI:
  case BinaryOp::SubI:
  case BinaryOp::XorI:
    return binary("!=", a, b);
  case BinaryOp::OrI:
  case BinaryOp::MaxUI:
  case BinaryOp::MinSI:
    return binary("||", a, b);
  case BinaryOp::ShlI:
  case BinaryOp::ShrUI:
  case BinaryOp::RemSI: // the divisor is true, or it is a fault
  case BinaryOp::RemUI:
    return binary("&&", a, unary("!", b));
  case BinaryOp::ShrSI:
    return a;
  default: // and, mul, maxsi, minui; a quotient by true
    return binary("&&", a, b);
  }
}

} // namespace tile::cuda
