// ComputeOps.cpp - reductions, scans, print, assert.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tile;

/// Parses the word that says how an op combines; `words` lists all of them.
template <typename KindAttr, typename Symbolize>
static ParseResult parseKind(OpAsmParser &parser, KindAttr &kind, Symbolize symbolize, StringRef what,
                             StringRef words) {
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  auto known = symbolize(word);
  if (!known)
    return parser.emitError(place) << "'" << word << "' is no " << what << "; " << what << "s are " << words;
  kind = KindAttr::get(parser.getContext(), *known);
  return success();
}

static ParseResult parseReduceKind(OpAsmParser &parser, ReduceKindAttr &kind) {
  return parseKind(
      parser, kind, [](StringRef word) { return symbolizeReduceKind(word); }, "reduction",
      "sum, mean, prod, max, min, maxnum, minnum, absmax, abssum, umax, umin, and, or, xor");
}

static void printReduceKind(OpAsmPrinter &printer, ReduceOp, ReduceKindAttr kind) {
  printer << stringifyReduceKind(kind.getValue());
}

static ParseResult parseArgReduceKind(OpAsmParser &parser, ArgReduceKindAttr &kind) {
  return parseKind(parser, kind, [](StringRef word) { return symbolizeArgReduceKind(word); }, "argreduce", "max, min");
}

static void printArgReduceKind(OpAsmPrinter &printer, ArgReduceOp, ArgReduceKindAttr kind) {
  printer << stringifyArgReduceKind(kind.getValue());
}

static ParseResult parseScanKind(OpAsmParser &parser, ScanKindAttr &kind) {
  return parseKind(parser, kind, [](StringRef word) { return symbolizeScanKind(word); }, "scan", "sum, prod, max, min");
}

static void printScanKind(OpAsmPrinter &printer, ScanOp, ScanKindAttr kind) {
  printer << stringifyScanKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "dialects/Tile/ComputeOps.cpp.inc"
