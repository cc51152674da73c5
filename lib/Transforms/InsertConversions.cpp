// InsertConversions.cpp - fetches what a thread needs and does not hold: by moves, by shuffles, through shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportLayouts.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/ConversionPlan.h"
#include "tile/Analysis/ScanTotal.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_INSERTCONVERSIONS
#include "tile/Transforms/Passes.h.inc"

static bool isFragment(Value buffer) {
  return spaceOf(cast<MemRefType>(buffer.getType())) == Space::Fragment;
}

static DistributedAttr layoutAttrOf(Value fragment) {
  return fragment.getDefiningOp()->getAttrOfType<DistributedAttr>("layout");
}

static MemRefType inSpace(MemRefType type, Attribute space) {
  return MemRefType::get(type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(), space);
}

static CopyOp createCopy(OpBuilder &builder, Location loc, Value from, Value to, DistributedAttr layout) {
  auto copy = CopyOp::create(builder, loc, from, ValueRange(), AffineMapAttr(), to, ValueRange(), AffineMapAttr(),
                             UnitAttr(), TypedAttr(), layout);
  // The box of a copy has no leading units.
  copy->setAttr("layout", layoutAttr(builder.getContext(), fitLayout(layoutOf(layout), pointExtents(copy))));
  return copy;
}

/// Takes the copy out of what becomes loops. \param note  what the generated text says of it.
static void markConversion(CopyOp copy, const std::string &note) {
  copy->setAttr(kConversion, UnitAttr::get(copy.getContext()));
  copy->setAttr("note", StringAttr::get(copy.getContext(), note));
}

/// The part of the block's clocks that the conversion takes. \param isCounted  it is in the kernel's sum already.
static double clocksOfConversion(const SolutionCost &kernel, Operation *op, const ConversionPlan &plan,
                                 bool isCounted) {
  Pools other = kernel.total.pools;
  other += plan.pools * (tripsOf(op) * (isCounted ? -1 : 1));
  return std::abs(blockTime(other, kernel.shape).clocks - kernel.time.clocks);
}

