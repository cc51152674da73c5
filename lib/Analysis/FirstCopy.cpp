// FirstCopy.cpp - see FirstCopy.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/FirstCopy.h"

#include "tile/Analysis/TileAccess.h"

#include <set>

using namespace mlir;
using namespace tile;

/// Does the loop leave the copies that its layout has idle?
static bool runsInFirstCopy(ParallelOp loop) {
  return llvm::none_of(accessesOf(loop), [](const TileAccess &access) {
    return access.isStore && spaceOf(access.type()) == Space::Fragment;
  });
}

/// Where the positions and copies of a layout lie in the thread number: stride and radix.
static std::pair<std::set<std::pair<int64_t, int64_t>>, std::set<std::pair<int64_t, int64_t>>>
threadParts(const Layout &layout) {
  std::set<std::pair<int64_t, int64_t>> positions, copies;
  for (const Digit &digit : layout.digits())
    if (digit.owner == Owner::Thread && digit.radix > 1)
      positions.insert({digit.stride, digit.radix});
  for (const Spread &copy : layout.copies())
    if (copy.owner == Owner::Thread && copy.radix > 1)
      copies.insert({copy.stride, copy.radix});
  return {positions, copies};
}

bool tile::isReadInFirstCopyAlone(Value fragment, Operation *writer) {
  auto alloc = fragment.getDefiningOp<AllocFragmentOp>();
  auto layout = alloc ? dyn_cast_or_null<DistributedAttr>(alloc.getLayoutAttr()) : DistributedAttr();
  if (!layout)
    return false;
  auto parts = threadParts(layoutOf(layout));
  return llvm::all_of(fragment.getUsers(), [&](Operation *user) {
    if (user == writer || isa<StoreOp>(user))
      return true;
    auto loop = dyn_cast<ParallelOp>(user->getParentOp());
    return isa<LoadOp>(user) && loop && loop.getLayout() && threadParts(layoutOf(*loop.getLayout())) == parts &&
           runsInFirstCopy(loop);
  });
}
