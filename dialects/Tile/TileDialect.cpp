// TileDialect.cpp - registers the dialect's attributes and operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/TileOps.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#include "dialects/Tile/TileDialect.cpp.inc"
#include "dialects/Tile/TileEnums.cpp.inc"
#include "dialects/Tile/TileInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Tile/TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/LoopOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/MemoryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/ComputeOps.cpp.inc"
      >();
}

Space tile::spaceOf(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return Space::Global;
  if (isa<SharedAttr>(space))
    return Space::Shared;
  if (isa<FragmentAttr>(space))
    return Space::Fragment;
  if (isa<LocalAttr>(space))
    return Space::Local;
  return Space::Other;
}

StringRef tile::nameOf(Space space) {
  switch (space) {
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Fragment:
    return "fragment";
  case Space::Local:
    return "local";
  case Space::Other:
    return "unknown";
  }
  llvm_unreachable("every space has a name");
}

//===----------------------------------------------------------------------===//
// #tile.xor
//===----------------------------------------------------------------------===//

static ParseResult parseNamed(AsmParser &parser, StringRef keyword, int64_t &number) {
  return failure(parser.parseKeyword(keyword) || parser.parseInteger(number));
}

Attribute XorAttr::parse(AsmParser &parser, Type) {
  int64_t unit, bits, shift, shift2 = 0, padding = 0;
  if (parser.parseLess() || parseNamed(parser, "unit", unit) || parser.parseComma() ||
      parseNamed(parser, "bits", bits) || parser.parseComma() || parseNamed(parser, "shift", shift))
    return {};
  bool isPadded = false;
  while (!isPadded && succeeded(parser.parseOptionalComma())) {
    isPadded = shift2 != 0 || failed(parser.parseOptionalKeyword("shift"));
    if (isPadded ? parseNamed(parser, "padded", padding) : parser.parseInteger(shift2))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<XorAttr>(parser.getContext(), unit, bits, shift, shift2, padding);
}

void XorAttr::print(AsmPrinter &printer) const {
  printer << "<unit " << getUnit() << ", bits " << getBits() << ", shift " << getShift();
  if (getShift2() != 0)
    printer << ", shift " << getShift2();
  if (getPadding() != 0)
    printer << ", padded " << getPadding();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// #tile.distributed
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kOwners[] = {"reg", "thread", "block"};

/// Parses `radix owner [* stride]` and appends it.
static ParseResult parseDigit(AsmParser &parser, SmallVectorImpl<int64_t> &radices, SmallVectorImpl<int64_t> &owners,
                              SmallVectorImpl<int64_t> &strides) {
  int64_t radix, stride = 1;
  StringRef owner;
  if (parser.parseInteger(radix))
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&owner))
    return failure();
  const auto *found = llvm::find(kOwners, owner);
  if (found == std::end(kOwners))
    return parser.emitError(place) << "'" << owner << "' is no owner of a digit; owners are reg, thread, block";
  if (succeeded(parser.parseOptionalStar()) && parser.parseInteger(stride))
    return failure();
  radices.push_back(radix);
  owners.push_back(found - std::begin(kOwners));
  strides.push_back(stride);
  return success();
}

static void printDigit(AsmPrinter &printer, int64_t radix, int64_t owner, int64_t stride) {
  printer << radix << ' ' << kOwners[owner];
  if (stride != 1)
    printer << " * " << stride;
}

Attribute DistributedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> shape, counts, radices, owners, strides, copyRadices, copyOwners, copyStrides, origins;
  int64_t threads = 0, blocks = 1;
  auto digit = [&] { return parseDigit(parser, radices, owners, strides); };
  auto axis = [&] {
    size_t before = radices.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, digit))
      return ParseResult(failure());
    counts.push_back(radices.size() - before);
    return ParseResult(success());
  };
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/false) ||
      parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, axis) ||
      parser.parseKeyword("threads") || parser.parseInteger(threads))
    return {};
  auto copy = [&] { return parseDigit(parser, copyRadices, copyOwners, copyStrides); };
  if (succeeded(parser.parseOptionalKeyword("copies")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, copy))
    return {};
  if (succeeded(parser.parseOptionalKeyword("blocks")) && parser.parseInteger(blocks))
    return {};
  auto origin = [&] { return parser.parseInteger(origins.emplace_back()); };
  if (succeeded(parser.parseOptionalKeyword("origins")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, origin))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<DistributedAttr>(parser.getContext(), shape, counts, radices, owners, strides, copyRadices,
                                            copyOwners, copyStrides, threads, blocks, origins);
}

void DistributedAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << " = [";
  size_t next = 0;
  llvm::interleaveComma(getDigitCounts(), printer, [&](int64_t count) {
    printer << '(';
    for (int64_t i = 0; i < count; ++i, ++next) {
      if (i)
        printer << ", ";
      printDigit(printer, getRadices()[next], getOwners()[next], getStrides()[next]);
    }
    printer << ')';
  });
  printer << "] threads " << getThreads();
  if (!getCopyRadices().empty()) {
    printer << " copies (";
    for (size_t i = 0; i < getCopyRadices().size(); ++i) {
      if (i)
        printer << ", ";
      printDigit(printer, getCopyRadices()[i], getCopyOwners()[i], getCopyStrides()[i]);
    }
    printer << ')';
  }
  if (getBlocks() != 1)
    printer << " blocks " << getBlocks();
  if (!getOrigins().empty()) {
    printer << " origins (";
    llvm::interleaveComma(getOrigins(), printer);
    printer << ')';
  }
  printer << '>';
}
