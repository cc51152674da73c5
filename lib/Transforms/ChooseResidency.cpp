// ChooseResidency.cpp - see ChooseResidency.td.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ChunkRows.h"
#include "tile/Analysis/TileAccess.h"
#include "tile/Transforms/Passes.h"

#include "dialects/Tile/Checks.h"
#include "dialects/Tile/LayoutParts.h"
#include "dialects/Tile/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tile {
#define GEN_PASS_DEF_CHOOSERESIDENCY
#include "tile/Transforms/Passes.h.inc"

/// Registers of a multiprocessor.
static constexpr int64_t kRegisters = 65536;
/// What one of two blocks may hold in registers from phase to phase: 0.6 of its part. Two, because one block alone
/// waits at its barriers while nothing is on its way.
static constexpr int64_t kMostWords = kRegisters / 2 * 6 / 10;
/// Rows that begin at any place of a vector have two ragged ends, chunks of them two each: they stay whole while one
/// block holds them at all.
static constexpr int64_t kMostRaggedWords = kRegisters * 9 / 10;
/// And of each thread, which has 255 registers at most.
static constexpr int64_t kMostWordsOfThread = 150;
/// Registers of a thread that may hold what waits, beside what computes.
static constexpr int64_t kKeptWords = 16;
/// Shared memory left for small tiles of the compiler's own; exchanges between warps come to it.
static constexpr int64_t kReserve = 8192;
/// With more threads two blocks have less than 64 registers a thread, and one runs at a time.
static constexpr int64_t kMostThreadsOfTwo = 512;

/// Phases past which computing anew what the last of them need costs more than registers that spill: it grows with the
/// square of their number, the text too.
static constexpr size_t kMostPhases = 8;

static Type sourceElement(const RowPhases &rows, unsigned number) {
  return cast<CopyOp>(rows.ops[number].op).getSourceType().getElementType();
}

static int64_t lines(const RowPhases &rows) {
  int64_t count = 1;
  for (int64_t extent : ArrayRef(rows.shape).drop_back())
    count *= extent;
  return count;
}

/// Whether rows of a tensor begin at any place of a vector: what is held would have another layout than what is loaded.
static bool isRagged(const RowPhases &rows, unsigned number) {
  int64_t pitch = cast<CopyOp>(rows.ops[number].op).getSourceType().getShape().back();
  return !ShapedType::isDynamic(pitch) && pitch * elementBytes(sourceElement(rows, number)) % kVectorBytes != 0;
}

/// Whether rows are too long for the registers, and their phases few enough.
static bool isLong(const RowPhases &rows, int64_t threads) {
  bool hasRagged = llvm::any_of(rows.sources, [&](unsigned number) { return isRagged(rows, number); });
  int64_t most = std::min(hasRagged ? kMostRaggedWords : kMostWords, threads * kMostWordsOfThread);
  return rows.phases.size() <= kMostPhases && rows.liveWords > most;
}

/// Chunks of at most one 16-byte access a thread, multiples of a vector.
static int64_t chunkOf(const RowPhases &rows, int64_t threads) {
  int64_t bytes = 4;
  for (unsigned number : rows.sources)
    bytes = std::min(bytes, elementBytes(sourceElement(rows, number)));
  return std::max<int64_t>(threads / std::max<int64_t>(lines(rows), 1), 1) * (kVectorBytes / bytes);
}

/// A chunk and what a phase accumulates for each of its elements take less than what lives without them.
static bool isWorthwhile(const RowPhases &rows, int64_t threads) {
  int64_t most = 0, words = lines(rows) * chunkOf(rows, threads);
  for (const RowPhase &phase : rows.phases)
    most = std::max<int64_t>(
        most, llvm::count_if(phase.ops, [&](unsigned number) { return isa<ReduceOp>(rows.ops[number].op); }));
  return words * (1 + most) <= rows.liveWords / 2;
}

