// ThreadDigits.cpp - how the thread digits of a layout fall into warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Analysis/ThreadDigits.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace tile;

int64_t tile::nextThreadStride(const Layout &layout, int64_t stride) {
  int64_t next = 0;
  auto consider = [&](Owner owner, int64_t other, int64_t radix) {
    if (owner == Owner::Thread && radix > 1 && other > stride)
      next = next == 0 ? other : std::min(next, other);
  };
  for (const Digit &digit : layout.digits())
    consider(digit.owner, digit.stride, digit.radix);
  for (const Spread &copy : layout.copies())
    consider(copy.owner, copy.stride, copy.radix);
  return next;
}

int64_t tile::lanesInWarp(const Layout &layout, const Digit &digit, bool anyRadix) {
  int64_t stride = digit.stride, radix = digit.radix, next = nextThreadStride(layout, stride);
  // Do groups of this digit's threads begin where warps begin? Then only idle lanes follow in the last one.
  bool beginsWarps = next == 0 || next % kWarp == 0;
  if (anyRadix && (beginsWarps ? stride * radix <= kWarp : kWarp % next == 0))
    return radix;
  if (!llvm::isPowerOf2_64(stride) || stride >= kWarp)
    return 1;
  // A butterfly needs all lanes of a warp to exist.
  if (beginsWarps && (anyRadix || (layout.threadSpan() + kWarp - 1) / kWarp * kWarp <= layout.threads()))
    return std::min<int64_t>(llvm::bit_ceil(static_cast<uint64_t>(radix)), kWarp / stride);
  int64_t lanes = std::gcd(radix, kWarp / stride);
  return next == 0 ? lanes : std::gcd(lanes, next / stride);
}
