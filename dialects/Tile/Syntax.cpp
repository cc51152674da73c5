// Syntax.cpp - literals, subscripts and the user's names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Syntax.h"

#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

OptionalParseResult tile::parseOptionalLiteral(OpAsmParser &parser, Literal &literal) {
  literal.place = parser.getCurrentLocation();
  bool negative = succeeded(parser.parseOptionalMinus());
  auto number = [&](double value) {
    literal.kind = Literal::Kind::Float;
    literal.real = negative ? -value : value;
    return ParseResult(success());
  };
  if (succeeded(parser.parseOptionalKeyword("inf")))
    return number(std::numeric_limits<double>::infinity());
  if (succeeded(parser.parseOptionalKeyword("nan")))
    return number(std::numeric_limits<double>::quiet_NaN());
  for (bool value : {true, false})
    if (!negative && succeeded(parser.parseOptionalKeyword(value ? "true" : "false"))) {
      literal.kind = Literal::Kind::Integer;
      literal.integer = APInt(64, value);
      return ParseResult(success());
    }
  APInt integer;
  OptionalParseResult parsed = parser.parseOptionalInteger(integer);
  if (parsed.has_value()) {
    literal.kind = Literal::Kind::Integer;
    literal.integer = integer.sext(integer.getBitWidth() + 1);
    if (negative)
      literal.integer.negate();
    return *parsed;
  }
  // A float is the only other thing a minus may stand before.
  const char next = *parser.getCurrentLocation().getPointer();
  if (!negative && !llvm::isDigit(next))
    return std::nullopt;
  double value;
  if (parser.parseFloat(value))
    return ParseResult(failure());
  return number(value);
}

ParseResult tile::parseLiteral(OpAsmParser &parser, Literal &literal) {
  OptionalParseResult parsed = parseOptionalLiteral(parser, literal);
  if (!parsed.has_value())
    return parser.emitError(literal.place) << "expected a number, inf, -inf or nan";
  return *parsed;
}

