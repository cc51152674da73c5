// ChecksWidth.cpp - rules of `width(n)` that the text alone decides: what a width is, and what fits a vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/Checks.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// The widest element that the loop or copy moves to or from memory; null if it moves none.
static Type widestElement(Operation *op) {
  Type widest;
  auto consider = [&](MemRefType type) {
    if (spaceOf(type) != Space::Global && spaceOf(type) != Space::Shared)
      return;
    Type element = type.getElementType();
    if (!widest || elementBytes(element) > elementBytes(widest))
      widest = element;
  };
  if (auto copy = dyn_cast<CopyOp>(op)) {
    consider(copy.getSourceType());
    consider(copy.getTargetType());
    return widest;
  }
  op->walk([&](Operation *inner) {
    if (auto load = dyn_cast<LoadOp>(inner))
      consider(load.getBufferType());
    else if (auto store = dyn_cast<StoreOp>(inner))
      consider(store.getBufferType());
  });
  return widest;
}

LogicalResult tile::checkWidth(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>("width");
  if (!attr)
    return success();
  int64_t width = attr.getInt();
  if (width < 1 || !llvm::isPowerOf2_64(width))
    return op->emitOpError() << "has width(" << width << "); a width is a power of two (width-C1)";
  if (!isBlockWide(op))
    return op->emitOpError() << "has width(" << width << ") and copies a private array; the block moves nothing here "
                             << "together (width-C1)";
  Type element = widestElement(op);
  if (element && width * elementBytes(element) > kVectorBytes)
    return op->emitOpError() << "has width(" << width << ") and moves elements of type " << element << ", "
                             << width * elementBytes(element) << " bytes at once; a thread moves at most "
                             << kVectorBytes << " bytes at once (width-C2)";
  return success();
}
