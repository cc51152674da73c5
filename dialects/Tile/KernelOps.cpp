// KernelOps.cpp - text form of the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Syntax.h"
#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SmallSet.h"

#include <optional>

using namespace mlir;
using namespace tile;

SmallVector<Value> KernelOp::getLaunchValues() {
  SmallVector<Value> values(getSymbols().begin(), getSymbols().end());
  for (BlockArgument argument : getArguments())
    if (argument.getType().isIndex())
      values.push_back(argument);
  return values;
}

SmallVector<Comparison> KernelOp::getComparisons() {
  SmallVector<Comparison> comparisons;
  if (std::optional<ArrayRef<int64_t>> kinds = getWhereKinds())
    for (int64_t kind : *kinds)
      comparisons.push_back(static_cast<Comparison>(kind));
  return comparisons;
}

namespace {
/// Parses one kernel; keeps what later clauses need of earlier ones.
class KernelParser {
public:
  KernelParser(OpAsmParser &parser, OperationState &result)
      : parser(parser), builder(parser.getBuilder()), result(result) {}

  ParseResult parse();

private:
  ParseResult parseArguments();
  ParseResult parseShape(Attribute &shape);
  ParseResult parseGrid();
  ParseResult parseClauses();
  ParseResult parseClause(StringRef clause, SMLoc place);
  ParseResult parseWhere();
  ParseResult parseDisjoint();
  ParseResult parseFastMath();
  ParseResult parseParenthesized(StringRef attribute);
  ParseResult parseBlockOrder();
  ParseResult parseExpression(ArrayRef<StringRef> names, StringRef what, AffineExpr &expr);
  ParseResult parseComparison(Comparison &comparison);

  OpAsmParser &parser;
  Builder &builder;
  OperationState &result;
  SmallVector<OpAsmParser::Argument> symbols, arguments, blockIds;
  SmallVector<StringRef> symbolNames, launchNames;
  SmallVector<Attribute> disjointGroups;
};
} // namespace

/// An affine expression over `names`; anything else is reported as not being `what`.
ParseResult KernelParser::parseExpression(ArrayRef<StringRef> names, StringRef what, AffineExpr &expr) {
  SmallVector<OpAsmParser::UnresolvedOperand> dims, affineSymbols;
  if (parser.parseAffineExprOfSSAIds(dims, affineSymbols, expr))
    return failure();
  auto replacements = [&](ArrayRef<OpAsmParser::UnresolvedOperand> operands, SmallVectorImpl<AffineExpr> &exprs) {
    for (const OpAsmParser::UnresolvedOperand &operand : operands) {
      const auto *found = llvm::find(names, operand.name);
      if (found == names.end() || operand.number != 0)
        return ParseResult(parser.emitError(operand.location)
                           << "'" << operand.name << "' is no " << what << " of this kernel (kernel-C1)");
      exprs.push_back(builder.getAffineDimExpr(found - names.begin()));
    }
    return ParseResult(success());
  };
  SmallVector<AffineExpr> dimExprs, symbolExprs;
  if (replacements(dims, dimExprs) || replacements(affineSymbols, symbolExprs))
    return failure();
  expr = expr.replaceDimsAndSymbols(dimExprs, symbolExprs);
  return success();
}

/// The bracket after an argument's name: one affine extent a dimension.
ParseResult KernelParser::parseShape(Attribute &shape) {
  shape = builder.getUnitAttr();
  if (*parser.getCurrentLocation().getPointer() != '[')
    return success();
  SmallVector<AffineExpr> extents;
  auto extent = [&] { return parseExpression(symbolNames, "size symbol", extents.emplace_back()); };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, extent))
    return failure();
  shape = AffineMapAttr::get(AffineMap::get(symbols.size(), 0, extents, builder.getContext()));
  return success();
}

ParseResult KernelParser::parseArguments() {
  SmallVector<Attribute> shapes;
  auto argument = [&] {
    OpAsmParser::Argument &added = arguments.emplace_back();
    if (parser.parseArgument(added) || parseShape(shapes.emplace_back()) || parser.parseColonType(added.type))
      return ParseResult(failure());
    recordName(parser, added);
    if (added.type.isIndex())
      launchNames.push_back(added.ssaName.name);
    return ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, argument))
    return failure();
  result.addAttribute("argShapes", builder.getArrayAttr(shapes));
  return success();
}

