// MemoryOps.cpp - text form of copy, fill, load, store, atomic, slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Syntax.h"
#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// The element type of a memref, or the type itself: what a literal for it must fit.
static Type elementTypeOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? memref.getElementType() : type;
}

/// Reads an optional `pad v`; the literal is resolved once its type is known.
static ParseResult parseOptionalPad(OpAsmParser &parser, std::optional<Literal> &pad) {
  if (failed(parser.parseOptionalKeyword("pad")))
    return success();
  return parseLiteral(parser, pad.emplace());
}

static ParseResult resolvePad(OpAsmParser &parser, OperationState &result, const std::optional<Literal> &pad,
                              Type buffer) {
  if (!pad)
    return success();
  FailureOr<TypedAttr> value = resolveLiteral(parser, *pad, elementTypeOf(buffer));
  if (failed(value))
    return failure();
  result.addAttribute("pad", *value);
  return success();
}

//===----------------------------------------------------------------------===//
// copy, fill
//===----------------------------------------------------------------------===//

ParseResult CopyOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Subscript source, target;
  std::optional<Literal> pad;
  Type sourceType, targetType;
  if (parseSubscript(parser, source, /*bracketRequired=*/false) || parser.parseKeyword("to") ||
      parseSubscript(parser, target, /*bracketRequired=*/false))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("cast")))
    result.addAttribute("cast", builder.getUnitAttr());
  if (parseOptionalPad(parser, pad) || parseOptionalWidth(parser, result) || parseOptionalLayout(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(sourceType) ||
      parser.parseKeyword("to") || parser.parseType(targetType) || resolvePad(parser, result, pad, targetType))
    return failure();
  if (source.map)
    result.addAttribute("sourceMap", source.map);
  if (target.map)
    result.addAttribute("targetMap", target.map);
  result.addAttribute("operandSegmentSizes",
                      builder.getDenseI32ArrayAttr({1, static_cast<int32_t>(source.indices.size()), 1,
                                                    static_cast<int32_t>(target.indices.size())}));
  Type index = builder.getIndexType();
  return failure(parser.resolveOperand(source.buffer, sourceType, result.operands) ||
                 parser.resolveOperands(source.indices, index, result.operands) ||
                 parser.resolveOperand(target.buffer, targetType, result.operands) ||
                 parser.resolveOperands(target.indices, index, result.operands));
}

void CopyOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printSubscript(printer, getSource(), getSourceMapAttr(), getSourceIndices());
  printer << " to ";
  printSubscript(printer, getTarget(), getTargetMapAttr(), getTargetIndices());
  if (getCast())
    printer << " cast";
  if (std::optional<TypedAttr> pad = getPad()) {
    printer << " pad ";
    printLiteral(printer, *pad);
  }
  printOptionalWidth(printer, *this);
  printOptionalLayout(printer, *this);
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"sourceMap", "targetMap", "cast", "pad", "layout", "width", "operandSegmentSizes"});
  printer << " : " << getSource().getType() << " to " << getTarget().getType();
}

ParseResult FillOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand target, scalar;
  Literal literal;
  Type targetType;
  if (parser.parseOperand(target) || parser.parseKeyword("with"))
    return failure();
  OptionalParseResult isScalar = parser.parseOptionalOperand(scalar);
  if (isScalar.has_value() ? failed(*isScalar) : failed(parseLiteral(parser, literal)))
    return failure();
  if (parseOptionalLayout(parser, result) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(targetType) || parser.resolveOperand(target, targetType, result.operands))
    return failure();
  Type element = elementTypeOf(targetType);
  if (isScalar.has_value())
    return parser.resolveOperand(scalar, element, result.operands);
  FailureOr<TypedAttr> value = resolveLiteral(parser, literal, element);
  if (failed(value))
    return failure();
  result.addAttribute("value", *value);
  return success();
}

void FillOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getTarget() << " with ";
  if (getScalar())
    printer << getScalar();
  else if (std::optional<TypedAttr> value = getValue())
    printLiteral(printer, *value);
  printOptionalLayout(printer, *this);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value", "layout"});
  printer << " : " << getTarget().getType();
}

//===----------------------------------------------------------------------===//
// load, store, atomic
//===----------------------------------------------------------------------===//

/// Parses `: B` and resolves the buffer and its subscript.
static ParseResult resolveElement(OpAsmParser &parser, OperationState &result, const Subscript &subscript,
                                  MemRefType type) {
  result.addAttribute("map", subscript.map);
  return failure(parser.resolveOperand(subscript.buffer, type, result.operands) ||
                 parser.resolveOperands(subscript.indices, parser.getBuilder().getIndexType(), result.operands));
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &result) {
  Subscript subscript;
  std::optional<Literal> pad;
  MemRefType type;
  if (parseSubscript(parser, subscript, /*bracketRequired=*/true) || parseOptionalPad(parser, pad) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      resolvePad(parser, result, pad, type) || resolveElement(parser, result, subscript, type))
    return failure();
  result.addTypes(type.getElementType());
  return success();
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printSubscript(printer, getBuffer(), getMapAttr(), getIndices());
  if (std::optional<TypedAttr> pad = getPad()) {
    printer << " pad ";
    printLiteral(printer, *pad);
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "pad"});
  printer << " : " << getBuffer().getType();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Subscript subscript;
  MemRefType type;
  if (parser.parseOperand(value) || parser.parseComma() ||
      parseSubscript(parser, subscript, /*bracketRequired=*/true) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.resolveOperand(value, type.getElementType(), result.operands))
    return failure();
  return resolveElement(parser, result, subscript, type);
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getValue() << ", ";
  printSubscript(printer, getBuffer(), getMapAttr(), getIndices());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getBuffer().getType();
}

ParseResult AtomicOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand value;
  Subscript subscript;
  MemRefType type;
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<AtomicKind> kind = symbolizeAtomicKind(word);
  if (!kind)
    return parser.emitError(place) << "'" << word << "' is no atomic; atomics are add, max, min, umax, umin, and, or, "
                                   << "xor, exchange";
  result.addAttribute("kind", AtomicKindAttr::get(parser.getContext(), *kind));
  if (parser.parseOperand(value) || parser.parseComma() ||
      parseSubscript(parser, subscript, /*bracketRequired=*/true) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) || parser.resolveOperand(value, type.getElementType(), result.operands))
    return failure();
  if (parser.getNumResults() > 0)
    result.addTypes(type.getElementType());
  return resolveElement(parser, result, subscript, type);
}

void AtomicOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyAtomicKind(getKind()) << ' ' << getValue() << ", ";
  printSubscript(printer, getBuffer(), getMapAttr(), getIndices());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map", "kind"});
  printer << " : " << getBuffer().getType();
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

ParseResult SliceOp::parse(OpAsmParser &parser, OperationState &result) {
  Subscript subscript;
  Type sourceType, resultType;
  if (parseSubscript(parser, subscript, /*bracketRequired=*/true) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(sourceType) || parser.parseKeyword("to") || parser.parseType(resultType) ||
      parser.resolveOperand(subscript.buffer, sourceType, result.operands) ||
      parser.resolveOperands(subscript.indices, parser.getBuilder().getIndexType(), result.operands))
    return failure();
  result.addAttribute("map", subscript.map);
  result.addTypes(resultType);
  return success();
}

void SliceOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printSubscript(printer, getSource(), getMapAttr(), getStarts());
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getSource().getType() << " to " << getType();
}

#define GET_OP_CLASSES
#include "dialects/Tile/MemoryOps.cpp.inc"
