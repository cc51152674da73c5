// PlanSharedMemory.cpp - see PlanSharedMemory.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Transforms/Passes.h"

#include "tile/Analysis/Uniformity.h"
#include "tile/Layout/CostModel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_PLANSHAREDMEMORY
#include "tile/Transforms/Passes.h.inc"

namespace {
/// Places in the text of a kernel: an op with regions spans everything inside.
struct Span {
  int64_t first = INT64_MAX, last = -1;
  void include(Span other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  bool overlaps(Span other) const { return first <= other.last && other.first <= last; }
};

struct Buffer {
  simt::SharedOp op;
  int64_t bytes = 0;
  Span live;
  SmallVector<Operation *> explicitUses;
  int64_t offset = -1;
};

/// Finds the live range of each buffer and gives it the lowest free place.
class Planner {
public:
  explicit Planner(simt::KernelOp kernel);
  /// \param mayReuse  whether buffers that are never alive together may hold the same bytes.
  void place(bool mayReuse);

  SmallVector<Buffer> buffers;
  int64_t totalBytes = 0;

private:
  void number(Operation *op);
  Span liveSpan(Operation *use, Operation *definition) const;
  bool mayShare(const Buffer &a, const Buffer &b) const;
  bool isOrdered(const Buffer &earlier, const Buffer &later) const;
  bool hasBarrierBetween(int64_t begin, int64_t end, Operation *first, Operation *second) const;

  DenseMap<Operation *, Span> spans;
  SmallVector<simt::BarrierOp> barriers;
  Uniformity uniformity;
  int64_t counter = 0;
};
} // namespace

static int64_t sizeInBytes(MemRefType type) {
  return type.getNumElements() * std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1);
}

Planner::Planner(simt::KernelOp kernel) : uniformity(kernel) {
  number(kernel);
  DenseMap<Value, unsigned> known;
  kernel.walk<WalkOrder::PreOrder>([&](simt::SharedOp op) {
    known[op.getResult()] = buffers.size();
    Buffer &buffer = buffers.emplace_back();
    buffer.op = op;
    buffer.bytes = sizeInBytes(cast<MemRefType>(op.getType()));
  });
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto barrier = dyn_cast<simt::BarrierOp>(op))
      barriers.push_back(barrier);
    if (isa<simt::ViewOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      auto found = isa<MemRefType>(operand.getType()) ? known.find(storageOf(operand).buffer) : known.end();
      if (found == known.end())
        continue;
      Buffer &buffer = buffers[found->second];
      buffer.live.include(liveSpan(op, buffer.op));
      if (op->hasAttr(simt::kExplicit))
        buffer.explicitUses.push_back(op);
    }
  });
}

void Planner::number(Operation *op) {
  Span span{counter++, 0};
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        number(&inner);
  span.last = counter++;
  spans[op] = span;
}

/// The outermost loop that the buffer outlives, or branch that threads enter differently, counts as one use: its trips
/// and its threads are in different places at one time.
Span Planner::liveSpan(Operation *use, Operation *definition) const {
  Operation *widest = use;
  for (Operation *parent = use->getParentOp(); !isa<simt::KernelOp>(parent); parent = parent->getParentOp()) {
    bool repeats = isa<LoopLikeOpInterface>(parent) && !parent->isProperAncestor(definition);
    if (repeats || uniformity.isDivergent(parent))
      widest = parent;
  }
  return spans.lookup(widest);
}

/// Whether every path from `first` to `second` over the places `begin` … `end` meets a barrier.
bool Planner::hasBarrierBetween(int64_t begin, int64_t end, Operation *first, Operation *second) const {
  return llvm::any_of(barriers, [&](simt::BarrierOp barrier) {
    int64_t place = spans.lookup(barrier).first;
    Operation *parent = barrier->getParentOp();
    return begin < place && place < end && parent->isAncestor(first) && parent->isAncestor(second);
  });
}

