// LoopOps.cpp - text form of the loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Syntax.h"
#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// Parses `(%i, %j) in (m, n)` or `%i in (n)`.
static ParseResult parseBox(OpAsmParser &parser, OperationState &result,
                            SmallVectorImpl<OpAsmParser::Argument> &inductionVars) {
  if (*parser.getCurrentLocation().getPointer() == '(') {
    if (parser.parseArgumentList(inductionVars, OpAsmParser::Delimiter::Paren))
      return failure();
  } else if (parser.parseArgument(inductionVars.emplace_back())) {
    return failure();
  }
  for (OpAsmParser::Argument &iv : inductionVars) {
    iv.type = parser.getBuilder().getIndexType();
    recordName(parser, iv);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Attribute extents;
  if (parser.parseKeyword("in") ||
      parser.parseAffineMapOfSSAIds(operands, extents, "extents", result.attributes, OpAsmParser::Delimiter::Paren) ||
      parser.resolveOperands(operands, parser.getBuilder().getIndexType(), result.operands))
    return failure();
  return success();
}

static ParseResult parseLoop(OpAsmParser &parser, OperationState &result, StringRef clause = "") {
  SmallVector<OpAsmParser::Argument> inductionVars;
  if (parseBox(parser, result, inductionVars))
    return failure();
  if (clause == "layout" && (parseOptionalWidth(parser, result) || parseOptionalLayout(parser, result)))
    return failure();
  if (clause == "stages") {
    int64_t stages;
    if (parser.parseKeyword("stages") || parser.parseLParen() || parser.parseInteger(stages) || parser.parseRParen())
      return failure();
    result.addAttribute("stages", parser.getBuilder().getI64IntegerAttr(stages));
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, inductionVars))
    return failure();
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (const OpAsmParser::Argument &iv : inductionVars)
      block.addArgument(iv.type, *iv.sourceLoc);
  }
  return success();
}

static void printLoop(LoopOpInterface loop, OpAsmPrinter &printer) {
  Block::BlockArgListType ivs = loop.getInductionVars();
  printer << ' ';
  if (ivs.size() != 1)
    printer << '(';
  llvm::interleaveComma(ivs, printer, [&](BlockArgument iv) { printer.printOperand(iv); });
  if (ivs.size() != 1)
    printer << ')';
  printer << " in (";
  printer.printAffineMapOfSSAIds(AffineMapAttr::get(loop.getExtents()), loop.getExtentOperands());
  printer << ')';
  printOptionalWidth(printer, loop);
  printOptionalLayout(printer, loop);
  if (auto stages = loop->getAttrOfType<IntegerAttr>("stages"))
    printer << " stages(" << stages.getInt() << ')';
  printer.printOptionalAttrDictWithKeyword(loop->getAttrs(), {"extents", "layout", "width", "stages"});
  printer << ' ';
  printer.printRegion(loop->getRegion(0), /*printEntryBlockArgs=*/false);
}

static SmallVector<std::optional<int64_t>> constantExtents(AffineMap extents) {
  SmallVector<std::optional<int64_t>> constants;
  for (AffineExpr extent : extents.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    constants.push_back(constant ? std::optional<int64_t>(constant.getValue()) : std::nullopt);
  }
  return constants;
}

static std::optional<SmallVector<int64_t>> staticShape(AffineMap extents) {
  SmallVector<int64_t> shape;
  for (std::optional<int64_t> extent : constantExtents(extents)) {
    if (!extent)
      return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

#define TILE_LOOP(OpType, clause)                                                                                      \
  ParseResult OpType::parse(OpAsmParser &parser, OperationState &result) {                                             \
    return parseLoop(parser, result, clause);                                                                          \
  }                                                                                                                    \
  void OpType::print(OpAsmPrinter &printer) {                                                                          \
    printLoop(*this, printer);                                                                                         \
  }                                                                                                                    \
  SmallVector<std::optional<int64_t>> OpType::getConstantExtents() {                                                   \
    return constantExtents(getExtents());                                                                              \
  }                                                                                                                    \
  std::optional<SmallVector<int64_t>> OpType::getStaticShape() {                                                       \
    return staticShape(getExtents());                                                                                  \
  }
TILE_LOOP(ParallelOp, "layout")
TILE_LOOP(VectorizedOp, "")
TILE_LOOP(SerialOp, "")
TILE_LOOP(UnrolledOp, "")
TILE_LOOP(PipelinedOp, "stages")
#undef TILE_LOOP

#define GET_OP_CLASSES
#include "dialects/Tile/LoopOps.cpp.inc"
