// LowerTilesThreads.cpp - which threads take part in a layout, and what their numbers say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerTiles.h"

#include "tile/Analysis/ThreadDigits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tile;

AffineExpr tile::threadPosition(const Layout &layout, int64_t stride, int64_t radix, AffineExpr thread) {
  // The number is taken apart from the top: the topmost position needs no remainder.
  AffineExpr position = thread.floorDiv(stride);
  int64_t next = nextThreadStride(layout, stride);
  if (next == 0)
    return stride * radix >= layout.threads() ? position : position % radix;
  // Between two positions there may be room for idle threads.
  int64_t room = next / stride;
  return position % (room % radix == 0 ? radix : room);
}

SmallVector<AffineExpr> tile::threadPositions(const Layout &layout, AffineExpr thread) {
  SmallVector<AffineExpr> positions(layout.rank(), getAffineConstantExpr(0, thread.getContext()));
  for (const Digit &digit : layout.digits())
    if (digit.owner == Owner::Thread)
      positions[digit.axis] =
          positions[digit.axis] + threadPosition(layout, digit.stride, digit.radix, thread) * digit.weight;
  return positions;
}

/// False for idle threads: above the last one that takes part, or in a gap between two positions. Null if none is idle.
Value KernelLowering::isActive(mlir::Location loc, const Layout &layout) {
  Value result;
  AffineExpr number = builder.getAffineDimExpr(0);
  auto require = [&](AffineExpr position, int64_t end) {
    Value isBelow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, apply(loc, position, {thread}),
                                          constant(loc, end));
    result = both(loc, result, isBelow);
  };
  if (layout.threadSpan() < layout.threads())
    require(number, layout.threadSpan());
  SmallVector<std::pair<int64_t, int64_t>> positions; // stride, radix
  for (const Digit &digit : layout.digits())
    if (digit.owner == Owner::Thread && digit.radix > 1)
      positions.push_back({digit.stride, digit.radix});
  for (const Spread &copy : layout.copies())
    if (copy.owner == Owner::Thread && copy.radix > 1)
      positions.push_back({copy.stride, copy.radix});
  llvm::sort(positions);
  if (!positions.empty() && positions.front().first > 1)
    require(number % positions.front().first, 1);
  for (size_t i = 0; i + 1 < positions.size(); ++i) {
    auto [stride, radix] = positions[i];
    int64_t room = positions[i + 1].first / stride;
    if (room > radix)
      require(number.floorDiv(stride) % room, radix);
  }
  return result;
}

/// True in the designated writer of each element; null where there are no copies.
Value KernelLowering::isFirstCopy(mlir::Location loc, const Layout &layout) {
  Value result;
  for (const Spread &copy : layout.copies()) {
    if (copy.owner != Owner::Thread || copy.radix <= 1)
      continue;
    AffineExpr position = threadPosition(layout, copy.stride, copy.radix, builder.getAffineDimExpr(0));
    result = both(loc, result,
                  arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, apply(loc, position, {thread}),
                                        constant(loc, 0)));
  }
  return result;
}
