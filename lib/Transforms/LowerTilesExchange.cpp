// LowerTilesExchange.cpp - where the partial results of warps lie in shared memory, and how a thread reads them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread reads the slots of its row in the widest moves there are: what the text leaves apart, the compiler of the
// text would join, and then the text would not say what runs.
//
//     3 slots of f32    16 bytes, the last four of them padding
//     6 slots of f32    16 bytes, then 8
//
// Where the lanes of a warp have different rows, neighbouring rows lie in neighbouring banks instead.
//
#include "LowerTilesAxis.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

bool AxisLowering::isWarpOfOneRow() const {
  return llvm::all_of(rowThreads(), [](const Digit &digit) { return digit.stride % kWarp == 0; });
}

/// From one row to the next: each begins where a move may.
int64_t AxisLowering::pitchOf(int64_t slots) const {
  int64_t least = std::min<int64_t>(llvm::PowerOf2Ceil(slots), slotsOfMove());
  return llvm::alignTo(slots, least);
}

AffineExpr AxisLowering::placeOf(AffineExpr slot, int64_t slots) {
  return isWarpOfOneRow() ? rowNumber() * pitchOf(slots) + slot : slot * countRows() + rowNumber();
}

int64_t AxisLowering::placesOf(int64_t slots) const {
  return countRows() * (isWarpOfOneRow() ? pitchOf(slots) : slots);
}

simt::SharedOp AxisLowering::createShared(int64_t places, Type type) {
  auto memref = MemRefType::get(places, type, MemRefLayoutAttrInterface(), simt::SharedAttr::get(builder.getContext()));
  return simt::SharedOp::create(builder, loc, memref, IntegerAttr(), builder.getI64IntegerAttr(kVectorBytes));
}

/// The widest move of which at least three quarters are wanted: two narrower ones would be joined to it.
static int64_t widthOf(int64_t bytes, int64_t widest) {
  while (4 * bytes < 3 * widest)
    widest /= 2;
  return widest;
}

int64_t AxisLowering::slotsRead(int64_t count, int64_t bytes) {
  int64_t done = 0;
  while (done < count)
    done += std::max(widthOf((count - done) * bytes, kVectorBytes) / bytes, int64_t(1));
  return done;
}

/// One move, or one load where it takes one slot.
void AxisLowering::readPart(Value shared, Value from, Value registers, Value to, int64_t width, bool isPadded) {
  if (width == elementBytes(cast<MemRefType>(shared.getType()).getElementType()))
    return store(load(shared, from), registers, to);
  auto move = simt::MoveOp::create(builder, loc, shared, from, registers, to, builder.getI64IntegerAttr(width));
  if (isPadded)
    move->setAttr(simt::kPadded, builder.getUnitAttr());
}

void AxisLowering::readSlots(Value shared, AffineExpr first, int64_t count, int64_t slots, Value registers) {
  int64_t bytes = elementBytes(cast<MemRefType>(shared.getType()).getElementType()), lanes = kVectorBytes / bytes;
  int64_t done = 0;
  while (done < count && widthOf((count - done) * bytes, kVectorBytes) == kVectorBytes)
    done += lanes;
  if (done > 0)
    k.loop(loc, done, lanes, /*isUnrolled=*/true, [&](OpFoldResult slot) {
      values.push_back(slot);
      Value from = apply(placeOf(first + builder.getAffineDimExpr(values.size() - 1), slots));
      readPart(shared, from, registers, k.materialize(loc, slot), kVectorBytes, done > count);
      values.pop_back();
    });
  for (int64_t taken = 0; done < count; done += taken) {
    int64_t width = std::max(widthOf((count - done) * bytes, kVectorBytes), bytes);
    taken = width / bytes;
    readPart(shared, apply(placeOf(first + done, slots)), registers, k.constant(loc, done), width,
             done + taken > count);
  }
}
