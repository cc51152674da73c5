// ChecksCompute.cpp - rules of single elements, reductions and print.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// load, store, atomic
//===----------------------------------------------------------------------===//

/// What load, store and atomic share: a buffer and the place of one element.
template <typename ElementOp> static LogicalResult checkElement(ElementOp op) {
  if (failed(checkInKernel(op)) || failed(checkBuffer(op, op.getBuffer())))
    return failure();
  return checkSubscript(op, op.getBuffer(), op.getMap(), op.getIndices(), /*window=*/{}, /*mayOverhang=*/false);
}

static LogicalResult typeError(Operation *op, Value buffer, Type found, StringRef what, StringRef rule) {
  InFlightDiagnostic diag = op->emitOpError() << "has " << what << " of type " << found << " and elements of type "
                                              << cast<MemRefType>(buffer.getType()).getElementType()
                                              << "; the types are equal (" << rule << ")";
  noteBuffer(diag, buffer);
  return diag;
}

LogicalResult LoadOp::verify() {
  if (failed(checkElement(*this)))
    return failure();
  Type element = getBufferType().getElementType();
  if (getResult().getType() != element)
    return typeError(*this, getBuffer(), getResult().getType(), "a result", "load-C1");
  std::optional<TypedAttr> pad = getPad();
  if (!pad)
    return success();
  if (spaceOf(getBufferType()) != Space::Global)
    return emitOpError() << "has a pad and reads a " << nameOf(spaceOf(getBufferType()))
                         << " buffer; only reads of global tensors may be out of range (load-C2)";
  if (pad->getType() != element || !isa<IntegerAttr, FloatAttr>(*pad))
    return typeError(*this, getBuffer(), pad->getType(), "a pad", "load-C1");
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(checkElement(*this)))
    return failure();
  if (getValue().getType() != getBufferType().getElementType())
    return typeError(*this, getBuffer(), getValue().getType(), "a value", "store-C1");
  return success();
}

/// The types sm_90 combines in memory, by kind; the text lists them.
static StringRef atomicTypes(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return "i32, i64, f16, bf16, f32, f64";
  case AtomicKind::Exchange:
    return "i32, i64, f32, f64";
  default:
    return "i32, i64";
  }
}

static bool isAtomic(AtomicKind kind, Type type) {
  if (type.isInteger(32) || type.isInteger(64))
    return true;
  if (kind == AtomicKind::Add)
    return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
  return kind == AtomicKind::Exchange && (type.isF32() || type.isF64());
}

LogicalResult AtomicOp::verify() {
  if (failed(checkElement(*this)))
    return failure();
  Type element = getBufferType().getElementType();
  if (getValue().getType() != element)
    return typeError(*this, getBuffer(), getValue().getType(), "a value", "atomic-C1");
  if (getOld() && getOld().getType() != element)
    return typeError(*this, getBuffer(), getOld().getType(), "a result", "atomic-C1");
  Space space = spaceOf(getBufferType());
  if (space != Space::Global && space != Space::Shared) {
    InFlightDiagnostic diag = emitOpError() << "combines an element of a " << nameOf(space)
                                            << " buffer; atomics act on global and shared memory (atomic-C2)";
    noteBuffer(diag, getBuffer());
    return diag;
  }
  if (!isAtomic(getKind(), element))
    return emitOpError() << "is '" << stringifyAtomicKind(getKind()) << "' of elements of type " << element
                         << "; the hardware has it for " << atomicTypes(getKind()) << " (atomic-C3)";
  return success();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// Why a kind does not combine elements of a type; empty if it does.
static StringRef reduceObjection(ReduceKind kind, Type type) {
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

static LogicalResult checkReduceShape(ReduceOp op) {
  ArrayRef<int64_t> from = op.getSourceType().getShape(), to = op.getTargetType().getShape();
  // As signed: a dimension below zero is as wrong as one above.
  int64_t dim = static_cast<int64_t>(op.getDim());
  if (dim < 0 || dim >= static_cast<int64_t>(from.size())) {
    InFlightDiagnostic diag = op.emitOpError() << "reduces dimension " << dim << " of a tile of rank " << from.size()
                                               << "; dimensions count from 0 (reduce-C1)";
    noteBuffer(diag, op.getSource());
    return diag;
  }
  SmallVector<int64_t> expected(from);
  expected.erase(expected.begin() + dim);
  if (to != ArrayRef<int64_t>(expected)) {
    InFlightDiagnostic diag = op.emitOpError()
                              << "reduces dimension " << dim << " of shape [" << shapeText(from) << "] into shape ["
                              << shapeText(to) << "]; the target has shape [" << shapeText(expected) << "] (reduce-C2)";
    noteBuffer(diag, op.getTarget());
    return diag;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(checkInKernel(*this)) || failed(checkBuffer(*this, getSource())) ||
      failed(checkBuffer(*this, getTarget())))
    return failure();
  for (Value buffer : {getSource(), getTarget()}) {
    Space space = spaceOf(cast<MemRefType>(buffer.getType()));
    if (space == Space::Fragment || space == Space::Shared)
      continue;
    InFlightDiagnostic diag = emitOpError()
                              << "has a " << nameOf(space) << (buffer == getSource() ? " source" : " target")
                              << "; reductions go between fragments and shared tiles (reduce-C3)";
    noteBuffer(diag, buffer);
    return diag;
  }
  if (failed(checkReduceShape(*this)))
    return failure();
  Type element = getSourceType().getElementType();
  if (element != getTargetType().getElementType())
    return typeError(*this, getSource(), getTargetType().getElementType(), "a target", "reduce-C4");
  StringRef objection = reduceObjection(getKind(), element);
  if (!objection.empty())
    return emitOpError() << "is '" << stringifyReduceKind(getKind()) << "' of elements of type " << element << "; "
                         << objection << " (reduce-C5)";
  if (getKind() == ReduceKind::Mean && getAccumulate())
    return emitOpError("is 'mean' with 'accumulate'; a mean is of one tile (reduce-C6)");
  return checkLayout(*this, getLayout(), getSourceType().getShape());
}

//===----------------------------------------------------------------------===//
// print, assert
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  if (failed(checkInKernel(*this)))
    return failure();
  Type type = getValue().getType();
  if (isa<MemRefType>(type)) {
    if (failed(checkBuffer(*this, getValue())))
      return failure();
  } else if (!type.isIndex() && !isElementType(type)) {
    return emitOpError() << "prints a value of type " << type
                         << "; a buffer, a scalar of an element type or an index is printed (print-C1)";
  }
  // A copy: iterating over the temporary optional would outlive it.
  std::optional<ArrayRef<int64_t>> block = getBlock();
  if (!block)
    return success();
  AffineMap grid = kernelOf(*this).getGrid();
  if (block->size() != grid.getNumResults())
    return emitOpError() << "chooses a block by " << block->size() << " numbers in a grid of " << grid.getNumResults()
                         << " axes; there is one an axis (print-C2)";
  for (auto [axis, number] : llvm::enumerate(*block)) {
    auto extent = dyn_cast<AffineConstantExpr>(grid.getResult(axis));
    if (number < 0 || (extent && number >= extent.getValue()))
      return emitOpError() << "chooses block " << number << " of grid axis " << axis
                           << "; blocks count from 0 to the extent of the axis (print-C2)";
  }
  return success();
}

LogicalResult AssertOp::verify() {
  return checkInKernel(*this);
}
