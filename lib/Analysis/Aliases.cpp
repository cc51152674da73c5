// Aliases.cpp - which tensors the kernel promises to be apart, and which it only reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/Aliases.h"

#include "tile/Analysis/TileAccess.h"

using namespace mlir;

namespace tile {

bool areDisjoint(KernelOp kernel, Value a, Value b) {
  auto numberOf = [&](Value root) -> int64_t {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument ? int64_t(argument.getArgNumber()) - int64_t(kernel.getNumSymbols()) : -1;
  };
  std::optional<ArrayAttr> groups = kernel.getDisjoint();
  return groups && llvm::any_of(*groups, [&](Attribute group) {
           ArrayRef<int64_t> members = cast<DenseI64ArrayAttr>(group).asArrayRef();
           return a != b && llvm::is_contained(members, numberOf(a)) && llvm::is_contained(members, numberOf(b));
         });
}

bool mayOverlap(KernelOp kernel, Value a, Value b) {
  auto isTensor = [](Value root) { return spaceOf(cast<MemRefType>(root.getType())) == Space::Global; };
  return a == b || (isTensor(a) && isTensor(b) && !areDisjoint(kernel, a, b));
}

/// The roots of the tensors that the kernel writes.
static llvm::SmallDenseSet<Value> writtenTensors(KernelOp kernel) {
  llvm::SmallDenseSet<Value> written;
  kernel.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value buffer = isa<MemoryEffects::Write>(effect.getEffect()) ? effect.getValue() : Value();
      if (buffer && spaceOf(cast<MemRefType>(buffer.getType())) == Space::Global)
        written.insert(rootOf(buffer));
    }
  });
  return written;
}

bool isOnlyRead(KernelOp kernel, Value root) {
  return llvm::none_of(writtenTensors(kernel), [&](Value written) { return mayOverlap(kernel, written, root); });
}

bool isApart(KernelOp kernel, Value tensor) {
  llvm::SmallDenseSet<Value> written = writtenTensors(kernel);
  return llvm::all_of(kernel.getBody().getArguments(), [&](Value other) {
    bool isOther = other != tensor && !other.use_empty() && isa<MemRefType>(other.getType());
    return !isOther || !mayOverlap(kernel, tensor, other) || (!written.contains(tensor) && !written.contains(other));
  });
}

} // namespace tile
