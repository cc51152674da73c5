// ScalarText.h - every scalar operation of the support table as a C expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_LIB_TARGET_CUDA_SCALARTEXT_H
#define TILE_LIB_TARGET_CUDA_SCALARTEXT_H

#include "Expression.h"

#include "tile/Support/ScalarOps.h"
#include "tile/Support/ScalarType.h"

#include "mlir/IR/AffineExpr.h"

#include "llvm/ADT/SetVector.h"

namespace tile::cuda {

/// What an op's flags allow.
struct Freedom {
  bool isApproximate = false;    ///< `afn`
  bool usesReciprocal = false;   ///< `arcp`
  bool neverWrapsSigned = false; ///< `overflow<nsw>`
};

/// Spells operations; remembers the helpers it used.
///
/// Operands are expressions of the C type of their scalar type (`valueType`). Floats below f32 are computed in f32 and
/// rounded back, which for + - * / and sqrt is one rounding; integers wrap at their own width whatever C promotes to.
class ScalarText {
public:
  explicit ScalarText(llvm::SetVector<llvm::StringRef> &used) : used(used) {}

  // \pre the support table has the operation for the type.
  Expr unaryOp(UnaryOp op, ScalarType type, const Expr &a, Freedom freedom);
  Expr binaryOp(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom);
  Expr fma(ScalarType type, const Expr &a, const Expr &b, const Expr &c);
  Expr compare(CompareOp op, ScalarType type, const Expr &a, const Expr &b);
  Expr castOp(CastOp op, ScalarType from, ScalarType to, const Expr &a);

  /// The conversion of `cast`: docs/conversions.md.
  Expr convert(ScalarType from, ScalarType to, const Expr &a);

  /// An affine expression over index values; dimensions come first in `operands`, then symbols.
  Expr affine(mlir::AffineExpr expr, unsigned dimensions, llvm::ArrayRef<Expr> operands);

  /// A call of a helper.
  Expr help(llvm::StringRef name, llvm::ArrayRef<Expr> arguments);

  // C types; the helpers that define them are remembered.
  llvm::StringRef value(ScalarType type) { return note(type, false); }
  llvm::StringRef memory(ScalarType type) { return note(type, true); }

  /// The bits as an unsigned expression of the same width; narrow ones as `(unsigned char)a`.
  Expr unsignedOf(ScalarType type, const Expr &a);

private:
  llvm::StringRef note(ScalarType type, bool inMemory);

  Expr booleanUnary(UnaryOp op, const Expr &a);
  Expr booleanBinary(BinaryOp op, const Expr &a, const Expr &b);
  Expr integerUnary(UnaryOp op, ScalarType type, const Expr &a);
  Expr integerBinary(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom);
  Expr division(BinaryOp op, ScalarType type, const Expr &a, const Expr &b);
  Expr dividend(ScalarType type, const Expr &a, const Expr &b);
  Expr shift(BinaryOp op, ScalarType type, const Expr &a, const Expr &b);
  Expr wrapping(llvm::StringRef op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom);
  Expr fromUnsigned(ScalarType type, const Expr &a);

  Expr floatUnary(UnaryOp op, ScalarType type, const Expr &a, Freedom freedom);
  Expr floatBinary(BinaryOp op, ScalarType type, const Expr &a, const Expr &b, Freedom freedom);
  Expr floatClass(UnaryOp op, ScalarType type, const Expr &a);
  Expr quotient(ScalarType type, const Expr &a, const Expr &b, Freedom freedom);
  /// An f32 or f64 as it is, a narrower float as f32.
  Expr widened(ScalarType type, const Expr &a);
  /// The way back: rounds an f32 to a narrower float, leaves f32 and f64.
  Expr narrowed(ScalarType type, const Expr &a);

  Expr toFloat(bool isSigned, ScalarType from, ScalarType to, const Expr &a);
  Expr toInteger(bool isSigned, ScalarType from, ScalarType to, const Expr &a);
  Expr bitcast(ScalarType from, ScalarType to, const Expr &a);
  Expr resize(bool isSigned, ScalarType from, ScalarType to, const Expr &a);

  llvm::SetVector<llvm::StringRef> &used;
};

} // namespace tile::cuda

#endif // TILE_LIB_TARGET_CUDA_SCALARTEXT_H
