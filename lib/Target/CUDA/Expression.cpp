// Expression.cpp - composes C expressions with as few brackets as readers want.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expression.h"

#include "tile/Support/Literal.h"
#include "tile/Support/Numerics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace tile::cuda {

static Binding bindingOf(llvm::StringRef op) {
  return llvm::StringSwitch<Binding>(op)
      .Cases({"*", "/", "%"}, Binding::Product)
      .Cases({"+", "-"}, Binding::Sum)
      .Cases({"<<", ">>"}, Binding::Shift)
      .Cases({"<", "<=", ">", ">="}, Binding::Compare)
      .Cases({"==", "!="}, Binding::Equal)
      .Case("&", Binding::BitAnd)
      .Case("^", Binding::BitXor)
      .Case("|", Binding::BitOr)
      .Case("&&", Binding::And)
      .Default(Binding::Or);
}

/// What an operand must bind at least, on the left or on the right of `op`.
static Binding operandBinding(llvm::StringRef op, const Expr &operand, bool isRight) {
  Binding own = bindingOf(op);
  switch (own) {
  case Binding::Product:
  case Binding::Sum:
    return isRight ? static_cast<Binding>(static_cast<int>(own) + 1) : own;
  case Binding::Compare:
  case Binding::Equal:
    return Binding::Sum;
  case Binding::And:
  case Binding::Or: // a chain of one operator, comparisons: nobody misreads these
    return operand.binding == own ? own : Binding::Equal;
  case Binding::BitAnd:
  case Binding::BitOr:
  case Binding::BitXor:
    return operand.binding == own && !isRight ? own : Binding::Unary;
  default:
    return Binding::Unary;
  }
}

std::string bracketed(const Expr &x, Binding needed) {
  return x.binding < needed ? "(" + x.text + ")" : x.text;
}

Expr literal(ScalarType type, uint64_t bits) {
  Expr out;
  out.text = cLiteral(type, bits);
  out.binding = out.text.front() == '-' ? Binding::Unary : Binding::Primary;
  out.constant = wrap(type, bits);
  return out;
}

Expr plainInteger(int64_t value) {
  bool isShort = value > INT32_MIN && value <= INT32_MAX;
  return literal(isShort ? ScalarType::I32 : ScalarType::I64, static_cast<uint64_t>(value));
}

Expr primary(llvm::StringRef text) {
  Expr out;
  out.text = text.str();
  return out;
}

Expr binary(llvm::StringRef op, const Expr &l, const Expr &r) {
  Expr out;
  out.text =
      bracketed(l, operandBinding(op, l, false)) + " " + op.str() + " " + bracketed(r, operandBinding(op, r, true));
  out.binding = bindingOf(op);
  return out;
}

Expr unary(llvm::StringRef op, const Expr &x) {
  // `- -x` is legal and unreadable.
  bool clashes = !x.text.empty() && x.text.front() == op.front();
  Expr out;
  out.text = op.str() + (clashes ? "(" + x.text + ")" : bracketed(x, Binding::Unary));
  out.binding = Binding::Unary;
  return out;
}

Expr cast(llvm::StringRef type, const Expr &x) {
  // `(int)-x` reads as a difference to the eye.
  bool isNegative = !x.text.empty() && x.text.front() == '-';
  Expr out;
  out.text = "(" + type.str() + ")" + (isNegative ? "(" + x.text + ")" : bracketed(x, Binding::Unary));
  out.binding = Binding::Unary;
  return out;
}

Expr call(llvm::StringRef name, llvm::ArrayRef<Expr> arguments) {
  Expr out;
  out.text = name.str() + "(";
  for (const Expr &argument : arguments)
    out.text += (&argument == arguments.begin() ? "" : ", ") + argument.text;
  out.text += ")";
  return out;
}

Expr unwidened(const Expr &x) {
  if (x.narrowText.empty())
    return x;
  Expr out;
  out.text = x.narrowText;
  out.binding = x.narrowBinding;
  return out;
}

Expr conditional(const Expr &condition, const Expr &yes, const Expr &no) {
  Expr out;
  out.text =
      bracketed(condition, Binding::Or) + " ? " + bracketed(yes, Binding::Or) + " : " + bracketed(no, Binding::Or);
  out.binding = Binding::Conditional;
  return out;
}

Expr asUnsigned(ScalarType type, const Expr &x) {
  bool isLong = bitWidth(type) == 64;
  Expr out;
  if (x.constant) {
    out.text = llvm::utostr(*x.constant) + (isLong ? "ull" : "u");
    return out;
  }
  if (!x.unsignedText.empty()) {
    out.text = x.unsignedText;
    out.binding = x.unsignedBinding;
    return out;
  }
  return cast(isLong ? "unsigned long long" : "unsigned", x);
}

} // namespace tile::cuda
