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

bool isOnlyRead(KernelOp kernel, Value root) {
  WalkResult result = kernel.walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value written = isa<MemoryEffects::Write>(effect.getEffect()) ? effect.getValue() : Value();
      if (!written || spaceOf(cast<MemRefType>(written.getType())) != Space::Global)
        continue;
      if (rootOf(written) == root || !areDisjoint(kernel, rootOf(written), root))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

} // namespace tile