/// Barriers of the program between all explicit accesses of two buffers, and over the back edge of a loop around both.
bool Planner::isOrdered(const Buffer &earlier, const Buffer &later) const {
  for (Operation *first : earlier.explicitUses)
    for (Operation *second : later.explicitUses) {
      if (!hasBarrierBetween(earlier.live.last, later.live.first, first, second))
        return false;
      for (Operation *loop = first->getParentOp(); loop; loop = loop->getParentOp()) {
        if (!isa<LoopLikeOpInterface>(loop) || !loop->isAncestor(second))
          continue;
        Span span = spans.lookup(loop);
        Operation *inside = &loop->getRegions().back().front().front();
        if (!hasBarrierBetween(later.live.last, span.last, inside, second) &&
            !hasBarrierBetween(span.first, earlier.live.first, inside, first))
          return false;
      }
    }
  return true;
}

bool Planner::mayShare(const Buffer &a, const Buffer &b) const {
  if (a.live.overlaps(b.live))
    return false;
  return a.live.last < b.live.first ? isOrdered(a, b) : isOrdered(b, a);
}

/// Largest first, each at the lowest place that no buffer alive at the same time holds.
void Planner::place(bool mayReuse) {
  totalBytes = 0;
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::stable_sort(order, [](Buffer *a, Buffer *b) {
    return std::pair(-a->bytes, a->live.first) < std::pair(-b->bytes, b->live.first);
  });
  SmallVector<Buffer *> placed;
  for (Buffer *buffer : order) {
    int64_t align = std::max<int64_t>(buffer->op.getAlign(), 1);
    int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (Buffer *other : placed) {
        bool overlaps = offset < other->offset + other->bytes && other->offset < offset + buffer->bytes;
        bool isUnused = buffer->live.last < 0 || other->live.last < 0;
        if (!overlaps || isUnused || (mayReuse && mayShare(*buffer, *other)))
          continue;
        offset = llvm::alignTo(other->offset + other->bytes, align);
        moved = true;
      }
    }
    buffer->offset = offset;
    totalBytes = std::max(totalBytes, offset + buffer->bytes);
    placed.push_back(buffer);
  }
}

/// Shared memory that a block may use without fewer of them fitting on a multiprocessor than its threads allow. Beyond
/// 48 KB a launch has to ask.
static int64_t freeBytes(int64_t threads, int64_t limit) {
  constexpr int64_t kReserved = 1024, kStatic = 49152;
  return std::min((limit + kReserved) / blocksByThreads(threads) - kReserved, kStatic);
}

/// The user's name of a buffer, or its number.
static std::string nameOf(Buffer &buffer, unsigned number) {
  if (auto name = dyn_cast<NameLoc>(buffer.op.getLoc()))
    return ("'" + name.getName().getValue() + "'").str();
  return "number " + std::to_string(number);
}

static void reportTooLarge(simt::KernelOp kernel, Planner &planner, int64_t limit) {
  InFlightDiagnostic diag = kernel.emitOpError() << "needs " << planner.totalBytes << " bytes of shared memory; "
                                                 << limit << " are available";
  for (auto [number, buffer] : llvm::enumerate(planner.buffers))
    diag.attachNote(buffer.op.getLoc()) << "buffer " << nameOf(buffer, number) << " takes " << buffer.bytes
                                        << " bytes from byte " << buffer.offset << " on";
}

namespace {
struct PlanSharedMemoryPass : impl::PlanSharedMemoryBase<PlanSharedMemoryPass> {
  using PlanSharedMemoryBase::PlanSharedMemoryBase;

  void runOnOperation() override {
    simt::KernelOp kernel = getOperation();
    Planner planner(kernel);
    // Two buffers in one place cost a barrier between them.
    planner.place(/*mayReuse=*/false);
    if (alwaysReuse || planner.totalBytes > freeBytes(kernel.getThreads(), limit))
      planner.place(/*mayReuse=*/true);
    if (planner.totalBytes > limit) {
      reportTooLarge(kernel, planner, limit);
      return signalPassFailure();
    }
    for (Buffer &buffer : planner.buffers)
      buffer.op.setOffset(buffer.offset);
    kernel.setSharedBytes(planner.totalBytes);
  }
};
} // namespace
} // namespace tile
