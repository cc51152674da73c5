// ChooseIndexWidth.cpp - see ChooseIndexWidth.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexBuilder.h"

#include "tile/Analysis/Uniformity.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_CHOOSEINDEXWIDTH
#include "tile/Transforms/Passes.h.inc"

namespace {
/// A sum of a base, which all threads share, and an offset; either may be absent. Small numbers that change from trip
/// to trip belong to the offset, so that the base stays outside of the loop.
struct SplitValue {
  std::optional<RangedValue> base, offset;
};

/// Retypes one kernel, operation by operation, in program order.
class WidthChooser {
public:
  explicit WidthChooser(simt::KernelOp kernel) : kernel(kernel), ranges(kernel), uniformity(kernel), rewriter(kernel) {}
  LogicalResult run();

private:
  LogicalResult visit(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitArith(Operation *op);
  void visitApply(affine::AffineApplyOp op);
  void visitCast(Operation *op);
  void visitCompare(arith::CmpIOp op);
  void visitSelect(arith::SelectOp op);
  void visitFor(scf::ForOp op);
  void visitWhile(scf::WhileOp op);
  void visitYield(Operation *op);
  void visitOperands(Operation *op);
  void visitNumbers(Operation *op);
  void visitShuffle(simt::ShuffleOp op);
  bool isProven(Value condition) const;
  void dropProvenChecks();

  bool isAddress(Value value);
  bool isIndex(OpOperand &operand) const { return indexOperands.contains(&operand); }
  RangedValue get(Value value);
  void replace(Value value, RangedValue by);
  void substitute(Operation *op, Value by);
  void retype(Value value, bool narrow);
  void convertTo(OpOperand &operand, Type type);
  Value addressOf(Value index, Operation *user);
  SplitValue split(Value value, IndexBuilder &build);
  SplitValue split(AffineExpr expr, unsigned numDims, ValueRange operands, IndexBuilder &build);
  SplitValue splitSum(SplitValue a, SplitValue b, bool isDifference, IndexBuilder &build);
  SplitValue splitProduct(SplitValue a, RangedValue factor, IndexBuilder &build);

  simt::KernelOp kernel;
  Intervals ranges;
  Uniformity uniformity;
  IRRewriter rewriter;
  DenseMap<Value, RangedValue> chosen;
  DenseMap<Value, bool> addresses;           ///< what `isAddress` found
  llvm::DenseSet<OpOperand *> indexOperands; ///< as the kernel came
  SmallVector<Operation *> replaced;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RangedValue WidthChooser::get(Value value) {
  if (auto found = chosen.find(value); found != chosen.end())
    return found->second;
  Interval range = ranges.of(value);
  return {range.isConstant() ? Value() : value, range};
}

void WidthChooser::replace(Value value, RangedValue by) {
  chosen[value] = by;
  replaced.push_back(value.getDefiningOp());
}

/// Operations are erased at the end only: the analyses know values by address.
void WidthChooser::substitute(Operation *op, Value by) {
  op->getResult(0).replaceAllUsesWith(by);
  replaced.push_back(op);
}

/// Gives a value its width where it stands.
void WidthChooser::retype(Value value, bool narrow) {
  value.setType(rewriter.getIntegerType(narrow ? 32 : 64));
  chosen[value] = {value, ranges.of(value)};
}

void WidthChooser::convertTo(OpOperand &operand, Type type) {
  rewriter.setInsertionPoint(operand.getOwner());
  IndexBuilder build(rewriter, operand.getOwner()->getLoc());
  operand.set(build.as(get(operand.get()), type.getIntOrFloatBitWidth()));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// Whether memory accesses alone use the value, directly or in sums and products. Asked when the value is visited: its
/// users still are as they came.
bool WidthChooser::isAddress(Value value) {
  if (auto found = addresses.find(value); found != addresses.end())
    return found->second;
  bool result = llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<simt::LoadOp, simt::StoreOp, simt::MoveOp, simt::AtomicOp>(user))
      return true;
    return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, affine::AffineApplyOp>(user) &&
           isAddress(user->getResult(0));
  });
  return addresses[value] = result;
}

/// Whether a value may differ from trip to trip of a loop it is used in.
static bool variesInLoop(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !isa<simt::KernelOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  if (!op->getParentOfType<LoopLikeOpInterface>())
    return false;
  return !isPure(op) || op->getNumRegions() != 0 || llvm::any_of(op->getOperands(), variesInLoop);
}

SplitValue WidthChooser::splitSum(SplitValue a, SplitValue b, bool isDifference, IndexBuilder &build) {
  auto combine = [&](std::optional<RangedValue> left, std::optional<RangedValue> right) {
    if (!right)
      return left;
    if (!left && !isDifference)
      return right;
    RangedValue first = left.value_or(RangedValue::constant(0));
    return std::optional(isDifference ? build.subtract(first, *right) : build.add(first, *right));
  };
  return {combine(a.base, b.base), combine(a.offset, b.offset)};
}

SplitValue WidthChooser::splitProduct(SplitValue a, RangedValue factor, IndexBuilder &build) {
  auto scale = [&](std::optional<RangedValue> part) {
    return part ? std::optional(build.multiply(*part, factor)) : std::nullopt;
  };
  return {scale(a.base), scale(a.offset)};
}

SplitValue WidthChooser::split(Value value, IndexBuilder &build) {
  RangedValue whole = get(value);
  bool isBase = uniformity.isUniform(value) && (!whole.range.fitsIn32Bits() || !variesInLoop(value));
  if (isBase)
    return {whole, std::nullopt};
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return split(apply.getAffineMap().getResult(0), apply.getAffineMap().getNumDims(), apply.getMapOperands(), build);
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return splitSum(split(op->getOperand(0), build), split(op->getOperand(1), build), isa<arith::SubIOp>(op), build);
  if (auto product = dyn_cast_or_null<arith::MulIOp>(op)) {
    if (uniformity.isUniform(product.getRhs()))
      return splitProduct(split(product.getLhs(), build), get(product.getRhs()), build);
    if (uniformity.isUniform(product.getLhs()))
      return splitProduct(split(product.getRhs(), build), get(product.getLhs()), build);
  }
  return {std::nullopt, whole};
}

SplitValue WidthChooser::split(AffineExpr expr, unsigned numDims, ValueRange operands, IndexBuilder &build) {
  SmallVector<RangedValue> values = llvm::map_to_vector(operands, [&](Value operand) { return get(operand); });
  bool isUniform = true, varies = false;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    bool isUsed = position < numDims ? expr.isFunctionOfDim(position) : expr.isFunctionOfSymbol(position - numDims);
    isUniform &= !isUsed || uniformity.isUniform(operand);
    varies |= isUsed && variesInLoop(operand);
  }
  RangedValue whole = build.apply(expr, numDims, values);
  if (isUniform && (!whole.range.fitsIn32Bits() || !varies))
    return {whole, std::nullopt};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return split(operands[dim.getPosition()], build);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return split(operands[numDims + symbol.getPosition()], build);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    if (AffineExpr subtrahend = negated(binary.getRHS()))
      return splitSum(split(binary.getLHS(), numDims, operands, build), split(subtrahend, numDims, operands, build),
                      /*isDifference=*/true, build);
  if (expr.getKind() == AffineExprKind::Add)
    return splitSum(split(binary.getLHS(), numDims, operands, build), split(binary.getRHS(), numDims, operands, build),
                    /*isDifference=*/false, build);
  if (auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS()); factor && expr.getKind() == AffineExprKind::Mul)
    return splitProduct(split(binary.getLHS(), numDims, operands, build), RangedValue::constant(factor.getValue()),
                        build);
  return {std::nullopt, whole};
}

