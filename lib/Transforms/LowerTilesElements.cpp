// LowerTilesElements.cpp - loads, stores and atomics of one element, guarded where they may not exist.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"
#include "PointLoop.h"

#include "tile/Analysis/Hazards.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

Value KernelLowering::constant(mlir::Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelLowering::materialize(mlir::Location loc, OpFoldResult value) {
  if (auto known = dyn_cast<Value>(value))
    return known;
  return constant(loc, cast<IntegerAttr>(cast<Attribute>(value)).getInt());
}

/// Constants are folded in and unused operands dropped, but nothing is rearranged: the text should say what was meant.
Value KernelLowering::apply(mlir::Location loc, AffineExpr expr, ArrayRef<OpFoldResult> operands) {
  SmallVector<AffineExpr> replacements;
  SmallVector<Value> used;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (std::optional<int64_t> value = getConstantIntValue(operand)) {
      replacements.push_back(builder.getAffineConstantExpr(*value));
      continue;
    }
    if (!expr.isFunctionOfDim(number)) {
      replacements.push_back(builder.getAffineConstantExpr(0));
      continue;
    }
    auto *known = llvm::find(used, cast<Value>(operand));
    replacements.push_back(builder.getAffineDimExpr(known - used.begin()));
    if (known == used.end())
      used.push_back(cast<Value>(operand));
  }
  expr = expr.replaceDims(replacements);
  if (auto value = dyn_cast<AffineConstantExpr>(expr))
    return constant(loc, value.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return used[dim.getPosition()];
  return affine::AffineApplyOp::create(builder, loc, AffineMap::get(used.size(), 0, expr), used);
}

OpFoldResult KernelLowering::mapped(OpFoldResult value) {
  auto known = dyn_cast<Value>(value);
  return known ? OpFoldResult(mapping.lookupOrDefault(known)) : value;
}

Value KernelLowering::both(mlir::Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

void KernelLowering::guarded(mlir::Location loc, Value condition, function_ref<void()> body) {
  either(loc, condition, body, {});
}

void KernelLowering::either(mlir::Location loc, Value condition, function_ref<void()> body,
                            function_ref<void()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
  if (!otherwise)
    return;
  builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

mlir::Location tile::plain(mlir::Location loc) {
  while (auto named = dyn_cast<NameLoc>(loc))
    loc = named.getChildLoc();
  return loc;
}

void KernelLowering::loop(mlir::Location loc, int64_t end, int64_t step, bool isUnrolled,
                          function_ref<void(OpFoldResult)> body, int64_t begin) {
  if (end - begin <= step)
    return body(builder.getIndexAttr(begin));
  auto loop = scf::ForOp::create(builder, loc, constant(loc, begin), constant(loc, end), constant(loc, step));
  if (isUnrolled)
    loop->setAttr(simt::kUnroll, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

ViewCoordinates KernelLowering::coordinatesOf(AffineMap map, ValueRange indices) {
  ViewCoordinates coordinates;
  for (Value index : indices)
    coordinates.operands.push_back(mapped(index));
  for (AffineExpr expr : map.getResults()) {
    SmallVector<AffineExpr> symbols;
    for (unsigned i = 0; i < map.getNumSymbols(); ++i)
      symbols.push_back(getAffineDimExpr(map.getNumDims() + i, map.getContext()));
    coordinates.exprs.push_back(expr.replaceSymbols(symbols));
  }
  return coordinates;
}

Value KernelLowering::padOf(mlir::Location loc, Type type, std::optional<TypedAttr> pad) {
  return arith::ConstantOp::create(builder, loc, pad ? *pad : builder.getZeroAttr(type));
}

/// Says who placed the access on threads, and what other threads cannot do meanwhile.
void PointLoop::mark(Operation *access, Space space, bool isWrite, PointLoop *points) {
  UnitAttr unit = UnitAttr::get(access->getContext());
  if (!points || points->isExplicit())
    access->setAttr(simt::kExplicit, unit);
  else if (space == Space::Shared && (isWrite || points->isOnlyReader()))
    access->setAttr(kOwnPoint, unit);
}

Value KernelLowering::loadElement(LoadOp load) {
  mlir::Location loc = plain(load.getLoc());
  if (points)
    if (Value known = points->privateLoad(load))
      return known;
  ElementPlace location = locate(storageOf(load.getBuffer()), coordinatesOf(load.getMap(), load.getIndices()));
  return readElement(load, location, points ? points->loadCondition(loc, load) : Value());
}

/// The element at a place, or the pad. The condition, if there is one, stands for those of the place.
Value KernelLowering::readElement(LoadOp load, const ElementPlace &location, Value condition) {
  mlir::Location loc = plain(load.getLoc());
  Type element = location.storage->element;
  if (!condition)
    condition = conditionOf(loc, location, -1, 1);
  auto read = [&] {
    checkAccess(load, location, -1, 1);
    Value offset = offsetOf(loc, location);
    auto access = simt::LoadOp::create(builder, load.getLoc(), element, location.storage->buffer, offset);
    PointLoop::mark(access, location.storage->space, /*isWrite=*/false, points);
    return access.getResult();
  };
  if (!condition)
    return read();
  auto branch = scf::IfOp::create(builder, load.getLoc(), element, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, read());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, padOf(loc, element, load.getPad()));
  return branch.getResult(0);
}

LogicalResult KernelLowering::storeElement(StoreOp store, Value value, Value condition) {
  mlir::Location loc = store.getLoc();
  ElementPlace location = locate(storageOf(store.getBuffer()), coordinatesOf(store.getMap(), store.getIndices()));
  condition = both(loc, condition, conditionOf(loc, location, -1, 1));
  guarded(loc, condition, [&] {
    checkAccess(store, location, -1, 1);
    auto access = simt::StoreOp::create(builder, loc, value, location.storage->buffer, offsetOf(loc, location));
    PointLoop::mark(access, location.storage->space, /*isWrite=*/true, points);
  });
  return success();
}

LogicalResult KernelLowering::atomicElement(AtomicOp atomic, Value condition) {
  mlir::Location loc = plain(atomic.getLoc());
  ElementPlace location = locate(storageOf(atomic.getBuffer()), coordinatesOf(atomic.getMap(), atomic.getIndices()));
  condition = both(loc, condition, conditionOf(loc, location, -1, 1));
  Type element = location.storage->element;
  Type result = atomic.getOld() ? element : Type();
  auto act = [&] {
    checkAccess(atomic, location, -1, 1);
    auto access = simt::AtomicOp::create(builder, atomic.getLoc(), result, atomic.getKindAttr(),
                                         mapping.lookupOrDefault(atomic.getValue()), location.storage->buffer,
                                         offsetOf(loc, location));
    if (!points || points->isExplicit())
      access->setAttr(simt::kExplicit, builder.getUnitAttr());
    return access.getOld();
  };
  if (!atomic.getOld()) {
    guarded(loc, condition, [&] { act(); });
    return success();
  }
  if (!condition) {
    mapping.map(atomic.getOld(), act());
    return success();
  }
  auto branch = scf::IfOp::create(builder, atomic.getLoc(), element, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, act());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, padOf(loc, element, std::nullopt));
  mapping.map(atomic.getOld(), branch.getResult(0));
  return success();
}

/// A copy that casts and pads: where the source has no element, the pad of the target's type.
Value KernelLowering::convertElement(simt::ConvertOp convert) {
  mlir::Location loc = convert.getLoc();
  Value value = simt::ConvertOp::create(builder, loc, convert.getType(), mapping.lookupOrDefault(convert.getValue()));
  auto pad = convert->getAttrOfType<TypedAttr>("pad");
  auto load = convert.getValue().getDefiningOp<LoadOp>();
  if (!pad || !load || spaceOf(load.getBufferType()) != Space::Global)
    return value;
  ElementPlace location = locate(storageOf(load.getBuffer()), coordinatesOf(load.getMap(), load.getIndices()));
  Value condition = conditionOf(loc, location, -1, 1);
  if (!condition)
    return value;
  return arith::SelectOp::create(builder, loc, condition, value, padOf(loc, convert.getType(), pad));
}