ParseResult KernelParser::parseGrid() {
  SmallVector<AffineExpr> extents;
  auto extent = [&] { return parseExpression(launchNames, "size symbol or index argument", extents.emplace_back()); };
  if (parser.parseKeyword("grid") || parser.parseArgumentList(blockIds, OpAsmParser::Delimiter::Paren))
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword("in") || parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, extent))
    return failure();
  if (extents.size() != blockIds.size())
    return parser.emitError(place) << "found " << blockIds.size() << " block indices and " << extents.size()
                                   << " extents; a grid has one index an extent (kernel-C2)";
  for (OpAsmParser::Argument &id : blockIds) {
    id.type = builder.getIndexType();
    recordName(parser, id);
  }
  result.addAttribute("grid", AffineMapAttr::get(AffineMap::get(launchNames.size(), 0, extents, builder.getContext())));
  return success();
}

ParseResult KernelParser::parseComparison(Comparison &comparison) {
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalEqual())) {
    comparison = Comparison::Eq;
    return parser.parseEqual();
  }
  bool less = succeeded(parser.parseOptionalLess());
  if (!less && failed(parser.parseOptionalGreater()))
    return parser.emitError(place) << "expected a comparison: ==, <, <=, > or >=";
  bool orEqual = succeeded(parser.parseOptionalEqual());
  comparison = less ? (orEqual ? Comparison::Le : Comparison::Lt) : (orEqual ? Comparison::Ge : Comparison::Gt);
  return success();
}

ParseResult KernelParser::parseWhere() {
  SmallVector<AffineExpr> sides;
  SmallVector<int64_t> kinds;
  auto condition = [&] {
    Comparison comparison;
    StringRef what = "size symbol or index argument";
    if (parseExpression(launchNames, what, sides.emplace_back()) || parseComparison(comparison) ||
        parseExpression(launchNames, what, sides.emplace_back()))
      return ParseResult(failure());
    kinds.push_back(static_cast<int64_t>(comparison));
    return ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, condition))
    return failure();
  result.addAttribute("whereMap",
                      AffineMapAttr::get(AffineMap::get(launchNames.size(), 0, sides, builder.getContext())));
  result.addAttribute("whereKinds", builder.getDenseI64ArrayAttr(kinds));
  return success();
}

ParseResult KernelParser::parseDisjoint() {
  SmallVector<int64_t> group;
  auto member = [&] {
    OpAsmParser::UnresolvedOperand operand;
    if (parser.parseOperand(operand))
      return ParseResult(failure());
    for (auto [number, argument] : llvm::enumerate(arguments))
      if (argument.ssaName.name == operand.name) {
        group.push_back(number);
        return ParseResult(success());
      }
    return ParseResult(parser.emitError(operand.location)
                       << "'" << operand.name << "' is no argument of this kernel (kernel-C1)");
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, member))
    return failure();
  disjointGroups.push_back(builder.getDenseI64ArrayAttr(group));
  return success();
}

ParseResult KernelParser::parseFastMath() {
  arith::FastMathFlags flags = arith::FastMathFlags::none;
  auto flag = [&] {
    StringRef word;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return ParseResult(failure());
    std::optional<arith::FastMathFlags> known = arith::symbolizeFastMathFlags(word);
    if (!known)
      return ParseResult(parser.emitError(place)
                         << "'" << word << "' is no fastmath flag; flags are none, reassoc, nnan, ninf, nsz, arcp, "
                         << "contract, afn, fast (kernel-C3)");
    flags = flags | *known;
    return ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, flag))
    return failure();
  result.addAttribute("fastmath", arith::FastMathFlagsAttr::get(builder.getContext(), flags));
  return success();
}

ParseResult KernelParser::parseParenthesized(StringRef attribute) {
  int64_t value;
  if (parser.parseLParen() || parser.parseInteger(value) || parser.parseRParen())
    return failure();
  result.addAttribute(attribute, builder.getI64IntegerAttr(value));
  return success();
}

ParseResult KernelParser::parseBlockOrder() {
  SmallVector<int64_t> order;
  auto parseAxis = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand name;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseOperand(name))
      return failure();
    const auto *id = llvm::find_if(blockIds, [&](const auto &block) { return block.ssaName.name == name.name; });
    if (id == blockIds.end())
      return parser.emitError(place) << "'" << name.name << "' is no block index of this kernel; "
                                     << "block_order names them all, the fastest first (kernel-C23)";
    order.push_back(id - blockIds.begin());
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseAxis))
    return failure();
  result.addAttribute("blockOrder", builder.getDenseI64ArrayAttr(order));
  return success();
}

ParseResult KernelParser::parseClause(StringRef clause, SMLoc place) {
  if (clause == "where")
    return parseWhere();
  if (clause == "disjoint")
    return parseDisjoint();
  if (clause == "fastmath")
    return parseFastMath();
  if (clause == "min_blocks")
    return parseParenthesized("minBlocks");
  if (clause == "block_order")
    return parseBlockOrder();
  return parser.emitError(place) << "'" << clause
                                 << "' is no clause of a kernel; clauses are where, disjoint, fastmath, min_blocks, "
                                 << "block_order (kernel-C4)";
}