/// Moves the arithmetic behind a value ahead of the loops it does not depend on.
static void hoist(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<arith::ArithDialect>(op->getDialect()) || !isPure(op))
    return;
  for (Value operand : op->getOperands())
    hoist(operand);
  Operation *outermost = nullptr;
  for (Operation *parent = op->getParentOp(); !isa<simt::KernelOp>(parent); parent = parent->getParentOp()) {
    bool isFree = llvm::none_of(
        op->getOperands(), [&](Value operand) { return parent->isAncestor(operand.getParentBlock()->getParentOp()); });
    if (!isFree)
      break;
    if (isa<LoopLikeOpInterface>(parent))
      outermost = parent;
  }
  if (outermost)
    op->moveBefore(outermost);
}

/// The index of a memory access. One that needs 64 bits is written as the part all threads share, computed ahead of the
/// loops, and the part of the thread.
Value WidthChooser::addressOf(Value index, Operation *user) {
  RangedValue plain = get(index);
  rewriter.setInsertionPoint(user);
  IndexBuilder build(rewriter, user->getLoc(), /*isAddress=*/true);
  if (plain.range.fitsIn32Bits() || uniformity.isUniform(index))
    return build.materialize(plain);
  SplitValue parts = split(index, build);
  if (!parts.base || !parts.offset || parts.base->range.isConstant())
    return build.materialize(plain);
  RangedValue base = *parts.base;
  if (!base.range.fitsIn32Bits()) {
    base.value = build.as(base, 64);
    hoist(base.value);
  }
  return build.as(build.add(base, *parts.offset), 64);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool hasIndex(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return type.isIndex(); });
}

