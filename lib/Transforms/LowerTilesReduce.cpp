// LowerTilesReduce.cpp - a reduction in registers, then in warps by shuffles, then through shared memory once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"

#include "tile/Evaluate/Evaluate.h"
#include "tile/Support/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tile;

static constexpr int64_t kWarp = 32;

namespace tile {
/// Lowers one reduction; digits of the reduced axis decide how: registers, lanes of a warp, the rest of the block.
class ReduceLowering {
public:
  ReduceLowering(KernelLowering &lowering, ReduceOp reduce);
  LogicalResult lower();

private:
  void sortDigits();
  Value combine(Value a, Value b);
  Value widen(Value element);
  Value mapElement(Value element);
  void overKept(function_ref<void()> body) { overDigits(kept, body); }
  void overDigits(ArrayRef<unsigned> which, function_ref<void()> body);
  Value partialIndex();
  Value sourceIndex();
  Value keptIndex();
  Value exists(bool keptAxesOnly);
  void reduceRegisters();
  void reduceWarps();
  void reduceBlock();
  void writeResult();

  KernelLowering &k;
  ReduceOp reduce;
  mlir::Location loc;
  Layout layout;
  int axis;
  ReductionRule rule;
  Type element, accumulator;
  Value partials;
  SmallVector<Digit> registers;        ///< register digits of the source
  SmallVector<OpFoldResult> values;    ///< their present values; the thread first
  SmallVector<unsigned> kept, reduced; ///< numbers of register digits
  SmallVector<Digit> shuffled, exchanged;
};
} // namespace tile

static ReductionRule ruleOf(ReduceOp reduce) {
  std::optional<Reduction> kind = parseReduction(stringifyReduceKind(reduce.getKind()).str());
  std::optional<ReductionRule> rule = reductionRule(*kind, *scalarType(reduce.getSourceType().getElementType()));
  assert(rule && "the verifier refuses what no rule covers");
  return *rule;
}

ReduceLowering::ReduceLowering(KernelLowering &lowering, ReduceOp reduce)
    : k(lowering), reduce(reduce), loc(plain(reduce.getLoc())), layout(layoutOf(*reduce.getLayout())),
      axis(reduce.getDim()), rule(ruleOf(reduce)), element(reduce.getSourceType().getElementType()),
      accumulator(mlirType(reduce.getContext(), rule.accumulator)) {
  values.push_back(k.thread);
  sortDigits();
}

void ReduceLowering::sortDigits() {
  for (const Digit &digit : layout.digits()) {
    if (digit.owner == Owner::Register) {
      (digit.axis == axis ? reduced : kept).push_back(registers.size());
      registers.push_back(digit);
      values.push_back(k.builder.getIndexAttr(0));
    } else if (digit.axis == axis && digit.radix > 1) {
      // A butterfly needs powers of two inside a warp; the rest of the digit meets in shared memory.
      bool startsInWarp = llvm::isPowerOf2_64(digit.stride) && digit.stride < kWarp;
      int64_t lanes = startsInWarp ? std::gcd(digit.radix, kWarp / digit.stride) : 1;
      // Idle threads in between may shift the positions against the lanes.
      if (int64_t next = nextThreadStride(layout, digit.stride))
        lanes = std::gcd(lanes, next / digit.stride);
      Digit low = digit, high = digit;
      low.radix = lanes;
      high.radix /= lanes;
      high.stride *= lanes;
      if (low.radix > 1)
        shuffled.push_back(low);
      if (high.radix > 1)
        exchanged.push_back(high);
    }
  }
}

Value ReduceLowering::combine(Value a, Value b) {
  OpBuilder &builder = k.builder;
  switch (rule.combine) {
  case BinaryOp::AddF:
    return arith::AddFOp::create(builder, loc, a, b);
  case BinaryOp::MulF:
    return arith::MulFOp::create(builder, loc, a, b);
  case BinaryOp::MaximumF:
    return arith::MaximumFOp::create(builder, loc, a, b);
  case BinaryOp::MinimumF:
    return arith::MinimumFOp::create(builder, loc, a, b);
  case BinaryOp::MaxNumF:
    return arith::MaxNumFOp::create(builder, loc, a, b);
  case BinaryOp::MinNumF:
    return arith::MinNumFOp::create(builder, loc, a, b);
  case BinaryOp::AddI:
    return arith::AddIOp::create(builder, loc, a, b);
  case BinaryOp::MulI:
    return arith::MulIOp::create(builder, loc, a, b);
  case BinaryOp::MaxSI:
    return arith::MaxSIOp::create(builder, loc, a, b);
  case BinaryOp::MinSI:
    return arith::MinSIOp::create(builder, loc, a, b);
  case BinaryOp::MaxUI:
    return arith::MaxUIOp::create(builder, loc, a, b);
  case BinaryOp::MinUI:
    return arith::MinUIOp::create(builder, loc, a, b);
  case BinaryOp::AndI:
    return arith::AndIOp::create(builder, loc, a, b);
  case BinaryOp::OrI:
    return arith::OrIOp::create(builder, loc, a, b);
  case BinaryOp::XorI:
    return arith::XOrIOp::create(builder, loc, a, b);
  default:
    llvm_unreachable("no reduction combines by another op");
  }
}

