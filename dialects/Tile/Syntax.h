// Syntax.h - parsing and printing shared by the operations of the tile dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_DIALECTS_TILE_SYNTAX_H
#define TILE_DIALECTS_TILE_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace tile {

/// A number as written, before the element type it is for is known.
struct Literal {
  enum class Kind { Integer, Float } kind = Kind::Integer;
  llvm::APInt integer;
  double real = 0;
  llvm::SMLoc place;
};

/// Parses `1`, `-0.0`, `inf`, `-inf`, `nan`, `true` or `false`.
mlir::ParseResult parseLiteral(mlir::OpAsmParser &parser, Literal &literal);

/// Parses a literal if one begins here.
mlir::OptionalParseResult parseOptionalLiteral(mlir::OpAsmParser &parser, Literal &literal);

/// The literal as an attribute of the element type; reports a literal the type cannot hold.
mlir::FailureOr<mlir::TypedAttr> resolveLiteral(mlir::OpAsmParser &parser, const Literal &literal, mlir::Type type);

/// Prints an attribute made by `resolveLiteral`, without its type.
void printLiteral(mlir::OpAsmPrinter &printer, mlir::TypedAttr literal);

/// Parses the optional clause `width(n)`, and prints it.
mlir::ParseResult parseOptionalWidth(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printOptionalWidth(mlir::OpAsmPrinter &printer, mlir::Operation *op);

/// Parses the optional clause `layout(#tile.distributed<…>)`, and prints it.
mlir::ParseResult parseOptionalLayout(mlir::OpAsmParser &parser, mlir::OperationState &result);
void printOptionalLayout(mlir::OpAsmPrinter &printer, mlir::Operation *op);

/// A buffer with affine subscripts over index values: `%A[%by * 128, %k]`.
struct Subscript {
  mlir::OpAsmParser::UnresolvedOperand buffer;
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand> indices;
  mlir::AffineMapAttr map; ///< null without a bracket
};
mlir::ParseResult parseSubscript(mlir::OpAsmParser &parser, Subscript &subscript, bool bracketRequired);
void printSubscript(mlir::OpAsmPrinter &printer, mlir::Value buffer, mlir::AffineMapAttr map, mlir::ValueRange indices);

/// Gives every value of `body` the name it has in the text, as a NameLoc, so that printed IR and CUDA use it.
///
/// \param begin  where the text of the body begins; it ends at the parser's present place.
void recordNames(mlir::OpAsmParser &parser, llvm::SMLoc begin, mlir::Region &body);

/// Gives one argument its name, as a NameLoc.
void recordName(mlir::OpAsmParser &parser, mlir::OpAsmParser::Argument &argument);

} // namespace tile

#endif // TILE_DIALECTS_TILE_SYNTAX_H
