// LowerTilesAxis.cpp - digits, registers, lanes and values of what works along one axis.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTilesAxis.h"

#include "tile/Evaluate/Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

AxisLowering::AxisLowering(KernelLowering &lowering, Operation *op, DistributedAttr layout, int64_t axis,
                           ReductionRule rule, bool anyRadix)
    : k(lowering), builder(lowering.builder), loc(plain(op->getLoc())), layout(layoutOf(layout)),
      axis(static_cast<int>(axis)), rule(rule), element(cast<MemRefType>(op->getOperand(0).getType()).getElementType()),
      accumulator(mlirType(op->getContext(), rule.accumulator)), leastBytes(elementBytes(accumulator)) {
  values.push_back(k.thread);
  sortDigits(anyRadix);
  values.push_back(k.origin ? OpFoldResult(k.origin) : OpFoldResult(builder.getIndexAttr(0)));
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

void AxisLowering::sortDigits(bool anyRadix) {
  bool isRun = true;
  for (const Digit &digit : layout.digits()) {
    if (digit.owner == Owner::Register) {
      auto number = static_cast<unsigned>(registers.size());
      registers.push_back(digit);
      values.push_back(builder.getIndexAttr(0));
      if (digit.axis != axis) {
        kept.push_back(number);
      } else if (isRun) {
        run.push_back(number);
      } else {
        above.push_back(number);
        digits.push_back({static_cast<int>(number), digit.radix, 1, false, 0});
      }
    } else if (digit.axis == axis && digit.radix > 1) {
      isRun = false;
      addThreads(digit, anyRadix);
    }
  }
}

void AxisLowering::addThreads(const Digit &digit, bool anyRadix) {
  // Once a scan has left the warp it does not come back: all further digits take part in the exchange, whole.
  bool hasLeft =
      llvm::any_of(digits, [](const AxisDigit &other) { return other.registerDigit < 0 && !other.isInWarp; });
  int64_t lanes = anyRadix && hasLeft ? 1 : lanesInWarp(layout, digit, anyRadix);
  if (lanes > 1)
    digits.push_back({-1, lanes, digit.stride, true, digit.radix % lanes ? digit.radix : 0});
  if (lanes < digit.radix)
    digits.push_back({-1, (digit.radix + lanes - 1) / lanes, digit.stride * lanes, false, 0});
}

AffineExpr AxisLowering::position(const AxisDigit &digit) const {
  return threadPosition(layout, digit.stride, digit.radix, getAffineDimExpr(0, builder.getContext()));
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void AxisLowering::overDigits(ArrayRef<unsigned> which, function_ref<void()> body, bool isReversed) {
  if (which.empty())
    return body();
  unsigned number = which.back();
  int64_t radix = registers[number].radix;
  k.loop(loc, radix, 1, /*isUnrolled=*/true, [&](OpFoldResult value) {
    if (isReversed && radix > 1)
      value = k.apply(loc, radix - 1 - builder.getAffineDimExpr(0), {value});
    values[number + 1] = value;
    overDigits(which.drop_back(), body, isReversed);
  });
  values[number + 1] = builder.getIndexAttr(0);
}

void AxisLowering::overRows(function_ref<void()> body) {
  overKept([&] { k.guarded(loc, rowExists(), body); });
}

void AxisLowering::overElements(function_ref<void()> body, bool isReversed) {
  // A whole run exists or does not where the extent is a multiple of it.
  bool isWholeRun = layout.extents()[axis] % countOf(run) == 0 && layout.origins()[axis] == 0;
  overDigits(
      above,
      [&] {
        k.guarded(loc, isWholeRun ? elementExists() : Value(), [&] {
          overDigits(run, [&] { k.guarded(loc, isWholeRun ? Value() : elementExists(), body); }, isReversed);
        });
      },
      isReversed);
}

int64_t AxisLowering::countOf(ArrayRef<unsigned> which) const {
  int64_t count = 1;
  for (unsigned number : which)
    count *= registers[number].radix;
  return count;
}

Value AxisLowering::numberOf(ArrayRef<unsigned> which) {
  AffineExpr index = builder.getAffineConstantExpr(0);
  int64_t stride = 1;
  for (unsigned number : which) {
    index = index + builder.getAffineDimExpr(number + 1) * stride;
    stride *= registers[number].radix;
  }
  return apply(index);
}

Value AxisLowering::sourceIndex() {
  AffineExpr index = builder.getAffineConstantExpr(0);
  for (auto [number, digit] : llvm::enumerate(registers))
    index = index + builder.getAffineDimExpr(number + 1) * digit.stride;
  return apply(index);
}

Value AxisLowering::createRegisters(StringRef name, int64_t count, Type type) {
  auto memref =
      MemRefType::get(count, type, MemRefLayoutAttrInterface(), simt::RegisterAttr::get(builder.getContext()));
  mlir::Location where = name.empty() ? loc : mlir::Location(NameLoc::get(builder.getStringAttr(name), loc));
  return simt::RegistersOp::create(builder, where, memref);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Coordinates of the present element, over `values`.
SmallVector<AffineExpr> AxisLowering::coordinates() {
  SmallVector<AffineExpr> exprs = threadPositions(layout, builder.getAffineDimExpr(0));
  for (auto [number, digit] : llvm::enumerate(registers))
    exprs[digit.axis] = exprs[digit.axis] + builder.getAffineDimExpr(number + 1) * digit.weight;
  for (int dim = 0; dim < layout.rank(); ++dim)
    if (layout.origins()[dim] != 0)
      exprs[dim] = exprs[dim] - builder.getAffineDimExpr(registers.size() + 1);
  return exprs;
}

/// The digits of the other axes as one number, threads before registers: the rows of neighbouring lanes lie in
/// neighbouring banks.
AffineExpr AxisLowering::rowNumber() {
  AffineExpr index = builder.getAffineConstantExpr(0);
  int64_t stride = 1;
  for (const Digit &digit : rowThreads()) {
    index = index + threadPosition(layout, digit.stride, digit.radix, builder.getAffineDimExpr(0)) * stride;
    stride *= digit.radix;
  }
  for (unsigned number : kept) {
    index = index + builder.getAffineDimExpr(number + 1) * stride;
    stride *= registers[number].radix;
  }
  return index;
}

int64_t AxisLowering::countRows() const {
  int64_t rows = countOf(kept);
  for (const Digit &digit : rowThreads())
    rows *= digit.radix;
  return rows;
}

/// The thread digits of the other axes, neighbouring lanes first.
SmallVector<Digit> AxisLowering::rowThreads() const {
  SmallVector<Digit> threads;
  for (const Digit &digit : layout.digits())
    if (digit.owner == Owner::Thread && digit.axis != axis && digit.radix > 1)
      threads.push_back(digit);
  llvm::sort(threads, [](const Digit &a, const Digit &b) { return a.stride < b.stride; });
  return threads;
}

Value AxisLowering::axisPosition() {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), apply(coordinates()[axis]));
}

Value AxisLowering::isInExtent(int dim) {
  bool isShifted = layout.origins()[dim] != 0;
  if (layout.paddedExtent(dim) == layout.extents()[dim] && !isShifted)
    return {};
  return k.inRange(loc, apply(coordinates()[dim]), 0, builder.getIndexAttr(layout.extents()[dim]), isShifted);
}

Value AxisLowering::rowExists() {
  Value condition;
  for (int dim = 0; dim < layout.rank(); ++dim)
    if (dim != axis)
      condition = k.both(loc, condition, isInExtent(dim));
  return condition;
}

Value AxisLowering::elementExists() {
  return isInExtent(axis);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value AxisLowering::isAt(const AxisDigit &digit, OpFoldResult value) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, apply(position(digit)),
                               k.materialize(loc, value));
}

Value AxisLowering::shuffle(simt::ShuffleMode mode, Value value, Value lane) {
  return simt::ShuffleOp::create(builder, loc, value.getType(), simt::ShuffleModeAttr::get(builder.getContext(), mode),
                                 value, lane);
}

Value AxisLowering::constantI32(int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value AxisLowering::load(Value buffer, Value index) {
  return simt::LoadOp::create(builder, loc, cast<MemRefType>(buffer.getType()).getElementType(), buffer, index);
}

void AxisLowering::store(Value value, Value buffer, Value index) {
  simt::StoreOp::create(builder, loc, value, buffer, index);
}

Value AxisLowering::identity() {
  return createIdentity(builder, loc, rule);
}

Value AxisLowering::widen(Value value) {
  return element == accumulator ? value : simt::ConvertOp::create(builder, loc, accumulator, value).getResult();
}

Value AxisLowering::narrow(Value value) {
  return element == accumulator ? value : simt::ConvertOp::create(builder, loc, element, value).getResult();
}

Value AxisLowering::combine(Value a, Value b) {
  return createCombined(builder, loc, rule, a, b);
}