LogicalResult WidthChooser::visit(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult WidthChooser::visit(Operation *op) {
  // Some operands have been retyped where they stand: only the kernel as it came tells which were indices.
  bool takesIndex = llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) { return isIndex(operand); });
  if (takesIndex || hasIndex(op->getResultTypes())) {
    rewriter.setInsertionPoint(op);
    LogicalResult handled = llvm::TypeSwitch<Operation *, LogicalResult>(op)
                                .Case([&](simt::ThreadIdOp id) { return retype(id.getResult(), true), success(); })
                                .Case([&](affine::AffineApplyOp apply) { return visitApply(apply), success(); })
                                .Case([&](scf::ForOp loop) { return visitFor(loop), success(); })
                                .Case([&](scf::WhileOp loop) { return visitWhile(loop), success(); })
                                .Case<scf::YieldOp, scf::ConditionOp>([&](auto) { return visitYield(op), success(); })
                                .Case<simt::LoadOp, simt::StoreOp, simt::MoveOp, simt::AtomicOp, simt::PrintOp>(
                                    [&](auto) { return visitOperands(op), success(); })
                                .Case([&](simt::CheckOp) { return visitNumbers(op), success(); })
                                .Case([&](simt::ShuffleOp shuffle) { return visitShuffle(shuffle), success(); })
                                .Case([&](scf::IfOp branch) {
                                  for (Value result : branch.getResults())
                                    if (result.getType().isIndex())
                                      retype(result, ranges.of(result).fitsIn32Bits());
                                  return success();
                                })
                                .Default([&](Operation *other) { return visitArith(other); });
    if (failed(handled))
      return failure();
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(visit(block)))
        return failure();
  return success();
}

void WidthChooser::visitApply(affine::AffineApplyOp op) {
  IndexBuilder build(rewriter, op.getLoc(), isAddress(op.getResult()));
  SmallVector<RangedValue> operands = llvm::map_to_vector(op.getMapOperands(), [&](Value v) { return get(v); });
  AffineMap map = op.getAffineMap();
  replace(op, build.apply(map.getResult(0), map.getNumDims(), operands));
}

