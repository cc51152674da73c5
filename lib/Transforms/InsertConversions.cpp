// InsertConversions.cpp - fetches through shared memory what a thread needs and does not hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReportLayouts.h"
#include "tile/Layout/DefaultLayout.h"
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

static int64_t lineOf(Location loc) {
  FileLineColLoc place = loc->findInstanceOf<FileLineColLoc>();
  return place ? place.getLine() : 0;
}

/// The part of the block's clocks that the conversion takes.
static double clocksOfConversion(const SolutionCost &kernel, Operation *op, Value root) {
  Pools part = conversionCost(cast<MemRefType>(root.getType()), kernel.shape.threads).pools * tripsOf(op);
  // Conversions for loops are in the sum already.
  bool isCounted = isa<ParallelOp, CopyOp, FillOp>(op);
  Pools other = kernel.total.pools;
  other += part * (isCounted ? -1 : 1);
  return std::abs(blockTime(other, kernel.shape).clocks - kernel.time.clocks);
}

static void reportConversion(KernelOp kernel, Operation *op, Value root, const std::optional<SolutionCost> &cost) {
  Location loc = op->getLoc();
  remark::detail::InFlightRemark remark =
      remark::passed(loc, remark::RemarkOpts::name("conversion").category("conversion").function(kernel.getSymName()));
  remark << remark::metric("buffer", nameOf(root)) << remark::metric("kind", StringRef("through shared memory"))
         << remark::metric("between", lineOf(root.getLoc())) << remark::metric("between", lineOf(loc));
  if (cost)
    remark << remark::metric("cost", StringRef(clocksText(clocksOfConversion(*cost, op, root))));
}

namespace {
/// Rewrites one kernel; the conversions it inserts are plain copies through shared tiles.
class Conversions {
public:
  explicit Conversions(KernelOp kernel) : kernel(kernel), builder(kernel.getContext()) {}
  void run();

private:
  void convertLoop(Operation *op);
  void convertReduce(ReduceOp reduce);
  void convertArgReduce(ArgReduceOp reduce);
  void convertScan(ScanOp scan);
  Layout convertSource(Operation *op, OpOperand &source, Value follow);
  void convertTarget(Operation *op, OpOperand &target, const Layout &wanted, bool isRead);
  void convertUse(Operation *op, OpOperand &buffer);
  Value stage(Operation *op, Value root);
  void defineStaged(Value root);
  Value viewOf(Value view, Value root, Value replacement);

  KernelOp kernel;
  OpBuilder builder;
  std::optional<SolutionCost> cost; ///< of the kernel, if somebody wants to know
  llvm::SetVector<Value> staged;    ///< fragments that a conversion reads as a whole
};
} // namespace

/// A shared tile to pass a fragment through.
Value Conversions::stage(Operation *op, Value root) {
  auto type = cast<MemRefType>(root.getType());
  reportConversion(kernel, op, root, cost);
  Value shared = AllocSharedOp::create(builder, op->getLoc(), inSpace(type, SharedAttr::get(builder.getContext())),
                                       Attribute(), IntegerAttr());
  return shared;
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

/// Is every element of the root written by the op, whatever happens, and none read?
static bool overwrites(Operation *op, ArrayRef<TileAccess> accesses, Value root) {
  int64_t points = 1;
  for (int64_t extent : pointExtents(op))
    points = ShapedType::isDynamic(extent) ? 0 : points * extent;
  bool writesAll = false;
  for (const TileAccess &access : accesses) {
    if (rootOf(access.buffer) != root)
      continue;
    if (!access.isStore || isa<AtomicOp>(access.op))
      return false;
    bool isUnconditional = access.op == op || access.op->getParentOp() == op;
    writesAll |= isUnconditional && access.buffer == root && access.type().getNumElements() == points;
  }
  return writesAll;
}

void Conversions::convertLoop(Operation *op) {
  auto layout = op->getAttrOfType<DistributedAttr>("layout");
  if (!layout)
    return; // a copy between private arrays has none
  SmallVector<TileAccess> accesses = accessesOf(op);
  bool isStatic = !llvm::any_of(pointExtents(op), ShapedType::isDynamic);
  Layout loop = layoutOf(layout);
  llvm::SetVector<Value> strangers; // fragments that some access finds in another thread
  llvm::DenseSet<Value> written;
  for (const TileAccess &access : accesses) {
    RootAccess root = rootOf(access);
    if (!isFragment(root.root))
      continue;
    if (access.isStore)
      written.insert(root.root);
    bool isLocal = isStatic && !root.isRetyped && !isa<AtomicOp>(access.op) &&
                   registerMap(loop, root.map, layoutOf(layoutAttrOf(root.root)), access.isStore);
    if (!isLocal)
      strangers.insert(root.root);
  }
  for (Value root : strangers) {
    builder.setInsertionPoint(op);
    Value shared = stage(op, root);
    if (!overwrites(op, accesses, root)) {
      createCopy(builder, op->getLoc(), root, shared, layoutAttrOf(root));
      staged.insert(root);
    }
    for (const TileAccess &access : accesses)
      if (rootOf(access.buffer) == root)
        access.op->replaceUsesOfWith(access.buffer, viewOf(access.buffer, root, shared));
    builder.setInsertionPointAfter(op);
    if (written.contains(root))
      createCopy(builder, op->getLoc(), shared, root, layoutAttrOf(root));
  }
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
    Value fragment = AllocFragmentOp::create(builder, op->getLoc(), type, attr, IntegerAttr());
    convertLoop(createCopy(builder, op->getLoc(), source.get(), fragment, attr));
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
  Value result = AllocFragmentOp::create(builder, loc, type, attr, IntegerAttr());
  if (isRead)
    convertLoop(createCopy(builder, loc, target, result, attr));
  operand.set(result);
  builder.setInsertionPointAfter(op);
  Value root = rootOf(target);
  DistributedAttr back = isFragment(root) && root == target ? layoutAttrOf(root) : attr;
  convertLoop(createCopy(builder, loc, result, target, back));
}

void Conversions::convertReduce(ReduceOp reduce) {
  Layout layout = convertSource(reduce, reduce.getSourceMutable(), Value());
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
  Value shared = stage(op, root);
  createCopy(builder, op->getLoc(), root, shared, layoutAttrOf(root));
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
  kernel.walk([&](Operation *op) { ops.push_back(op); });
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
