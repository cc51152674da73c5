// FirstCopy.cpp - see FirstCopy.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/FirstCopy.h"

#include "tile/Analysis/TileAccess.h"

using namespace mlir;
using namespace tile;

/// Does the loop leave the copies that its layout has idle?
static bool runsInFirstCopy(ParallelOp loop) {
  return llvm::none_of(accessesOf(loop), [](const TileAccess &access) {
    return access.isStore && spaceOf(access.type()) == Space::Fragment;
  });
}

bool tile::isReadInFirstCopyAlone(Value fragment, Operation *writer) {
  auto alloc = fragment.getDefiningOp<AllocFragmentOp>();
  if (!alloc || !alloc.getLayout())
    return false;
  return llvm::all_of(fragment.getUsers(), [&](Operation *user) {
    if (user == writer || isa<StoreOp>(user))
      return true;
    auto loop = dyn_cast<ParallelOp>(user->getParentOp());
    return isa<LoadOp>(user) && loop && loop.getLayout() == alloc.getLayout() && runsInFirstCopy(loop);
  });
}
