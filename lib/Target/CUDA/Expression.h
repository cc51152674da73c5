// Expression.h - pieces of C text that know how tightly they bind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_EXPRESSION_H
#define TILE_LIB_TARGET_CUDA_EXPRESSION_H

#include "tile/Support/ScalarType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tile::cuda {

/// How tightly the outermost operator of a text binds, as in C; a text that binds less than its place needs brackets.
enum class Binding : uint8_t {
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equal,
  Compare,
  Shift,
  Sum,
  Product,
  Unary, ///< casts too
  Primary
};

/// A C expression.
///
/// Its type is the C type of its value. Arithmetic that wraps is done in unsigned and cast back, so `(int)((unsigned)a
/// + b)` also carries the text before the cast, and a further wrapping operation goes on from there.
struct Expr {
  std::string text;
  Binding binding = Binding::Primary;
  /// The same bits as an expression of the unsigned type of the same width (32 or 64 bits); empty if there is none.
  std::string unsignedText;
  Binding unsignedBinding = Binding::Primary;
  /// Of a 32-bit integer widened to 64: the text before that cast, for places where C widens of its own; else empty.
  std::string narrowText;
  Binding narrowBinding = Binding::Primary;
  /// The bits, where the value is a constant.
  std::optional<uint64_t> constant;
};

/// A constant of that type, as tile/Support/Literal.h spells it.
Expr literal(ScalarType type, uint64_t bits);

/// A constant integer without suffix, for places where the other operand gives the type.
Expr plainInteger(int64_t value);

/// A name, or any other text nothing can tear apart.
Expr primary(llvm::StringRef text);

/// `l op r`, with brackets where C needs them, or where readers do (bit operations, `&&` inside `||`).
Expr binary(llvm::StringRef op, const Expr &l, const Expr &r);

/// `op x`: `-`, `!`, `~`.
Expr unary(llvm::StringRef op, const Expr &x);

/// `(type)x`.
Expr cast(llvm::StringRef type, const Expr &x);

/// `name(a, b)`.
Expr call(llvm::StringRef name, llvm::ArrayRef<Expr> arguments);

/// The text before a widening cast, or the expression as it is.
Expr unwidened(const Expr &x);

/// `condition ? yes : no`.
Expr conditional(const Expr &condition, const Expr &yes, const Expr &no);

/// The text, in brackets if it binds less tightly than `needed`.
std::string bracketed(const Expr &x, Binding needed);

/// The bits as an unsigned expression of the width of `type` (i32, i64, index): a literal, a text before its last cast,
/// or a cast.
Expr asUnsigned(ScalarType type, const Expr &x);

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_EXPRESSION_H