/// What else will stand in shared memory: the tiles of the program, and two exchanges of a partial result a warp and
/// line.
static int64_t takenBytes(KernelOp kernel, const RowPhases &rows) {
  int64_t warps = llvm::divideCeil(kernel.getThreads(), 32);
  int64_t bytes = kReserve + 2 * 8 * warps * lines(rows);
  kernel.walk([&](AllocSharedOp op) {
    auto type = cast<MemRefType>(op.getResult().getType());
    std::optional<SharedLayout> layout = sharedLayoutOf(type, op.getLayoutAttr());
    bytes += layout ? layout->sizeInBytes() : tileBytes(type);
  });
  return bytes;
}

/// Fragments of other shapes, which may pass through shared memory from one layout to another; small ones do so in the
/// reserve.
static int64_t exchangedBytes(KernelOp kernel, ArrayRef<RowPhases> chunked) {
  int64_t bytes = 0;
  kernel.walk([&](AllocFragmentOp fragment) {
    auto type = cast<MemRefType>(fragment.getResult().getType());
    bool isChunked = llvm::any_of(chunked, [&](const RowPhases &rows) { return type.getShape() == rows.shape; });
    if (!isChunked && tileBytes(type) > kReserve)
      bytes += tileBytes(type);
  });
  return bytes;
}

/// As much as fits waits in shared memory, then in registers.
static RowPlan planFor(const RowPhases &rows, int64_t threads, int64_t sharedRoom) {
  RowPlan plan;
  plan.chunk = chunkOf(rows, threads);
  plan.readAgain = rows.shape.back() / plan.chunk;
  plan.tail = rows.shape.back() % plan.chunk;
  int64_t bytes = 0;
  for (unsigned number : rows.sources) {
    bytes += lines(rows) * plan.chunk * elementBytes(sourceElement(rows, number));
    if (isRagged(rows, number))
      return plan;
  }
  if (bytes == 0)
    return plan;
  int64_t count = plan.readAgain, mostKept = kKeptWords / llvm::divideCeil(bytes, 4 * threads);
  plan.inShared = std::clamp<int64_t>(sharedRoom / bytes, 0, count);
  // Whole trips, if the registers have room for what is left.
  if (int64_t whole = plan.inShared / kChunksPerTrip * kChunksPerTrip; count - whole <= mostKept)
    plan.inShared = whole;
  plan.inRegisters = std::min(count - plan.inShared, mostKept);
  plan.readAgain = count - plan.inShared - plan.inRegisters;
  return plan;
}

static RowPlan choosePlan(KernelOp kernel, const RowPhases &rows, int64_t sharedLimit, int64_t exchanged) {
  int64_t threads = kernel.getThreads(), taken = takenBytes(kernel, rows) + exchanged;
  RowPlan alone = planFor(rows, threads, sharedLimit - taken);
  if (threads > kMostThreadsOfTwo)
    return alone;
  RowPlan paired = planFor(rows, threads, sharedLimit / 2 - taken);
  return paired.readAgain > alone.readAgain ? alone : paired;
}

/// Whether an index is inside a tensor's extent, or not the same for all of a piece: another would be refused, also one
/// that begins a copy.
static bool isLegal(AffineExpr index, int64_t extent, llvm::function_ref<IndexRange(unsigned)> rangeOfDim) {
  IndexRange range = rangeOf(index, rangeOfDim);
  return !range.isConstant() || (range.lo >= 0 && (ShapedType::isDynamic(extent) || range.lo < extent));
}

/// An element that is loaded or stored by a loop, at the pieces of `extent` elements from `start` on.
template <class OpTy> static bool isLegalAt(OpTy access, int64_t start, int64_t extent) {
  MemRefType type = access.getBufferType();
  Value along = cast<ParallelOp>(access->getParentOp()).getInductionVars().back();
  auto rangeOfDim = [&](unsigned dim) {
    Value index = access.getIndices()[dim];
    return index == along ? IndexRange{start, start + extent - 1, true, uint64_t(1) << std::min(dim, 63u)}
                          : rangeOf(getAffineDimExpr(0, access.getContext()), index);
  };
  return spaceOf(type) != Space::Global ||
         llvm::all_of_zip(access.getMap().getResults(), type.getShape(), [&](AffineExpr index, int64_t extentOfTensor) {
           return isLegal(index, extentOfTensor, rangeOfDim);
         });
}