LogicalResult WidthChooser::visitArith(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return replace(op->getResult(0), get(op->getResult(0))), success();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return visitCast(op), success();
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return visitCompare(compare), success();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return visitSelect(select), success();
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumOperands() != 2 || op->getNumResults() != 1)
    return op->emitOpError() << "computes with values of type index; affine.apply and the integer operations of arith "
                                "are the ones that have a width to choose";
  IndexBuilder build(rewriter, op->getLoc(), isAddress(op->getResult(0)));
  RangedValue a = get(op->getOperand(0)), b = get(op->getOperand(1));
  bool noSign = a.range.isNonNegative() && b.range.low > 0, positive = b.range.low > 0;
  Value result = op->getResult(0);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](arith::AddIOp) { replace(result, build.add(a, b)); })
      .Case([&](arith::SubIOp) { replace(result, build.subtract(a, b)); })
      .Case([&](arith::MulIOp) { replace(result, build.multiply(a, b)); })
      .Default([&](Operation *) {
        if ((isa<arith::FloorDivSIOp>(op) && positive) || (isa<arith::DivSIOp, arith::DivUIOp>(op) && noSign))
          replace(result, build.floorDivide(a, b));
        else if ((isa<arith::CeilDivSIOp>(op) && positive) || (isa<arith::CeilDivUIOp>(op) && noSign))
          replace(result, build.ceilDivide(a, b));
        else if (isa<arith::RemSIOp, arith::RemUIOp>(op) && noSign)
          replace(result, build.modulo(a, b));
        else
          replace(result, build.rebuild(op, {a, b}, ranges.of(result)));
      });
  return success();
}

/// Between index and a fixed width. An index counts as 64 bits, so narrowing drops the upper ones.
void WidthChooser::visitCast(Operation *op) {
  IndexBuilder build(rewriter, op->getLoc());
  Value source = op->getOperand(0), result = op->getResult(0);
  if (result.getType().isIndex()) {
    unsigned bits = source.getType().getIntOrFloatBitWidth();
    Interval range = ranges.of(result);
    unsigned wanted = range.fitsIn32Bits() ? 32 : 64;
    Value value = source;
    Type type = rewriter.getIntegerType(wanted);
    if (bits < wanted && isa<arith::IndexCastUIOp>(op))
      value = arith::ExtUIOp::create(rewriter, op->getLoc(), type, source);
    else if (bits < wanted)
      value = arith::ExtSIOp::create(rewriter, op->getLoc(), type, source);
    else if (bits > wanted)
      value = arith::TruncIOp::create(rewriter, op->getLoc(), type, source);
    return replace(result, {value, range});
  }
  unsigned bits = result.getType().getIntOrFloatBitWidth();
  Value value = bits < 32
                    ? arith::TruncIOp::create(rewriter, op->getLoc(), result.getType(), build.materialize(get(source)))
                          .getResult()
                    : build.as(get(source), bits);
  substitute(op, value);
}

/// The outcome where ranges alone decide it.
static std::optional<bool> decide(arith::CmpIPredicate predicate, Interval a, Interval b) {
  using enum arith::CmpIPredicate;
  bool below = a.high<b.low, notAbove = a.high <= b.low, above = a.low> b.high, notBelow = a.low >= b.high;
  bool noSign = a.isNonNegative() && b.isNonNegative();
  auto either = [](bool yes, bool no) { return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt; };
  switch (predicate) {
  case eq:
    return either(a.isConstant() && a == b, below || above);
  case ne:
    return either(below || above, a.isConstant() && a == b);
  case ult:
  case slt:
    return noSign || predicate == slt ? either(below, notBelow) : std::nullopt;
  case ule:
  case sle:
    return noSign || predicate == sle ? either(notAbove, above) : std::nullopt;
  case ugt:
  case sgt:
    return noSign || predicate == sgt ? either(above, notAbove) : std::nullopt;
  default:
    return noSign || predicate == sge ? either(notBelow, below) : std::nullopt;
  }
}

void WidthChooser::visitCompare(arith::CmpIOp op) {
  RangedValue a = get(op.getLhs()), b = get(op.getRhs());
  if (std::optional<bool> outcome = decide(op.getPredicate(), a.range, b.range)) {
    substitute(op, arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getBoolAttr(*outcome)));
    return;
  }
  IndexBuilder build(rewriter, op.getLoc());
  unsigned bits = a.range.fitsIn32Bits() && b.range.fitsIn32Bits() ? 32 : 64;
  substitute(op, arith::CmpIOp::create(rewriter, op.getLoc(), op.getPredicate(), build.as(a, bits), build.as(b, bits)));
}

