// LoopBodies.cpp - see LoopBodies.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopBodies.h"

using namespace mlir;

namespace tile {

AffineMap constantMap(ArrayRef<int64_t> values, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (int64_t value : values)
    exprs.push_back(getAffineConstantExpr(value, context));
  return AffineMap::get(0, 0, exprs, context);
}

Block::BlockArgListType enterBody(OpBuilder &builder, Location loc, Region &region, size_t rank) {
  Block &block = region.emplaceBlock();
  for (size_t i = 0; i < rank; ++i)
    block.addArgument(builder.getIndexType(), loc);
  builder.setInsertionPointToStart(&block);
  return block.getArguments();
}

bool isAtPoint(ParallelOp loop, AffineMap map, ValueRange indices) {
  return map.isIdentity() && llvm::equal(indices, loop.getInductionVars());
}

} // namespace tile