ParseResult KernelParser::parseClauses() {
  llvm::SmallSet<StringRef, 4> seen;
  StringRef clause;
  SMLoc place = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&clause))) {
    if (!seen.insert(clause).second && clause != "disjoint")
      return parser.emitError(place) << "clause '" << clause << "' stands twice; a kernel has one of each (kernel-C5)";
    if (parseClause(clause, place))
      return failure();
    place = parser.getCurrentLocation();
  }
  if (!disjointGroups.empty())
    result.addAttribute("disjoint", builder.getArrayAttr(disjointGroups));
  return success();
}

ParseResult KernelParser::parse() {
  StringAttr name;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(symbols, OpAsmParser::Delimiter::OptionalSquare))
    return failure();
  for (OpAsmParser::Argument &symbol : symbols) {
    symbol.type = builder.getIndexType();
    recordName(parser, symbol);
    symbolNames.push_back(symbol.ssaName.name);
  }
  result.addAttribute("numSymbols", builder.getI64IntegerAttr(symbols.size()));
  launchNames = symbolNames;
  if (parseArguments() || parseGrid() || parser.parseKeyword("threads") || parseParenthesized("threads") ||
      parseClauses())
    return failure();
  if (succeeded(parser.parseOptionalKeyword("attributes")) && parser.parseOptionalAttrDict(result.attributes))
    return failure();

  SmallVector<OpAsmParser::Argument> all(symbols);
  all.append(arguments.begin(), arguments.end());
  all.append(blockIds.begin(), blockIds.end());
  SMLoc begin = parser.getCurrentLocation();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, all))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  recordNames(parser, begin, *body);
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return KernelParser(parser, result).parse();
}

static void printExpressions(OpAsmPrinter &printer, ArrayRef<AffineExpr> exprs, ValueRange values) {
  llvm::interleaveComma(exprs, printer,
                        [&](AffineExpr expr) { printer.printAffineExprOfSSAIds(expr, values, ValueRange()); });
}

static void printOperands(OpAsmPrinter &printer, ValueRange values) {
  llvm::interleaveComma(values, printer, [&](Value value) { printer.printOperand(value); });
}

static void printClauses(KernelOp op, OpAsmPrinter &printer, ValueRange launchValues) {
  if (std::optional<AffineMap> where = op.getWhereMap()) {
    printer << " where (";
    llvm::interleaveComma(llvm::enumerate(op.getComparisons()), printer, [&](auto condition) {
      printExpressions(printer, where->getResult(2 * condition.index()), launchValues);
      printer << ' ' << stringifyComparison(condition.value()) << ' ';
      printExpressions(printer, where->getResult(2 * condition.index() + 1), launchValues);
    });
    printer << ')';
  }
  if (std::optional<ArrayAttr> groups = op.getDisjoint())
    for (Attribute group : *groups) {
      printer << " disjoint(";
      llvm::interleaveComma(cast<DenseI64ArrayAttr>(group).asArrayRef(), printer,
                            [&](int64_t number) { printer.printOperand(op.getArguments()[number]); });
      printer << ')';
    }
  if (std::optional<arith::FastMathFlags> flags = op.getFastmath())
    printer << " fastmath(" << stringifyFastMathFlags(*flags) << ')';
  if (std::optional<int64_t> minBlocks = op.getMinBlocks())
    printer << " min_blocks(" << *minBlocks << ')';
  if (std::optional<ArrayRef<int64_t>> order = op.getBlockOrder()) {
    printer << " block_order(";
    llvm::interleaveComma(*order, printer, [&](int64_t axis) { printer.printOperand(op.getBlockIds()[axis]); });
    printer << ')';
  }
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  if (getNumSymbols() > 0) {
    printer << '[';
    printOperands(printer, getSymbols());
    printer << ']';
  }
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(getArguments(), getArgShapes()), printer, [&](auto pair) {
    auto [argument, shape] = pair;
    printer.printOperand(argument);
    if (auto map = dyn_cast<AffineMapAttr>(shape)) {
      printer << '[';
      printExpressions(printer, map.getValue().getResults(), getSymbols());
      printer << ']';
    }
    printer << ": " << argument.getType();
  });
  SmallVector<Value> launchValues = getLaunchValues();
  printer << ") grid(";
  printOperands(printer, getBlockIds());
  printer << ") in (";
  printExpressions(printer, getGrid().getResults(), launchValues);
  printer << ") threads(" << getThreads() << ')';
  printClauses(*this, printer, launchValues);
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"sym_name", "numSymbols", "argShapes", "grid", "threads", "whereMap",
                                            "whereKinds", "disjoint", "fastmath", "minBlocks", "blockOrder"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "dialects/Tile/KernelOps.cpp.inc"