void WidthChooser::visitSelect(arith::SelectOp op) {
  IndexBuilder build(rewriter, op.getLoc());
  Interval range = ranges.of(op.getResult());
  unsigned bits = range.fitsIn32Bits() ? 32 : 64;
  Value yes = build.as(get(op.getTrueValue()), bits), no = build.as(get(op.getFalseValue()), bits);
  replace(op.getResult(), {arith::SelectOp::create(rewriter, op.getLoc(), op.getCondition(), yes, no), range});
}

/// The step past the last trip has to fit too: the loop of C computes it.
void WidthChooser::visitFor(scf::ForOp op) {
  for (unsigned i = 0; i < op.getNumResults(); ++i)
    if (op.getResult(i).getType().isIndex()) {
      bool narrow = join(ranges.of(op.getRegionIterArg(i)), ranges.of(op.getInitArgs()[i])).fitsIn32Bits();
      retype(op.getRegionIterArg(i), narrow);
      retype(op.getResult(i), narrow);
      convertTo(op.getInitArgsMutable()[i], op.getResult(i).getType());
    }
  Value iv = op.getInductionVar();
  if (!iv.getType().isIndex())
    return;
  Interval low = get(op.getLowerBound()).range, high = get(op.getUpperBound()).range, step = get(op.getStep()).range;
  Interval past = add(ranges.of(iv), step);
  bool narrow = past.fitsIn32Bits() && low.fitsIn32Bits() && high.fitsIn32Bits() && step.fitsIn32Bits() &&
                (!op.getUnsignedCmp() || (low.isNonNegative() && high.isNonNegative()));
  retype(iv, narrow);
  for (OpOperand *bound : {&op.getLowerBoundMutable(), &op.getUpperBoundMutable(), &op.getStepMutable()})
    convertTo(*bound, iv.getType());
}

void WidthChooser::visitWhile(scf::WhileOp op) {
  for (auto [i, argument] : llvm::enumerate(op.getBeforeArguments()))
    if (argument.getType().isIndex()) {
      retype(argument, ranges.of(argument).fitsIn32Bits());
      convertTo(op.getInitsMutable()[i], argument.getType());
    }
  for (auto [argument, result] : llvm::zip_equal(op.getAfterArguments(), op.getResults()))
    if (argument.getType().isIndex()) {
      bool narrow = ranges.of(argument).fitsIn32Bits();
      retype(argument, narrow);
      retype(result, narrow);
    }
}

/// What a region hands on takes the width that its receiver was given.
void WidthChooser::visitYield(Operation *op) {
  Operation *parent = op->getParentOp();
  SmallVector<Type> types(parent->getResultTypes());
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && isa<scf::YieldOp>(op))
    types.assign(loop.getBeforeBody()->getArgumentTypes().begin(), loop.getBeforeBody()->getArgumentTypes().end());
  unsigned first = isa<scf::ConditionOp>(op) ? 1 : 0;
  for (OpOperand &operand : op->getOpOperands().drop_front(first))
    if (isIndex(operand))
      convertTo(operand, types[operand.getOperandNumber() - first]);
}

void WidthChooser::visitOperands(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (isIndex(operand))
      operand.set(addressOf(operand.get(), op));
}

/// Numbers that are shown rather than used: their width does not matter.
void WidthChooser::visitNumbers(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (isIndex(operand))
      convertTo(operand, rewriter.getI64Type());
}

