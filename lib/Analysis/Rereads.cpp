// Rereads.cpp - what a block reads from a tensor and will read again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Rereads.h"

#include "ReadPlaces.h"

#include "tile/Analysis/Aliases.h"
#include "tile/Analysis/TileAccess.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tile {

namespace {
/// Two loads of one tensor, and the ops of one program part, one after the other, that they stand in.
class Pair {
public:
  Pair(LoadOp first, LoadOp second) : first(first), second(second), kernel(first->getParentOfType<KernelOp>()) {}
  /// The second reads again what the first reads.
  bool isReread();

private:
  bool findScopes();

  LoadOp first, second;
  KernelOp kernel;
  Operation *firstScope = nullptr, *secondScope = nullptr;
};
} // namespace

/// The ops of the innermost program part around both; false if that is a point of a loop, or there is no order.
bool Pair::findScopes() {
  for (Operation *op = first; op && op != kernel; op = op->getParentOp()) {
    Operation *other = op->getBlock()->findAncestorOpInBlock(*second);
    if (!other)
      continue;
    firstScope = op;
    secondScope = other;
    return op != other && op->isBeforeInBlock(other) && !op->getParentOfType<ParallelOp>() &&
           !op->getParentOfType<VectorizedOp>();
  }
  return false;
}

bool Pair::isReread() {
  if (!findScopes())
    return false;
  ReadPlaces places(kernel);
  std::optional<Elements> now = places.elementsOf(first, firstScope);
  std::optional<Elements> later = now && places.isOfBlock ? places.elementsOf(second, secondScope) : std::nullopt;
  return later && llvm::all_of(llvm::zip_equal(*now, *later),
                               [](auto pair) { return isWithin(std::get<0>(pair), std::get<1>(pair)); });
}

DenseMap<Operation *, LoadOp> findRereads(KernelOp kernel) {
  llvm::MapVector<Value, SmallVector<LoadOp>> loads; // by buffer, in program order
  kernel.walk<WalkOrder::PreOrder>([&](LoadOp load) {
    if (spaceOf(load.getBufferType()) == Space::Global)
      loads[load.getBuffer()].push_back(load);
  });
  DenseMap<Operation *, LoadOp> rereads;
  for (auto &[buffer, reads] : loads) {
    if (reads.size() < 2 || !isOnlyRead(kernel, rootOf(buffer)))
      continue;
    for (auto [number, read] : llvm::enumerate(reads)) {
      ArrayRef<LoadOp> later = ArrayRef<LoadOp>(reads).drop_front(number + 1);
      const LoadOp *again = llvm::find_if(later, [&](LoadOp other) { return Pair(read, other).isReread(); });
      if (again != later.end())
        rereads.try_emplace(read, *again);
    }
  }
  return rereads;
}

} // namespace tile
