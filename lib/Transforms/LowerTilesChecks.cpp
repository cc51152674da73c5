// LowerTilesChecks.cpp - what `checked` adds: indices of tiles, divisors and assertions are tested where they are used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

/// As the interpreter says it, with a place for each coordinate: "element [{}, {}] of shared tile %s".
static std::string elementText(Value buffer, const TileStorage &storage) {
  std::string text = "element [";
  for (size_t dim = 0; dim < storage.extents.size(); ++dim)
    text += dim ? ", {}" : "{}";
  text += storage.space == Space::Local ? "] of private array" : ("] of " + nameOf(storage.space) + " tile").str();
  auto name = dyn_cast<NameLoc>(buffer.getLoc());
  return name ? text + " %" + name.getName().str() : text;
}

static Value accessedBuffer(Operation *access) {
  return llvm::TypeSwitch<Operation *, Value>(access).Case<LoadOp, StoreOp, AtomicOp>(
      [](auto op) { return op.getBuffer(); });
}

/// `width` elements along operand `lane` lie in the tile, and in the tile it is a window of; -1: a single element.
void KernelLowering::checkAccess(Operation *access, const ElementPlace &place, int64_t lane, int64_t width) {
  const TileStorage &storage = *place.storage;
  if (!isChecked || storage.space == Space::Global)
    return;
  mlir::Location loc = plain(access->getLoc());
  SmallVector<IndexLimit> own;
  SmallVector<Value> index;
  for (auto [coordinate, extent] : llvm::zip_equal(place.view, storage.extents))
    own.push_back({coordinate, extent});
  std::string text = width > 1 ? "accesses " + std::to_string(width) + " elements from " : "accesses ";
  text += elementText(accessedBuffer(access), storage) + (width > 1 ? " on" : "");
  auto check = [&](ArrayRef<IndexLimit> limits, const Twine &rule) {
    Value holds = limitsHold(loc, limits, place.operands, lane, width);
    if (!holds)
      return;
    if (index.empty())
      for (AffineExpr coordinate : place.view)
        index.push_back(apply(loc, coordinate, place.operands));
    simt::CheckOp::create(builder, loc, holds, (text + rule).str(), index);
  };
  auto shape = cast<MemRefType>(accessedBuffer(access).getType()).getShape();
  std::string extents;
  llvm::raw_string_ostream stream(extents);
  llvm::interleaveComma(shape, stream);
  check(own, ", whose shape is [" + Twine(extents) + "]");
  check(place.windows, ", which lies outside the tile it is a window of");
}

/// The quotient or remainder exists: no zero below, and not the lowest integer by -1.
void KernelLowering::checkDivision(Operation &op) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  if (!isChecked || !(isSigned || isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)))
    return;
  mlir::Location loc = plain(op.getLoc());
  Value lhs = mapping.lookupOrDefault(op.getOperand(0)), rhs = mapping.lookupOrDefault(op.getOperand(1));
  Type type = rhs.getType();
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto differs = [&](Value value, const APInt &from) -> Value {
    APInt known;
    if (matchPattern(value, m_ConstantInt(&known)) && known.getSExtValue() != from.getSExtValue())
      return {};
    Value other = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, from));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, other);
  };
  if (Value notZero = differs(rhs, APInt::getZero(bits)))
    simt::CheckOp::create(builder, loc, notZero, "division by zero", ValueRange());
  if (!isSigned)
    return;
  Value below = differs(rhs, APInt::getAllOnes(bits));
  Value above = below ? differs(lhs, APInt::getSignedMinValue(bits)) : Value();
  if (above)
    simt::CheckOp::create(builder, loc, arith::OrIOp::create(builder, loc, above, below),
                          "lowest integer divided by -1", ValueRange());
}

void KernelLowering::lowerAssert(AssertOp assertion) {
  Value condition = mapping.lookupOrDefault(assertion.getCondition());
  if (!isChecked) {
    simt::AssertOp::create(builder, assertion.getLoc(), condition, assertion.getMessage());
    return;
  }
  simt::CheckOp::create(builder, assertion.getLoc(), condition, ("assertion failed: " + assertion.getMessage()).str(),
                        ValueRange());
}