/// Lanes are few: the lower bits of a lane number say all.
void WidthChooser::visitShuffle(simt::ShuffleOp op) {
  OpOperand &value = op.getValueMutable(), &lane = op.getLaneMutable();
  if (isIndex(lane))
    convertTo(lane, rewriter.getI32Type());
  if (!op.getResult().getType().isIndex())
    return;
  convertTo(value, rewriter.getIntegerType(get(value.get()).range.fitsIn32Bits() ? 32 : 64));
  op.getResult().setType(value.get().getType());
  chosen[op.getResult()] = {op.getResult(), ranges.of(op.getResult())};
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Conditions that became constants: their branch takes the place of the `scf.if`.
static void foldBranches(simt::KernelOp kernel, IRRewriter &rewriter) {
  kernel.walk([&](arith::AndIOp op) {
    for (auto [a, b] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
      if (op.getType().isInteger(1) && matchPattern(a, m_One()))
        return rewriter.replaceOp(op, b);
  });
  kernel.walk([&](scf::IfOp op) {
    APInt condition;
    if (!matchPattern(op.getCondition(), m_ConstantInt(&condition)))
      return;
    Block *taken = condition.isZero() ? op.elseBlock() : op.thenBlock();
    if (!taken)
      return rewriter.eraseOp(op);
    Operation *yield = taken->getTerminator();
    SmallVector<Value> values(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(taken, op);
    rewriter.replaceOp(op, values);
  });
}

static void eraseDead(simt::KernelOp kernel, IRRewriter &rewriter) {
  kernel.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa<arith::ArithDialect>(op->getDialect()) && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  });
}

namespace {
/// Operations are equal if they compute the same from the same values.
struct SameOperation : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(const_cast<Operation *>(op), OperationEquivalence::directHashValue,
                                             OperationEquivalence::ignoreHashValue,
                                             OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    if (a == b)
      return true;
    if (a == getTombstoneKey() || a == getEmptyKey() || b == getTombstoneKey() || b == getEmptyKey())
      return false;
    return OperationEquivalence::isEquivalentTo(const_cast<Operation *>(a), const_cast<Operation *>(b),
                                                OperationEquivalence::IgnoreLocations);
  }
};
using KnownScopes = llvm::ScopedHashTable<Operation *, Operation *, SameOperation>;
} // namespace

/// Computes equal integers once. MLIR's own elimination would drop unused loads as well, which are not ours.
static void shareEqual(Block &block, KnownScopes &known) {
  KnownScopes::ScopeTy scope(known);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        shareEqual(inner, known);
    if (!isa<arith::ArithDialect>(op.getDialect()) || !op.getResult(0).getType().isInteger())
      continue;
    if (Operation *earlier = known.lookup(&op)) {
      op.replaceAllUsesWith(earlier);
      op.erase();
    } else {
      known.insert(&op, &op);
    }
  }
}

bool WidthChooser::isProven(Value condition) const {
  if (matchPattern(condition, m_One()))
    return true;
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp>(op))
    return isProven(op->getOperand(0)) && isProven(op->getOperand(1));
  if (isa_and_nonnull<arith::OrIOp>(op))
    return isProven(op->getOperand(0)) || isProven(op->getOperand(1));
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  return compare && decide(compare.getPredicate(), ranges.of(compare.getLhs()), ranges.of(compare.getRhs())) == true;
}

/// Checks of what ranges prove.
void WidthChooser::dropProvenChecks() {
  kernel.walk([&](simt::CheckOp check) {
    if (isProven(check.getCondition()))
      rewriter.eraseOp(check);
  });
}

LogicalResult WidthChooser::run() {
  kernel.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType().isIndex())
        indexOperands.insert(&operand);
  });
  for (Value argument : kernel.getParameterValues())
    if (argument.getType().isIndex())
      retype(argument, false);
  for (Value id : kernel.getBlockIds())
    if (id.getType().isIndex())
      retype(id, ranges.of(id).fitsIn32Bits());
  if (failed(visit(kernel.getBody().front())))
    return failure();
  dropProvenChecks();
  for (Operation *op : llvm::reverse(replaced))
    rewriter.eraseOp(op);
  foldBranches(kernel, rewriter);
  eraseDead(kernel, rewriter);
  KnownScopes known;
  shareEqual(kernel.getBody().front(), known);
  return success();
}

namespace {
struct ChooseIndexWidthPass : impl::ChooseIndexWidthBase<ChooseIndexWidthPass> {
  using ChooseIndexWidthBase::ChooseIndexWidthBase;

  void runOnOperation() override {
    if (failed(WidthChooser(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
} // namespace tile
