// ComputeOps.cpp - reductions, print, assert.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tile;

static ParseResult parseReduceKind(OpAsmParser &parser, ReduceKindAttr &kind) {
  StringRef word;
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<ReduceKind> known = symbolizeReduceKind(word);
  if (!known)
    return parser.emitError(place) << "'" << word << "' is no reduction; reductions are sum, mean, prod, max, min, "
                                   << "maxnum, minnum, absmax, abssum, umax, umin, and, or, xor";
  kind = ReduceKindAttr::get(parser.getContext(), *known);
  return success();
}

static void printReduceKind(OpAsmPrinter &printer, ReduceOp, ReduceKindAttr kind) {
  printer << stringifyReduceKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "dialects/Tile/ComputeOps.cpp.inc"
