// SimtDialect.cpp - registers the simt dialect; text form of its kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Simt/SimtOps.h"
#include "dialects/Tile/Syntax.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile::simt;

#include "dialects/Simt/SimtDialect.cpp.inc"
#include "dialects/Simt/SimtEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Simt/SimtAttrs.cpp.inc"

void SimtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Simt/SimtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Simt/SimtOps.cpp.inc"
      >();
}

Space tile::simt::spaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return Space::Global;
  if (isa<SharedAttr>(space))
    return Space::Shared;
  if (isa<RegisterAttr>(space))
    return Space::Register;
  if (isa<LocalAttr>(space))
    return Space::Local;
  return Space::Other;
}

LogicalResult SimtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if ((attribute.getName() == kUnroll || attribute.getName() == kExplicit) && !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "'" << attribute.getName().getValue() << "' must be a unit attribute";
  return success();
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments, blockIds;
  AffineMapAttr grid;
  int64_t threads;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), result.attributes) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseKeyword("grid") || parser.parseArgumentList(blockIds, OpAsmParser::Delimiter::Paren, true) ||
      parser.parseKeyword("in") || parser.parseAttribute(grid, "grid", result.attributes) ||
      parser.parseKeyword("threads") || parser.parseLParen() || parser.parseInteger(threads) || parser.parseRParen() ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute("threads", builder.getI64IntegerAttr(threads));
  SmallVector<OpAsmParser::Argument> all(arguments);
  all.append(blockIds.begin(), blockIds.end());
  for (OpAsmParser::Argument &argument : all)
    recordName(parser, argument);
  SMLoc begin = parser.getCurrentLocation();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, all))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  recordNames(parser, begin, *body);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  auto printArguments = [&](BlockArguments arguments) {
    printer << '(';
    llvm::interleaveComma(arguments, printer, [&](BlockArgument argument) {
      printer.printOperand(argument);
      printer << ": " << argument.getType();
    });
    printer << ')';
  };
  printer << ' ';
  printer.printSymbolName(getSymName());
  printArguments(getParameterValues());
  printer << " grid";
  printArguments(getBlockIds());
  printer << " in " << getGridAttr() << " threads(" << getThreads() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"sym_name", "grid", "threads"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

SmallVector<int64_t> KernelOp::getLaunchOrder() {
  if (std::optional<ArrayRef<int64_t>> order = getBlockOrder())
    return SmallVector<int64_t>(*order);
  return llvm::to_vector(llvm::seq<int64_t>(0, getGrid().getNumResults()));
}

LogicalResult KernelOp::verify() {
  size_t expected = getParameters().size() + getGrid().getNumResults();
  if (getBody().getNumArguments() != expected)
    return emitOpError() << "has " << getBody().getNumArguments() << " block arguments for " << getParameters().size()
                         << " parameters and " << getGrid().getNumResults() << " grid axes";
  SmallVector<int64_t> order = getLaunchOrder();
  llvm::sort(order);
  if (!llvm::equal(order, llvm::seq<int64_t>(0, getGrid().getNumResults())))
    return emitOpError() << "has a block order that is no permutation of its " << getGrid().getNumResults()
                         << " grid axes";
  return success();
}
