// ChecksCompute.cpp - rules of single elements and print.
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