/// An element in the accumulator's type.
Value ReduceLowering::widen(Value value) {
  return element == accumulator ? value : simt::ConvertOp::create(k.builder, loc, accumulator, value).getResult();
}

/// An element as the accumulator takes it.
Value ReduceLowering::mapElement(Value value) {
  value = widen(value);
  if (rule.map == UnaryOp::AbsF)
    value = math::AbsFOp::create(k.builder, loc, value);
  if (rule.map == UnaryOp::AbsI)
    value = math::AbsIOp::create(k.builder, loc, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void ReduceLowering::overDigits(ArrayRef<unsigned> which, function_ref<void()> body) {
  if (which.empty())
    return body();
  // The highest digit outermost.
  unsigned number = which.back();
  k.loop(loc, registers[number].radix, 1, /*isUnrolled=*/true, [&](OpFoldResult value) {
    values[number + 1] = value;
    overDigits(which.drop_back(), body);
  });
  values[number + 1] = k.builder.getIndexAttr(0);
}

/// The number of the present kept digits: of the partial result, and of the target's register.
Value ReduceLowering::partialIndex() {
  AffineExpr index = k.builder.getAffineConstantExpr(0);
  int64_t stride = 1;
  for (unsigned number : kept) {
    index = index + k.builder.getAffineDimExpr(number + 1) * stride;
    stride *= registers[number].radix;
  }
  return k.apply(loc, index, values);
}

Value ReduceLowering::sourceIndex() {
  AffineExpr index = k.builder.getAffineConstantExpr(0);
  for (auto [number, digit] : llvm::enumerate(registers))
    index = index + k.builder.getAffineDimExpr(number + 1) * digit.stride;
  return k.apply(loc, index, values);
}

/// ViewCoordinates of the present element, over `values`.
static SmallVector<AffineExpr> coordinates(const Layout &layout, ArrayRef<Digit> registers, MLIRContext *context) {
  SmallVector<AffineExpr> exprs = threadPositions(layout, getAffineDimExpr(0, context));
  for (auto [number, digit] : llvm::enumerate(registers))
    exprs[digit.axis] = exprs[digit.axis] + getAffineDimExpr(number + 1, context) * digit.weight;
  return exprs;
}

/// The row-major number of the present element among the results.
Value ReduceLowering::keptIndex() {
  AffineExpr index = k.builder.getAffineConstantExpr(0);
  SmallVector<AffineExpr> exprs = coordinates(layout, registers, reduce.getContext());
  for (int dim = 0; dim < layout.rank(); ++dim)
    if (dim != axis)
      index = index * layout.extents()[dim] + exprs[dim];
  return k.apply(loc, index, values);
}

/// The present element is none of the padding. Null if that is certain.
Value ReduceLowering::exists(bool keptAxesOnly) {
  Value condition;
  SmallVector<AffineExpr> exprs = coordinates(layout, registers, reduce.getContext());
  for (int dim = 0; dim < layout.rank(); ++dim) {
    bool isMasked = layout.paddedExtent(dim) > layout.extents()[dim];
    if (isMasked && !(keptAxesOnly && dim == axis))
      condition = k.both(loc, condition,
                         k.inRange(loc, k.apply(loc, exprs[dim], values), 0,
                                   k.builder.getIndexAttr(layout.extents()[dim]), /*checkLow=*/false));
  }
  return condition;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void ReduceLowering::reduceRegisters() {
  OpBuilder &builder = k.builder;
  const TileStorage &source = k.storageOf(reduce.getSource());
  int64_t count = 1;
  for (unsigned number : kept)
    count *= registers[number].radix;
  partials = simt::RegistersOp::create(
      builder, loc,
      MemRefType::get(count, accumulator, MemRefLayoutAttrInterface(), simt::RegisterAttr::get(builder.getContext())));
  Value identity =
      arith::ConstantOp::create(builder, loc, attributeOf(builder.getContext(), rule.accumulator, rule.identity));
  Value isActive = k.isActive(loc, layout);
  overKept([&] { simt::StoreOp::create(builder, loc, identity, partials, partialIndex()); });
  k.guarded(loc, isActive, [&] {
    overKept([&] {
      overDigits(reduced, [&] {
        k.guarded(loc, exists(/*keptAxesOnly=*/false), [&] {
          Value index = partialIndex();
          Value value = simt::LoadOp::create(builder, loc, element, source.buffer, sourceIndex());
          Value partial = simt::LoadOp::create(builder, loc, accumulator, partials, index);
          simt::StoreOp::create(builder, loc, combine(partial, mapElement(value)), partials, index);
        });
      });
    });
  });
}

/// Butterflies: afterwards every lane of a group has the group's result. Idle threads bring the identity.
void ReduceLowering::reduceWarps() {
  for (const Digit &digit : shuffled)
    for (int64_t offset = digit.stride; offset < digit.stride * digit.radix; offset *= 2)
      overKept([&] {
        Value index = partialIndex();
        Value mine = simt::LoadOp::create(k.builder, loc, accumulator, partials, index);
        Value other = simt::ShuffleOp::create(
            k.builder, loc, accumulator, simt::ShuffleModeAttr::get(k.builder.getContext(), simt::ShuffleMode::Xor),
            mine, arith::ConstantOp::create(k.builder, loc, k.builder.getI32IntegerAttr(offset)));
        simt::StoreOp::create(k.builder, loc, combine(mine, other), partials, index);
      });
}

/// The partial results of the remaining digits meet in shared memory; every thread that needs a result combines them
/// all, in the same order.
void ReduceLowering::reduceBlock() {
  if (exchanged.empty())
    return;
  OpBuilder &builder = k.builder;
  int64_t slots = 1, results = 1;
  AffineExpr slot = builder.getAffineConstantExpr(0), thread = builder.getAffineDimExpr(0);
  for (const Digit &digit : exchanged) {
    slot = slot + threadPosition(layout, digit.stride, digit.radix, thread) * slots;
    slots *= digit.radix;
  }
  for (int dim = 0; dim < layout.rank(); ++dim)
    results *= dim == axis ? 1 : layout.extents()[dim];
  auto type = MemRefType::get(slots * results, accumulator, MemRefLayoutAttrInterface(),
                              simt::SharedAttr::get(builder.getContext()));
  Value shared = simt::SharedOp::create(builder, loc, type, IntegerAttr(), builder.getI64IntegerAttr(16));
  Value isActive = k.isActive(loc, layout);
  Value isWriter = k.isFirstCopy(loc, layout);
  for (const Digit &digit : shuffled) {
    Value position = k.apply(loc, threadPosition(layout, digit.stride, digit.radix, thread), values);
    isWriter = k.both(loc, isWriter,
                      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position, k.constant(loc, 0)));
  }
  auto place = [&](AffineExpr which, OpFoldResult trip) {
    SmallVector<OpFoldResult> operands(values);
    operands.push_back(keptIndex());
    operands.push_back(trip);
    return k.apply(loc, builder.getAffineDimExpr(values.size()) * slots + which, operands);
  };
  k.guarded(loc, k.both(loc, isActive, isWriter), [&] {
    overKept([&] {
      k.guarded(loc, exists(/*keptAxesOnly=*/true), [&] {
        Value partial = simt::LoadOp::create(builder, loc, accumulator, partials, partialIndex());
        simt::StoreOp::create(builder, loc, partial, shared, place(slot, builder.getIndexAttr(0)));
      });
    });
  });
  // Written here, lest two conditions that say the same become one.
  simt::BarrierOp::create(builder, loc, /*user=*/false);
  k.guarded(loc, isActive, [&] {
    overKept([&] {
      k.guarded(loc, exists(/*keptAxesOnly=*/true), [&] {
        Value index = partialIndex();
        auto at = [&](OpFoldResult trip) {
          Value where = place(builder.getAffineDimExpr(values.size() + 1), trip);
          return simt::LoadOp::create(builder, loc, accumulator, shared, where).getResult();
        };
        simt::StoreOp::create(builder, loc, at(builder.getIndexAttr(0)), partials, index);
        auto loop = scf::ForOp::create(builder, loc, k.constant(loc, 1), k.constant(loc, slots), k.constant(loc, 1));
        loop->setAttr(simt::kUnroll, builder.getUnitAttr());
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(loop.getBody());
        Value partial = simt::LoadOp::create(builder, loc, accumulator, partials, index);
        simt::StoreOp::create(builder, loc, combine(partial, at(loop.getInductionVar())), partials, index);
      });
    });
  });
}

void ReduceLowering::writeResult() {
  OpBuilder &builder = k.builder;
  const TileStorage &target = k.storageOf(reduce.getTarget());
  k.guarded(loc, k.isActive(loc, layout), [&] {
    overKept([&] {
      k.guarded(loc, exists(/*keptAxesOnly=*/true), [&] {
        Value index = partialIndex();
        Value value = simt::LoadOp::create(builder, loc, accumulator, partials, index);
        if (reduce.getKind() == ReduceKind::Mean) {
          TypedAttr count = builder.getFloatAttr(accumulator, static_cast<double>(layout.extents()[axis]));
          value = arith::DivFOp::create(builder, loc, value, arith::ConstantOp::create(builder, loc, count));
        }
        if (reduce.getAccumulate()) {
          Value old = simt::LoadOp::create(builder, loc, element, target.buffer, index);
          value = combine(widen(old), value);
        }
        if (element != accumulator)
          value = simt::ConvertOp::create(builder, loc, element, value);
        simt::StoreOp::create(builder, loc, value, target.buffer, index);
      });
    });
  });
}

LogicalResult ReduceLowering::lower() {
  reduceRegisters();
  reduceWarps();
  reduceBlock();
  writeResult();
  return success();
}

LogicalResult tile::lowerReduce(KernelLowering &lowering, ReduceOp reduce) {
  return ReduceLowering(lowering, reduce).lower();
}
