// ChecksReduce.cpp - rules of what works along one dimension: reduce, argreduce, scan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// What all of them share
//===----------------------------------------------------------------------===//

/// A buffer of the op is a tile of the block.
static LogicalResult checkTile(Operation *op, Value buffer, StringRef role, StringRef plural, StringRef rule) {
  if (failed(checkBuffer(op, buffer)))
    return failure();
  Space space = spaceOf(cast<MemRefType>(buffer.getType()));
  if (space == Space::Fragment || space == Space::Shared)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has a " << nameOf(space) << ' ' << role << "; " << plural
                                              << " go between fragments and shared tiles (" << rule << ")";
  noteBuffer(diag, buffer);
  return diag;
}

static LogicalResult checkDim(Operation *op, Value source, int64_t dim, StringRef verb, StringRef rule) {
  int64_t rank = cast<MemRefType>(source.getType()).getRank();
  // As signed: a dimension below zero is as wrong as one above.
  if (dim >= 0 && dim < rank)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << verb << " dimension " << dim << " of a tile of rank " << rank
                                              << "; dimensions count from 0 (" << rule << ")";
  noteBuffer(diag, source);
  return diag;
}

/// The target of a reduction of dimension `dim` has the other dimensions.
static LogicalResult checkReducedShape(Operation *op, Value source, Value target, int64_t dim, StringRef verb,
                                       StringRef rule) {
  ArrayRef<int64_t> from = cast<MemRefType>(source.getType()).getShape();
  ArrayRef<int64_t> to = cast<MemRefType>(target.getType()).getShape();
  SmallVector<int64_t> expected(from);
  expected.erase(expected.begin() + dim);
  if (to == ArrayRef<int64_t>(expected))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << verb << " dimension " << dim << " of shape [" << shapeText(from)
                                              << "] into shape [" << shapeText(to) << "]; the target has shape ["
                                              << shapeText(expected) << "] (" << rule << ")";
  noteBuffer(diag, target);
  return diag;
}

static LogicalResult checkElementType(Operation *op, Value source, Value target, StringRef role, StringRef rule) {
  Type from = cast<MemRefType>(source.getType()).getElementType();
  Type to = cast<MemRefType>(target.getType()).getElementType();
  if (from == to)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has " << role << " of type " << to << " and elements of type " << from
                                              << "; the types are equal (" << rule << ")";
  noteBuffer(diag, source);
  return diag;
}

/// Why a kind does not combine elements of a type; empty if it does.
static StringRef objectionTo(ReduceKind kind, Type type) {
  bool isFloat = isa<FloatType>(type);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return "8-bit floats are copied with 'cast' to a wider type first";
  switch (kind) {
  case ReduceKind::MaxNum:
  case ReduceKind::MinNum:
    return isFloat ? "" : "maxnum and minnum are for floats";
  case ReduceKind::UMax:
  case ReduceKind::UMin:
  case ReduceKind::And:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return isFloat ? "umax, umin, and, or, xor are for integers" : "";
  case ReduceKind::Mean:
    return isFloat ? "" : "a mean is for floats";
  default:
    return type.isInteger(1) ? "i1 has umax, umin, and, or, xor" : "";
  }
}

/// Types whose elements have an order and a sum: all but i1 and 8-bit floats.
static LogicalResult checkOrdered(Operation *op, StringRef kind, Type type, StringRef rule) {
  StringRef objection = objectionTo(ReduceKind::Sum, type);
  if (objection.empty())
    return success();
  return op->emitOpError() << "is '" << kind << "' of elements of type " << type << "; "
                           << (type.isInteger(1) ? "elements of i1 are copied with 'cast' to a wider type first"
                                                 : objection)
                           << " (" << rule << ")";
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  Operation *op = *this;
  int64_t dim = static_cast<int64_t>(getDim());
  if (failed(checkInKernel(op)) || failed(checkTile(op, getSource(), "source", "reductions", "reduce-C3")) ||
      failed(checkTile(op, getTarget(), "target", "reductions", "reduce-C3")) ||
      failed(checkDim(op, getSource(), dim, "reduces", "reduce-C1")) ||
      failed(checkReducedShape(op, getSource(), getTarget(), dim, "reduces", "reduce-C2")) ||
      failed(checkElementType(op, getSource(), getTarget(), "a target", "reduce-C4")))
    return failure();
  Type element = getSourceType().getElementType();
  StringRef objection = objectionTo(getKind(), element);
  if (!objection.empty())
    return emitOpError() << "is '" << stringifyReduceKind(getKind()) << "' of elements of type " << element << "; "
                         << objection << " (reduce-C5)";
  if (getKind() == ReduceKind::Mean && getAccumulate())
    return emitOpError("is 'mean' with 'accumulate'; a mean is of one tile (reduce-C6)");
  return checkLayout(*this, getLayout(), getSourceType().getShape());
}

//===----------------------------------------------------------------------===//
// argreduce
//===----------------------------------------------------------------------===//

LogicalResult ArgReduceOp::verify() {
  Operation *op = *this;
  int64_t dim = static_cast<int64_t>(getDim());
  if (failed(checkInKernel(op)) || failed(checkTile(op, getSource(), "source", "argreduces", "argreduce-C3")) ||
      failed(checkTile(op, getValue(), "value target", "argreduces", "argreduce-C3")) ||
      failed(checkTile(op, getIndex(), "index target", "argreduces", "argreduce-C3")) ||
      failed(checkDim(op, getSource(), dim, "searches", "argreduce-C1")) ||
      failed(checkReducedShape(op, getSource(), getValue(), dim, "searches", "argreduce-C2")) ||
      failed(checkReducedShape(op, getSource(), getIndex(), dim, "searches", "argreduce-C2")) ||
      failed(checkElementType(op, getSource(), getValue(), "a value target", "argreduce-C4")) ||
      failed(checkOrdered(op, stringifyArgReduceKind(getKind()), getSourceType().getElementType(), "argreduce-C6")))
    return failure();
  if (!getIndexType().getElementType().isInteger(32)) {
    InFlightDiagnostic diag = emitOpError() << "has an index target of type " << getIndexType().getElementType()
                                            << "; indices are i32 (argreduce-C5)";
    noteBuffer(diag, getIndex());
    return diag;
  }
  if (getValue() == getIndex()) {
    InFlightDiagnostic diag =
        emitOpError("writes values and indices to one buffer; the indices would take the place of the values "
                    "(argreduce-C7)");
    noteBuffer(diag, getValue());
    return diag;
  }
  return checkLayout(*this, getLayout(), getSourceType().getShape());
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  Operation *op = *this;
  int64_t dim = static_cast<int64_t>(getDim());
  if (failed(checkInKernel(op)) || failed(checkTile(op, getSource(), "source", "scans", "scan-C3")) ||
      failed(checkTile(op, getTarget(), "target", "scans", "scan-C3")) ||
      failed(checkDim(op, getSource(), dim, "scans", "scan-C1")))
    return failure();
  ArrayRef<int64_t> from = getSourceType().getShape(), to = getTargetType().getShape();
  if (from != to) {
    InFlightDiagnostic diag = emitOpError() << "scans shape [" << shapeText(from) << "] into shape [" << shapeText(to)
                                            << "]; the shapes are equal (scan-C2)";
    noteBuffer(diag, getTarget());
    return diag;
  }
  if (failed(checkElementType(op, getSource(), getTarget(), "a target", "scan-C4")) ||
      failed(checkOrdered(op, stringifyScanKind(getKind()), getSourceType().getElementType(), "scan-C5")))
    return failure();
  return checkLayout(*this, getLayout(), from);
}