/// The literal as a float attribute; a finite number must stay finite.
static FailureOr<TypedAttr> resolveFloat(OpAsmParser &parser, const Literal &literal, FloatType type) {
  bool exact = true;
  APFloat value(type.getFloatSemantics());
  if (literal.kind == Literal::Kind::Integer) {
    value.convertFromAPInt(literal.integer, /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  } else {
    value = APFloat(literal.real);
    bool wasFinite = value.isFinite(), wasInfinite = value.isInfinity();
    bool lost;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    exact = (!wasFinite || value.isFinite()) && (!wasInfinite || value.isInfinity());
  }
  if (!exact || (literal.kind == Literal::Kind::Integer && !value.isFinite())) {
    parser.emitError(literal.place) << "this number does not fit " << type
                                    << "; a literal must be representable after rounding (literal-C1)";
    return failure();
  }
  return TypedAttr(FloatAttr::get(type, value));
}

FailureOr<TypedAttr> tile::resolveLiteral(OpAsmParser &parser, const Literal &literal, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return resolveFloat(parser, literal, floatType);
  auto integerType = dyn_cast<IntegerType>(type);
  if (!integerType && !type.isIndex()) {
    parser.emitError(literal.place) << "a literal cannot be of type " << type
                                    << "; element types are integers and floats (literal-C2)";
    return failure();
  }
  if (literal.kind != Literal::Kind::Integer) {
    parser.emitError(literal.place) << "found a floating-point number for elements of type " << type
                                    << "; write an integer (literal-C3)";
    return failure();
  }
  unsigned width = integerType ? integerType.getWidth() : 64;
  APInt value = literal.integer;
  if (!value.isSignedIntN(width) && !(value.isNonNegative() && value.isIntN(width))) {
    parser.emitError(literal.place) << "this number does not fit " << type
                                    << "; a literal must be representable after rounding (literal-C1)";
    return failure();
  }
  return TypedAttr(IntegerAttr::get(type, value.sextOrTrunc(width)));
}

void tile::printLiteral(OpAsmPrinter &printer, TypedAttr literal) {
  if (auto integer = dyn_cast<IntegerAttr>(literal)) {
    if (integer.getType().isInteger(1))
      printer << (integer.getValue().isZero() ? "0" : "1");
    else
      printer << integer.getValue();
    return;
  }
  APFloat value = cast<FloatAttr>(literal).getValue();
  if (value.isNaN())
    printer << "nan";
  else if (value.isInfinity())
    printer << (value.isNegative() ? "-inf" : "inf");
  else {
    bool lost;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    printer.printFloat(value);
  }
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

ParseResult tile::parseSubscript(OpAsmParser &parser, Subscript &subscript, bool bracketRequired) {
  if (parser.parseOperand(subscript.buffer))
    return failure();
  if (!bracketRequired && *parser.getCurrentLocation().getPointer() != '[')
    return success();
  Attribute map;
  NamedAttrList ignored;
  if (parser.parseAffineMapOfSSAIds(subscript.indices, map, "map", ignored, OpAsmParser::Delimiter::Square))
    return failure();
  subscript.map = cast<AffineMapAttr>(map);
  return success();
}

void tile::printSubscript(OpAsmPrinter &printer, Value buffer, AffineMapAttr map, ValueRange indices) {
  printer << buffer;
  if (!map)
    return;
  printer << '[';
  printer.printAffineMapOfSSAIds(map, indices);
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

ParseResult tile::parseOptionalWidth(OpAsmParser &parser, OperationState &result) {
  if (failed(parser.parseOptionalKeyword("width")))
    return success();
  int64_t width;
  if (parser.parseLParen() || parser.parseInteger(width) || parser.parseRParen())
    return failure();
  result.addAttribute("width", parser.getBuilder().getI64IntegerAttr(width));
  return success();
}

void tile::printOptionalWidth(OpAsmPrinter &printer, Operation *op) {
  if (auto width = op->getAttrOfType<IntegerAttr>("width"))
    printer << " width(" << width.getInt() << ')';
}

ParseResult tile::parseOptionalLayout(OpAsmParser &parser, OperationState &result) {
  DistributedAttr layout;
  if (failed(parser.parseOptionalKeyword("layout")))
    return success();
  return failure(parser.parseLParen() || parser.parseAttribute(layout, "layout", result.attributes) ||
                 parser.parseRParen());
}

void tile::printOptionalLayout(OpAsmPrinter &printer, Operation *op) {
  if (auto layout = op->getAttrOfType<DistributedAttr>("layout"))
    printer << " layout(" << layout << ')';
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void tile::recordName(OpAsmParser &parser, OpAsmParser::Argument &argument) {
  StringRef name = argument.ssaName.name.drop_front();
  argument.sourceLoc =
      NameLoc::get(parser.getBuilder().getStringAttr(name), parser.getEncodedSourceLoc(argument.ssaName.location));
}

namespace {
/// Finds the text behind a location inside one stretch of the source buffer.
class SourceText {
public:
  SourceText(OpAsmParser &parser, SMLoc begin) {
    base = dyn_cast<FileLineColLoc>(parser.getEncodedSourceLoc(begin));
    if (!base)
      return;
    const char *next = begin.getPointer() - (base.getColumn() - 1);
    const char *end = parser.getCurrentLocation().getPointer();
    lines.push_back(next);
    for (; next < end; ++next)
      if (*next == '\n')
        lines.push_back(next + 1);
  }

  /// The first character of `loc`, or null where it lies elsewhere.
  const char *at(Location loc) const {
    auto place = dyn_cast<FileLineColLoc>(loc);
    if (!base || !place || place.getFilename() != base.getFilename() || place.getLine() < base.getLine())
      return nullptr;
    size_t line = place.getLine() - base.getLine();
    return line < lines.size() ? lines[line] + place.getColumn() - 1 : nullptr;
  }

  /// The text of the line before `place`.
  StringRef before(const char *place) const {
    const char *const *line = std::upper_bound(lines.begin(), lines.end(), place) - 1;
    return StringRef(*line, place - *line);
  }

private:
  FileLineColLoc base;
  SmallVector<const char *> lines;
};
} // namespace

/// The name that begins at `place`; the buffer ends in a null character.
static StringRef leadingName(const char *place) {
  const char *end = place;
  while (llvm::isAlnum(*end) || *end == '_' || *end == '-' || *end == '.' || *end == '$')
    ++end;
  return StringRef(place, end - place);
}

void tile::recordNames(OpAsmParser &parser, SMLoc begin, Region &body) {
  SourceText text(parser, begin);
  Builder &builder = parser.getBuilder();
  auto named = [&](StringRef name, Location loc) { return NameLoc::get(builder.getStringAttr(name), loc); };
  body.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (const char *place = text.at(argument.getLoc()); place && *place == '%')
            argument.setLoc(named(leadingName(place + 1), argument.getLoc()));
    const char *place = text.at(op->getLoc());
    if (!place || op->getNumResults() == 0)
      return;
    StringRef results = text.before(place).rtrim();
    if (!results.consume_back("="))
      return;
    // Several ops may share a line: the results of this one begin after the last brace.
    results = results.substr(results.find_last_of("{}") + 1);
    size_t percent = results.find('%');
    if (percent != StringRef::npos)
      op->setLoc(named(leadingName(results.data() + percent + 1), op->getLoc()));
  });
}
