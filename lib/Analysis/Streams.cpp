// Streams.cpp - what a kernel reads once, and never again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Streams.h"

#include "ReadPlaces.h"

#include "dialects/Tile/Checks.h"
#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/TileAccess.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tile {

/// How many times what it writes a kernel must read.
static constexpr double kReadsAWrite = 8;

/// Trips of all loops around the op, over points too; what is not known counts alike everywhere.
static double pointsOf(Operation *op) {
  constexpr int64_t kUnknownExtent = 8;
  double points = 1;
  for (auto loop = op->getParentOfType<LoopOpInterface>(); loop; loop = loop->getParentOfType<LoopOpInterface>())
    for (AffineExpr extent : loop.getExtents().getResults()) {
      auto constant = dyn_cast<AffineConstantExpr>(extent);
      points *= static_cast<double>(constant ? std::max<int64_t>(constant.getValue(), 0) : kUnknownExtent);
    }
  return points;
}

/// The bytes that a block reads from tensors and those it writes there.
static std::pair<double, double> bytesOfBlock(KernelOp kernel) {
  double read = 0, written = 0;
  kernel.walk([&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    auto atomic = dyn_cast<AtomicOp>(op);
    if (!load && !store && !atomic)
      return;
    MemRefType type = load ? load.getBufferType() : store ? store.getBufferType() : atomic.getBufferType();
    if (spaceOf(type) == Space::Global)
      (load ? read : written) += pointsOf(op) * static_cast<double>(elementBytes(type.getElementType()));
  });
  return {read, written};
}

/// What one step of a parameter adds; nothing if that is no constant.
static std::optional<int64_t> stepOf(AffineExpr base, unsigned parameter, unsigned parameters) {
  AffineExpr dim = getAffineDimExpr(parameter, base.getContext());
  auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(base.replace(dim, dim + 1) - base, parameters, 0));
  return step ? std::optional(step.getValue()) : std::nullopt;
}

/// Do blocks that are neighbours along the axis read disjoint indices?
static bool isApart(const IndexSet &set, unsigned parameter, unsigned parameters) {
  std::optional<int64_t> step = stepOf(set.base, parameter, parameters);
  int64_t span = 1;
  for (const IndexSet::Walk &walk : set.walks) {
    auto count = dyn_cast<AffineConstantExpr>(walk.count);
    if (!count)
      return false;
    span += walk.step * (count.getValue() - 1);
  }
  return step && *step >= span;
}

static bool isStream(LoadOp load, KernelOp kernel) {
  // In loops two versions of a body cost more than the hint gives (docs/rationale.md).
  if (load->getParentOfType<SerialOp>() || load->getParentOfType<PipelinedOp>())
    return false;
  ReadPlaces places(kernel);
  Operation *scope = kernel.getBody().front().findAncestorOpInBlock(*load);
  std::optional<Elements> elements = places.elementsOf(load, scope);
  if (!elements || places.isRepeated)
    return false;
  for (Value id : kernel.getBlockIds()) {
    auto *found = llvm::find(places.parameters, id);
    if (found == places.parameters.end())
      return false;
    unsigned parameter = found - places.parameters.begin();
    SmallVector<const IndexSet *> moved;
    for (const IndexSet &set : *elements)
      if (set.base.isFunctionOfDim(parameter))
        moved.push_back(&set);
    if (moved.size() != 1 || !isApart(*moved.front(), parameter, places.parameters.size()))
      return false;
    // Another axis in the same dimension could lead to the same elements.
    for (Value other : kernel.getBlockIds())
      if (auto *place = llvm::find(places.parameters, other);
          other != id && place != places.parameters.end() &&
          moved.front()->base.isFunctionOfDim(place - places.parameters.begin()))
        return false;
  }
  return true;
}

llvm::SetVector<Operation *> findStreams(KernelOp kernel) {
  llvm::SetVector<Operation *> streams;
  auto [read, written] = bytesOfBlock(kernel);
  if (read < kReadsAWrite * written || kernel.getBlockIds().empty())
    return streams;
  llvm::MapVector<Value, SmallVector<LoadOp>> loads; // by tensor
  kernel.walk([&](LoadOp load) {
    if (spaceOf(load.getBufferType()) == Space::Global)
      loads[rootOf(load.getBuffer())].push_back(load);
  });
  for (auto &[root, reads] : loads)
    if (reads.size() == 1 && reads.front().getBuffer() == root && isOnlyRead(kernel, root) &&
        isStream(reads.front(), kernel))
      streams.insert(reads.front());
  return streams;
}

} // namespace tile
