// SharedRequests.cpp - see SharedRequests.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/SharedRequests.h"

#include "LaneValues.h"
#include "tile/Analysis/PointEvaluator.h"
#include "tile/Analysis/ThreadBytes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace tile;

/// How many requests stand for all of one access.
static constexpr int64_t kSamples = 512;
/// Trips of a loop whose bounds are known at run time only.
static constexpr int64_t kTypicalTrips = 8;
/// More trips than these are no longer told apart.
static constexpr double kMostRuns = double(int64_t(1) << 24);

namespace {
/// A loop around an access.
struct EnclosingLoop {
  scf::ForOp op;
  int64_t trips;
  bool isVisible; ///< the access looks different in its trips
};

class Collector {
public:
  explicit Collector(simt::KernelOp kernel) : kernel(kernel), warps((int64_t(kernel.getThreads()) + 31) / 32) {}
  llvm::MapVector<Value, SharedRequests> run();

private:
  void collect(const MemoryAccess &access, SharedRequests &found);
  SmallVector<EnclosingLoop> loopsAround(const MemoryAccess &access);
  std::optional<MemoryRequest> requestOf(const MemoryAccess &access, ArrayRef<EnclosingLoop> loops, int64_t warp);
  void dropLanes(MemoryRequest &request, std::optional<Lanes> condition, bool wanted) const;

  simt::KernelOp kernel;
  int64_t warps;
  LaneValues values;
};
} // namespace

/// Adds the induction variables that `value` is computed from.
static void addVariables(Value value, llvm::SetVector<Value> &seen) {
  if (!seen.insert(value))
    return;
  if (Operation *op = value.getDefiningOp()) {
    for (Value operand : op->getOperands())
      addVariables(operand, seen);
    return;
  }
  auto loop = dyn_cast<scf::ForOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  if (loop && value == loop.getInductionVar()) {
    addVariables(loop.getLowerBound(), seen);
    addVariables(loop.getUpperBound(), seen);
  }
}

SmallVector<EnclosingLoop> Collector::loopsAround(const MemoryAccess &access) {
  llvm::SetVector<Value> seen;
  addVariables(access.index, seen);
  SmallVector<EnclosingLoop> loops;
  for (Operation *parent = access.op->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      addVariables(branch.getCondition(), seen);
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      std::optional<ConstantLoop> constant = constantLoop(loop.getInductionVar());
      loops.push_back({loop, constant ? constant->trips : kTypicalTrips, false});
    } else if (isa<scf::WhileOp>(parent)) {
      loops.push_back({{}, kTypicalTrips, false});
    }
  }
  for (EnclosingLoop &loop : loops)
    loop.isVisible = loop.op && seen.contains(loop.op.getInductionVar());
  return loops;
}

void Collector::dropLanes(MemoryRequest &request, std::optional<Lanes> condition, bool wanted) const {
  for (size_t lane = 0; condition && lane < request.address.size(); ++lane)
    if (((*condition)[lane] != 0) != wanted)
      request.address[lane] = MemoryRequest::kInactive;
}

/// The request of one warp in the trip that `values` is set to; nothing where its addresses are unknown.
std::optional<MemoryRequest> Collector::requestOf(const MemoryAccess &access, ArrayRef<EnclosingLoop> loops,
                                                  int64_t warp) {
  std::optional<Lanes> index = values.evaluate(access.index);
  if (!index)
    return std::nullopt;
  MemoryRequest request;
  request.bytes = static_cast<int>(access.widthBytes);
  for (int64_t lane = 0; lane < std::min<int64_t>(32, kernel.getThreads() - 32 * warp); ++lane)
    request.address[lane] =
        std::max<int64_t>((*index)[lane] * access.elementBytes + access.root.byteOffset, MemoryRequest::kInactive);
  for (Operation *inner = access.op, *outer = inner->getParentOp(); outer != kernel;
       inner = outer, outer = outer->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(outer))
      dropLanes(request, values.evaluate(branch.getCondition()), inner->getParentRegion() == &branch.getThenRegion());
  for (EnclosingLoop loop : loops) {
    std::optional<Lanes> iv = loop.isVisible ? values.evaluate(loop.op.getInductionVar()) : std::nullopt;
    std::optional<Lanes> end = iv ? values.evaluate(loop.op.getUpperBound()) : std::nullopt;
    for (size_t lane = 0; end && lane < iv->size(); ++lane)
      (*end)[lane] = (*iv)[lane] < (*end)[lane];
    dropLanes(request, end, true);
  }
  return request;
}

/// A number below `count`, for each `sample` another one, spread evenly and without a pattern.
static int64_t spread(int64_t sample, int64_t samples, int64_t count) {
  if (samples == count)
    return sample;
  uint64_t mixed = static_cast<uint64_t>(sample) * 0x9E3779B97F4A7C15u;
  return static_cast<int64_t>((static_cast<unsigned __int128>(mixed) * static_cast<uint64_t>(count)) >> 64);
}

void Collector::collect(const MemoryAccess &access, SharedRequests &found) {
  SmallVector<EnclosingLoop> loops = loopsAround(access);
  double runs = static_cast<double>(warps);
  int64_t points = warps;
  for (const EnclosingLoop &loop : loops) {
    runs *= static_cast<double>(loop.trips);
    if (loop.isVisible && points < (int64_t(1) << 40))
      points *= loop.trips;
  }
  int64_t samples = std::min(points, kSamples);
  if (samples == 0)
    return;
  int64_t weight = std::max<int64_t>(1, std::llround(std::min(runs, kMostRuns) / static_cast<double>(samples)));
  for (int64_t sample = 0; sample < samples; ++sample) {
    int64_t rest = spread(sample, samples, points), warp = rest % warps;
    rest /= warps;
    values.setWarp(warp);
    for (EnclosingLoop &loop : loops)
      if (loop.isVisible) {
        values.setTrip(loop.op.getInductionVar(), rest % loop.trips);
        rest /= loop.trips;
      }
    std::optional<MemoryRequest> request = requestOf(access, loops, warp);
    if (!request) {
      found.unknown = found.unknown ? found.unknown : access.op;
      return;
    }
    request->weight = weight;
    if (llvm::any_of(request->address, [](int64_t address) { return address >= 0; }))
      found.requests.push_back(*request);
  }
}

llvm::MapVector<Value, SharedRequests> Collector::run() {
  llvm::MapVector<Value, SharedRequests> all;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto shared = dyn_cast<simt::SharedOp>(op))
      all[shared.getResult()];
    for (const MemoryAccess &access : memoryAccesses(op))
      if (access.space == simt::Space::Shared)
        collect(access, all[access.root.buffer]);
  });
  return all;
}

llvm::MapVector<Value, SharedRequests> tile::collectSharedRequests(simt::KernelOp kernel) {
  return Collector(kernel).run();
}