/// A copy of a tensor's box, at the piece from `start` on.
static bool isLegalAt(AffineMap map, ValueRange indices, MemRefType type, int64_t start) {
  auto rangeOfDim = [&](unsigned dim) { return rangeOf(getAffineDimExpr(0, map.getContext()), indices[dim]); };
  AffineExpr index = map.getResults().back() + start;
  return isLegal(index, type.getShape().back(), rangeOfDim);
}

static bool isLegalAt(Operation *op, int64_t start, int64_t extent) {
  if (auto copy = dyn_cast<CopyOp>(op)) {
    std::optional<AffineMap> source = copy.getSourceMap(), target = copy.getTargetMap();
    return (!source || isLegalAt(*source, copy.getSourceIndices(), copy.getSourceType(), start)) &&
           (!target || isLegalAt(*target, copy.getTargetIndices(), copy.getTargetType(), start));
  }
  auto loop = dyn_cast<ParallelOp>(op);
  return !loop || llvm::all_of(loop.getBody().front(), [&](Operation &inner) {
    auto load = dyn_cast<LoadOp>(inner);
    auto store = dyn_cast<StoreOp>(inner);
    return load ? isLegalAt(load, start, extent) : !store || isLegalAt(store, start, extent);
  });
}

/// A row may run over the end of its tensor, where no piece may begin whose place is a constant.
static bool isLegal(const RowPhases &rows, const RowPlan &plan) {
  return llvm::all_of(rows.ops, [&](const RowOp &row) {
    for (int64_t start = 0; start < rows.shape.back(); start += plan.chunk)
      if (!isLegalAt(row.op, start, std::min(plan.chunk, rows.shape.back() - start)))
        return false;
    return true;
  });
}

static void report(KernelOp kernel, const RowPhases &rows, const RowPlan &plan) {
  for (AllocFragmentOp fragment : rows.fragments) {
    if (fragment.getResult().use_empty())
      continue;
    auto type = cast<MemRefType>(fragment.getResult().getType());
    int64_t words = llvm::divideCeil(tileBytes(type), 4 * kernel.getThreads());
    remark::passed(fragment.getLoc(),
                   remark::RemarkOpts::name("residency").category("residency").function(kernel.getSymName()))
        << remark::metric("buffer", nameOf(fragment.getResult())) << remark::metric("registers", words)
        << remark::metric("passes", static_cast<int64_t>(rows.phases.size())) << remark::metric("chunk", plan.chunk)
        << remark::metric("shared", plan.inShared * plan.chunk) << remark::metric("held", plan.inRegisters * plan.chunk)
        << remark::metric("again", plan.readAgain * plan.chunk + plan.tail);
  }
}

namespace {
struct ChooseResidencyPass : impl::ChooseResidencyBase<ChooseResidencyPass> {
  using ChooseResidencyBase::ChooseResidencyBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    std::vector<RowPhases> all = findRowPhases(kernel);
    llvm::erase_if(all, [&](const RowPhases &rows) {
      return !isLong(rows, kernel.getThreads()) || !isWorthwhile(rows, kernel.getThreads());
    });
    int64_t exchanged = exchangedBytes(kernel, all);
    for (const RowPhases &rows : all) {
      RowPlan plan = choosePlan(kernel, rows, sharedLimit, exchanged);
      if (!isLegal(rows, plan))
        continue;
      report(kernel, rows, plan);
      chunkRows(kernel, rows, plan);
    }
  }
};
} // namespace
} // namespace tile