/// The first other op that finds the fragment where it is held; the two disagree. Null if there is none.
static Operation *findOpponent(KernelOp kernel, Operation *op, Value root) {
  Operation *found = nullptr;
  Layout held = layoutOf(layoutAttrOf(root));
  kernel.walk<WalkOrder::PreOrder>([&](Operation *other) {
    if (other == op)
      return WalkResult::advance();
    bool agrees = isa<ReduceOp, ArgReduceOp, ScanOp>(other) && llvm::is_contained(other->getOperands(), root);
    auto layout = other->getAttrOfType<DistributedAttr>("layout");
    if (layout && isa<ParallelOp, CopyOp, FillOp>(other) && !other->hasAttr(kConversion)) {
      SmallVector<TileAccess> accesses = accessesOf(other);
      agrees = llvm::any_of(accesses, [&](const TileAccess &access) { return rootOf(access.buffer) == root; }) &&
               isLocal(layoutOf(layout), accesses, root, held);
    }
    if (agrees)
      found = other;
    return agrees ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static void reportConversion(KernelOp kernel, Operation *op, Value root, const ConversionPlan &plan,
                             std::optional<double> clocks) {
  Location loc = op->getLoc();
  auto lineOfHolder = [&](Value fragment) {
    Operation *opponent = findOpponent(kernel, op, fragment);
    return lineOf(opponent ? opponent->getLoc() : fragment.getLoc());
  };
  int64_t here = lineOf(loc), there = lineOfHolder(root);
  // Where a reduction leaves its result otherwise than the target is held, both stand in its line.
  for (const TileAccess &access : accessesOf(op))
    if (Value other = rootOf(access.buffer); there == here && other != root && isFragment(other))
      there = lineOfHolder(other);
  remark::detail::InFlightRemark remark =
      remark::passed(loc, remark::RemarkOpts::name("conversion").category("conversion").function(kernel.getSymName()));
  remark << remark::metric("buffer", nameOf(root)) << remark::metric("kind", StringRef(name(plan.kind)))
         << remark::metric("instructions", StringRef(describe(plan.counts)))
         << remark::metric("between", std::min(here, there)) << remark::metric("between", std::max(here, there));
  if (clocks)
    remark << remark::metric("cost", StringRef(clocksText(*clocks)));
}

/// The reduction does nothing of its own. \param buffer  its target.
static void reportTotal(KernelOp kernel, ReduceOp reduce, Value buffer, ScanOp scan) {
  remark::passed(reduce.getLoc(), remark::RemarkOpts::name("total").category("total").function(kernel.getSymName()))
      << remark::metric("buffer", nameOf(rootOf(buffer))) << remark::metric("scan", lineOf(scan.getLoc()));
}

namespace {
/// Rewrites one kernel. A conversion is a copy to a second fragment, marked as such, or plain copies through a shared
/// tile.
class Conversions {
public:
  explicit Conversions(KernelOp kernel) : kernel(kernel), builder(kernel.getContext()) {}
  void run();

private:
  void convertLoop(Operation *op);
  void convertCopy(CopyOp copy);
  void convertReduce(ReduceOp reduce);
  void convertArgReduce(ArgReduceOp reduce);
  void convertScan(ScanOp scan);
  Layout convertSource(Operation *op, OpOperand &source, Value follow);
  void convertTarget(Operation *op, OpOperand &target, const Layout &wanted, bool isRead);
  void convertUse(Operation *op, OpOperand &buffer);
  void report(Operation *op, Value root, const ConversionPlan &plan);
  Value createStage(Operation *op, Value root, const ConversionPlan &plan);
  void createTransfer(Operation *op, Value from, Value to, Value fragment);
  bool convertDirectly(Operation *op);
  void defineStaged(Value root);
  Value viewOf(Value view, Value root, Value replacement);

  KernelOp kernel;
  OpBuilder builder;
  std::optional<SolutionCost> cost;    ///< of the kernel, if somebody wants to know
  llvm::DenseSet<Operation *> counted; ///< ops whose conversions are part of that
  llvm::SetVector<Value> staged;       ///< fragments that a conversion reads as a whole
};
} // namespace

void Conversions::report(Operation *op, Value root, const ConversionPlan &plan) {
  if (!kernel->getContext()->getRemarkEngine())
    return;
  std::optional<double> clocks;
  if (cost)
    clocks = clocksOfConversion(*cost, op, plan, counted.contains(op));
  reportConversion(kernel, op, root, plan, clocks);
}

/// A tile for the op to use in place of the fragment: shared, or a fragment that it finds in its own threads.
Value Conversions::createStage(Operation *op, Value root, const ConversionPlan &plan) {
  auto type = cast<MemRefType>(root.getType());
  if (plan.needed)
    return AllocFragmentOp::create(builder, root.getLoc(), type, layoutAttr(builder.getContext(), *plan.needed),
                                   IntegerAttr());
  return AllocSharedOp::create(builder, op->getLoc(), inSpace(type, SharedAttr::get(builder.getContext())), Attribute(),
                               IntegerAttr());
}

/// Copies a fragment to or from what `createStage` made.
void Conversions::createTransfer(Operation *op, Value from, Value to, Value fragment) {
  bool isDirect = isFragment(from) && isFragment(to);
  CopyOp copy = createCopy(builder, op->getLoc(), from, to, layoutAttrOf(isDirect ? to : fragment));
  if (isDirect)
    markConversion(copy, ("convert " + nameOf(fragment, "a tile")).str());
}

/// The same chain of views, from another root.
Value Conversions::viewOf(Value view, Value root, Value replacement) {
  if (view == root)
    return replacement;
  Operation *op = view.getDefiningOp();
  Value source = viewOf(op->getOperand(0), root, replacement);
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  Operation *clone = builder.clone(*op, mapping);
  Attribute space = cast<MemRefType>(replacement.getType()).getMemorySpace();
  clone->getResult(0).setType(inSpace(cast<MemRefType>(view.getType()), space));
  return clone->getResult(0);
}

/// A copy between two fragments needs no tile in between where moves or shuffles do.
bool Conversions::convertDirectly(Operation *op) {
  if (!copiesWholeFragment(op))
    return false;
  auto copy = cast<CopyOp>(op);
  ConversionPlan plan =
      planCopy(op, layoutOf(layoutAttrOf(copy.getSource())), layoutOf(layoutAttrOf(copy.getTarget())));
  if (plan.kind == ConversionKind::Shared)
    return false;
  if (plan.kind != ConversionKind::Same)
    report(op, copy.getSource(), plan);
  markConversion(copy, describe(op));
  staged.insert(copy.getSource());
  return true;
}

void Conversions::convertLoop(Operation *op) {
  auto layout = op->getAttrOfType<DistributedAttr>("layout");
  if (!layout)
    return; // a copy between private arrays has none
  SmallVector<TileAccess> accesses = accessesOf(op);
  bool isStatic = !llvm::any_of(pointExtents(op), ShapedType::isDynamic);
  Layout loop = layoutOf(layout);
  llvm::SetVector<Value> strangers; // fragments that some access finds in another thread
  for (const TileAccess &access : accesses)
    if (Value root = rootOf(access.buffer); isFragment(root) && !strangers.contains(root))
      if (!isStatic || !isLocal(loop, accesses, root, layoutOf(layoutAttrOf(root))))
        strangers.insert(root);
  if (!strangers.empty() && convertDirectly(op))
    return;
  for (Value root : strangers) {
    ConversionPlan plan = planConversion(op, loop, accesses, root, layoutOf(layoutAttrOf(root)));
    report(op, root, plan);
    builder.setInsertionPoint(op);
    Value stage = createStage(op, root, plan);
    if (plan.isFilled) {
      createTransfer(op, root, stage, root);
      staged.insert(root);
    }
    for (const TileAccess &access : accesses)
      if (rootOf(access.buffer) == root)
        access.op->replaceUsesOfWith(access.buffer, viewOf(access.buffer, root, stage));
    builder.setInsertionPointAfter(op);
    if (plan.isWritten)
      createTransfer(op, stage, root, root);
  }
}

/// A copy to or from what works along one dimension; the solver has counted those of whole fragments.
void Conversions::convertCopy(CopyOp copy) {
  if (copiesWholeFragment(copy))
    counted.insert(copy);
  convertLoop(copy);
}

/// What works along one dimension needs its source in a whole fragment: another source is read into one first, which is
/// laid out as the program pins the op, else as the fragment `follow`, if that is one, else by default.
/// \returns the layout of the op.
Layout Conversions::convertSource(Operation *op, OpOperand &source, Value follow) {
  auto isWhole = [](Value buffer) { return buffer && isa_and_nonnull<AllocFragmentOp>(buffer.getDefiningOp()); };
  auto attr = op->getAttrOfType<DistributedAttr>("layout");
  bool fits = isWhole(source.get()) && (!attr || layoutOf(attr) == layoutOf(layoutAttrOf(source.get())));
  if (!fits) {
    builder.setInsertionPoint(op);
    MemRefType type = inSpace(cast<MemRefType>(source.get().getType()), FragmentAttr::get(builder.getContext()));
    if (!attr && isWhole(follow))
      attr = layoutAttrOf(follow);
    if (!attr)
      attr = layoutAttr(builder.getContext(), *defaultTileLayout(type, kernel.getThreads()));
    Location loc = isWhole(source.get()) ? source.get().getLoc() : op->getLoc();
    Value fragment = AllocFragmentOp::create(builder, loc, type, attr, IntegerAttr());
    convertCopy(createCopy(builder, op->getLoc(), source.get(), fragment, attr));
    source.set(fragment);
  }
  DistributedAttr layout = layoutAttrOf(source.get());
  op->setAttr("layout", layout);
  return layoutOf(layout);
}

/// Lets the op leave its result in a fragment of the layout that follows from its source, and copies it on to a target
/// that is none.
void Conversions::convertTarget(Operation *op, OpOperand &operand, const Layout &wanted, bool isRead) {
  Value target = operand.get();
  if (isa_and_nonnull<AllocFragmentOp>(target.getDefiningOp()) && layoutOf(layoutAttrOf(target)) == wanted)
    return;
  Location loc = op->getLoc();
  DistributedAttr attr = layoutAttr(builder.getContext(), wanted);
  MemRefType type = inSpace(cast<MemRefType>(target.getType()), FragmentAttr::get(builder.getContext()));
  builder.setInsertionPoint(op);
  Value root = rootOf(target);
  Value result = AllocFragmentOp::create(builder, isFragment(root) ? root.getLoc() : loc, type, attr, IntegerAttr());
  if (isRead)
    convertCopy(createCopy(builder, loc, target, result, attr));
  operand.set(result);
  builder.setInsertionPointAfter(op);
  DistributedAttr back = isFragment(root) && root == target ? layoutAttrOf(root) : attr;
  convertCopy(createCopy(builder, loc, result, target, back));
}

void Conversions::convertReduce(ReduceOp reduce) {
  Layout layout = convertSource(reduce, reduce.getSourceMutable(), Value());
  if (ScanOp scan = scanOfTotal(reduce))
    reportTotal(kernel, reduce, reduce.getTarget(), scan);
  convertTarget(reduce, reduce.getTargetMutable(), reducedLayout(layout, reduce.getDim()), reduce.getAccumulate());
}

void Conversions::convertArgReduce(ArgReduceOp reduce) {
  Layout layout = convertSource(reduce, reduce.getSourceMutable(), Value());
  Layout wanted = reducedLayout(layout, reduce.getDim());
  // What is inserted last comes first: values before indices.
  convertTarget(reduce, reduce.getIndexMutable(), wanted, /*isRead=*/false);
  convertTarget(reduce, reduce.getValueMutable(), wanted, /*isRead=*/false);
}

void Conversions::convertScan(ScanOp scan) {
  Layout layout = convertSource(scan, scan.getSourceMutable(), scan.getTarget());
  convertTarget(scan, scan.getTargetMutable(), layout, /*isRead=*/false);
}

/// A fragment that an op outside the loops reads is read from a shared copy.
void Conversions::convertUse(Operation *op, OpOperand &buffer) {
  Value root = rootOf(buffer.get());
  builder.setInsertionPoint(op);
  ConversionPlan plan;
  Layout held = layoutOf(layoutAttrOf(root));
  int64_t bytes = elementBytes(cast<MemRefType>(root.getType()).getElementType());
  ConversionChoice choice = convertThroughShared(held, held, bytes);
  plan.counts = choice.counts;
  plan.pools = choice.pools;
  report(op, root, plan);
  Value shared = createStage(op, root, plan);
  createTransfer(op, root, shared, root);
  staged.insert(root);
  buffer.set(viewOf(buffer.get(), root, shared));
}

/// Adds the users of a buffer and of its views, each as the op of the block that holds it.
static void collectUsers(Value buffer, Block *block, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : buffer.getUsers()) {
    if (isa<ReshapeOp, ViewOp, SliceOp>(user))
      collectUsers(user->getResult(0), block, users);
    else
      users.push_back(block->findAncestorOpInBlock(*user));
  }
}

/// A conversion moves whole tiles. Where the program writes only parts of a fragment, the rest is set to zero first, so
/// that nothing undefined is moved.
void Conversions::defineStaged(Value root) {
  Operation *alloc = root.getDefiningOp();
  SmallVector<Operation *> users;
  collectUsers(root, alloc->getBlock(), users);
  Operation *first = *llvm::min_element(users, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (isa<ParallelOp, CopyOp, FillOp>(first) && overwrites(first, accessesOf(first), root))
    return;
  if (auto reduce = dyn_cast<ReduceOp>(first); reduce && reduce.getTarget() == root && !reduce.getAccumulate())
    return;
  if (auto reduce = dyn_cast<ArgReduceOp>(first); reduce && (reduce.getValue() == root || reduce.getIndex() == root))
    return;
  if (auto scan = dyn_cast<ScanOp>(first); scan && scan.getTarget() == root && scan.getSource() != root)
    return;
  builder.setInsertionPointAfter(alloc);
  TypedAttr zero = builder.getZeroAttr(cast<MemRefType>(root.getType()).getElementType());
  auto fill = FillOp::create(builder, root.getLoc(), root, Value(), zero, layoutAttrOf(root));
  fill->setAttr("layout",
                layoutAttr(builder.getContext(), fitLayout(layoutOf(layoutAttrOf(root)), pointExtents(fill))));
}

void Conversions::run() {
  if (kernel->getContext()->getRemarkEngine())
    cost = LayoutSolver(kernel).costOf(LayoutInference(kernel));
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    ops.push_back(op);
    if (isa<ParallelOp, CopyOp, FillOp>(op))
      counted.insert(op);
  });
  for (Operation *op : ops) {
    if (isa<ParallelOp, CopyOp, FillOp>(op))
      convertLoop(op);
    else if (auto reduce = dyn_cast<ReduceOp>(op))
      convertReduce(reduce);
    else if (auto arg = dyn_cast<ArgReduceOp>(op))
      convertArgReduce(arg);
    else if (auto scan = dyn_cast<ScanOp>(op))
      convertScan(scan);
    else if (isa<LoadOp, PrintOp>(op) && !op->getParentOfType<ParallelOp>())
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MemRefType>(operand.get().getType()) && isFragment(operand.get()))
          convertUse(op, operand);
  }
  llvm::for_each(staged, [&](Value root) { defineStaged(root); });
}

namespace {
struct InsertConversionsPass : impl::InsertConversionsBase<InsertConversionsPass> {
  using InsertConversionsBase::InsertConversionsBase;
  void runOnOperation() override { Conversions(getOperation()).run(); }
};
} // namespace
} // namespace tile
