// LayoutParts.cpp - turns lists of digits into the description of a layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Tile/LayoutParts.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;

LayoutParts tile::layoutParts(const DigitLists &lists) {
  LayoutParts parts;
  parts.extents.assign(lists.shape.begin(), lists.shape.end());
  parts.threads = lists.threads;
  parts.blocks = lists.blocks;
  size_t next = 0;
  for (auto [axis, count] : llvm::enumerate(lists.digitCounts)) {
    // Written most significant first; weights count from the least.
    int64_t weight = 1;
    for (int64_t i = count; i-- > 0;) {
      size_t at = next + i;
      parts.digits.push_back(
          {static_cast<int>(axis), weight, lists.radices[at], static_cast<Owner>(lists.owners[at]), lists.strides[at]});
      if (__builtin_mul_overflow(weight, lists.radices[at], &weight))
        weight = 0; // refused
    }
    next += count;
  }
  for (size_t i = 0; i < lists.copyRadices.size(); ++i)
    parts.copies.push_back({static_cast<Owner>(lists.copyOwners[i]), lists.copyStrides[i], lists.copyRadices[i]});
  return parts;
}
