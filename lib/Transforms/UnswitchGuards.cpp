// UnswitchGuards.cpp - see UnswitchGuards.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/Uniformity.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_UNSWITCHGUARDS
#include "tile/Transforms/Passes.h.inc"

/// Whether an expression grows (1) or falls (-1) with a dimension or symbol, 0 without it; none where that is not
/// known.
static std::optional<int> trendOf(AffineExpr expr, AffineExpr variable) {
  if (expr == variable)
    return 1;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 0;
  std::optional<int> left = trendOf(binary.getLHS(), variable), right = trendOf(binary.getRHS(), variable);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left * *right < 0 ? std::nullopt : std::optional(*left ? *left : *right);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (*left == 0 && *right == 0)
    return 0;
  if (!constant || expr.getKind() == AffineExprKind::Mod)
    return std::nullopt;
  return constant.getValue() < 0 ? -*left : constant.getValue() == 0 ? 0 : *left;
}

static bool isWithin(scf::ForOp loop, Value value) {
  return loop->isAncestor(value.getParentRegion()->getParentOp());
}

namespace {
/// Bounds of index values over all trips of a loop, of the loops within, and over all threads; made in front of the
/// loop.
class TripBounds {
public:
  TripBounds(scf::ForOp loop, const Uniformity &uniformity, OpBuilder &builder)
      : loop(loop), uniformity(uniformity), builder(builder) {}

  /// What a value never exceeds (`up`) or goes below; null if nothing is known. Index values do not overflow.
  Value bound(Value value, bool up) {
    if (!isWithin(loop, value) && uniformity.isUniform(value))
      return value;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return boundOfTrip(argument, up);
    Operation *op = value.getDefiningOp();
    if (isa<simt::ThreadIdOp>(op)) {
      int64_t threads = op->getParentOfType<simt::KernelOp>().getThreads();
      return arith::ConstantIndexOp::create(builder, op->getLoc(), up ? threads - 1 : 0);
    }
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return boundOfMap(apply, up);
    if (!isa<arith::AddIOp, arith::SubIOp>(op))
      return {};
    bool adds = isa<arith::AddIOp>(op);
    Value left = bound(op->getOperand(0), up), right = bound(op->getOperand(1), adds ? up : !up);
    if (!left || !right)
      return {};
    return adds ? builder.createOrFold<arith::AddIOp>(op->getLoc(), left, right)
                : builder.createOrFold<arith::SubIOp>(op->getLoc(), left, right);
  }

private:
  Value boundOfTrip(BlockArgument argument, bool up) {
    auto owner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!owner || argument != owner.getInductionVar() || !isWithin(loop, argument))
      return {};
    if (!up)
      return bound(owner.getLowerBound(), false);
    std::optional<int64_t> first = getConstantIntValue(owner.getLowerBound());
    std::optional<int64_t> end = getConstantIntValue(owner.getUpperBound());
    std::optional<int64_t> step = getConstantIntValue(owner.getStep());
    if (first && end && step && *end > *first)
      return arith::ConstantIndexOp::create(builder, owner.getLoc(), *first + (*end - 1 - *first) / *step * *step);
    Value most = bound(owner.getUpperBound(), true);
    if (!most)
      return {};
    return affine::makeComposedAffineApply(builder, owner.getLoc(), builder.getAffineSymbolExpr(0) - 1, {most});
  }

  Value boundOfMap(affine::AffineApplyOp apply, bool up) {
    AffineMap map = apply.getAffineMap();
    SmallVector<OpFoldResult> operands;
    for (auto [number, operand] : llvm::enumerate(apply.getMapOperands())) {
      unsigned dims = map.getNumDims();
      AffineExpr variable =
          number < dims ? builder.getAffineDimExpr(number) : builder.getAffineSymbolExpr(number - dims);
      std::optional<int> trend = trendOf(map.getResult(0), variable);
      bool isFixed = !isWithin(loop, operand) && uniformity.isUniform(operand);
      Value edge = isFixed ? operand : trend ? bound(operand, (*trend >= 0) == up) : Value();
      if (!edge)
        return {};
      operands.push_back(edge);
    }
    OpFoldResult result = affine::makeComposedFoldedAffineApply(builder, apply.getLoc(), map, operands);
    return getValueOrCreateConstantIndexOp(builder, apply.getLoc(), result);
  }

  scf::ForOp loop;
  const Uniformity &uniformity;
  OpBuilder &builder;
};
} // namespace

/// Whether threads meet in it: some of them may not take another way.
static bool meets(scf::ForOp loop) {
  return loop
      .walk([](Operation *op) {
        return isa<simt::BarrierOp, simt::ShuffleOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool touchesTensor(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    return isa<simt::MoveOp, simt::LoadOp, simt::StoreOp>(op) && llvm::any_of(op.getOperands(), [](Value operand) {
             return isa<MemRefType>(operand.getType()) && spaceOf(cast<MemRefType>(operand.getType())) == Space::Global;
           });
  });
}

static void collectTerms(Value condition, SmallVectorImpl<Value> &terms) {
  auto both = condition.getDefiningOp<arith::AndIOp>();
  if (!both)
    return terms.push_back(condition);
  collectTerms(both.getLhs(), terms);
  collectTerms(both.getRhs(), terms);
}

/// In front of the loop: whether a term of a guard holds in all its trips; null if that is not known to be one
/// question.
static Value holdsThroughout(Value term, TripBounds &bounds, OpBuilder &builder) {
  auto compare = term.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return {};
  using enum arith::CmpIPredicate;
  arith::CmpIPredicate predicate = compare.getPredicate();
  bool isLess = predicate == slt || predicate == sle;
  if (!isLess && predicate != sgt && predicate != sge)
    return {};
  Value left = bounds.bound(compare.getLhs(), isLess), right = bounds.bound(compare.getRhs(), !isLess);
  if (!left || !right)
    return {};
  return builder.createOrFold<arith::CmpIOp>(compare.getLoc(), predicate, left, right);
}

/// Equal comparisons of equal values.
static bool isSame(Value a, Value b) {
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (a == b || !left || !right)
    return a == b;
  return OperationEquivalence::isEquivalentTo(
      left, right, [](Value x, Value y) { return success(x == y || isSame(x, y)); },
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

/// The guards of a loop that are one question in front of it, and that question.
static std::pair<SmallVector<scf::IfOp>, Value> guardsOf(scf::ForOp loop, const Uniformity &uniformity,
                                                         OpBuilder &builder) {
  TripBounds bounds(loop, uniformity, builder);
  llvm::MapVector<Value, Value> known;
  SmallVector<scf::IfOp> guards;
  SmallVector<Value> questions;
  loop.walk([&](scf::IfOp guard) {
    if (guard.getNumResults() != 0 || !touchesTensor(*guard.thenBlock()))
      return;
    SmallVector<Value> terms;
    collectTerms(guard.getCondition(), terms);
    SmallVector<Value> found;
    for (Value term : terms) {
      auto [entry, isNew] = known.try_emplace(term, Value());
      if (isNew)
        entry->second = isWithin(loop, term) ? holdsThroughout(term, bounds, builder) : term;
      // What never holds in all trips is no reason for a version.
      if (!entry->second || getConstantIntValue(entry->second) == 0)
        return;
      found.push_back(entry->second);
    }
    guards.push_back(guard);
    for (Value question : found)
      if (!getConstantIntValue(question) &&
          llvm::none_of(questions, [&](Value other) { return isSame(question, other); }))
        questions.push_back(question);
  });
  Value all = questions.empty() && !guards.empty()
                  ? arith::ConstantIntOp::create(builder, loop.getLoc(), 1, 1).getResult()
                  : Value();
  for (Value question : questions)
    all = all ? arith::AndIOp::create(builder, loop.getLoc(), all, question) : question;
  return {guards, all};
}

static void dropGuard(scf::IfOp guard) {
  Block *taken = guard.thenBlock();
  taken->getTerminator()->erase();
  guard->getBlock()->getOperations().splice(guard->getIterator(), taken->getOperations());
  guard.erase();
}

static bool unswitch(scf::ForOp loop, const Uniformity &uniformity) {
  if (loop.getNumResults() != 0 || loop->hasAttr(simt::kUnroll) || meets(loop))
    return false;
  OpBuilder builder(loop);
  Operation *before = loop->getPrevNode();
  auto [guards, all] = guardsOf(loop, uniformity, builder);
  if (llvm::none_of(guards, [&](scf::IfOp guard) { return isWithin(loop, guard.getCondition()); })) {
    // Nothing is left of the bounds that were made.
    while (loop->getPrevNode() != before)
      loop->getPrevNode()->erase();
    return false;
  }
  auto versions = scf::IfOp::create(builder, loop.getLoc(), all, /*withElseRegion=*/true);
  IRMapping mapping;
  builder.setInsertionPointToStart(versions.thenBlock());
  SmallVector<scf::IfOp> dropped;
  builder.clone(*loop, mapping);
  for (scf::IfOp guard : guards)
    dropped.push_back(cast<scf::IfOp>(mapping.lookup(guard.getOperation())));
  for (scf::IfOp guard : dropped)
    dropGuard(guard);
  loop->moveBefore(versions.elseBlock()->getTerminator());
  return true;
}

namespace {
struct UnswitchGuardsPass : impl::UnswitchGuardsBase<UnswitchGuardsPass> {
  using UnswitchGuardsBase::UnswitchGuardsBase;

  void runOnOperation() override {
    Uniformity uniformity(getOperation());
    getOperation().walk<WalkOrder::PreOrder>(
        [&](scf::ForOp loop) { return unswitch(loop, uniformity) ? WalkResult::skip() : WalkResult::advance(); });
  }
};
} // namespace
} // namespace tile
