// KernelOps.td - the kernel and the explicit style: thread_id, sync.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_KERNEL_OPS_TD
#define TILE_KERNEL_OPS_TD

include "dialects/Tile/TileBase.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Tile_KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, AffineScope, Symbol, SingleBlock, NoTerminator]> {
  let summary = "one CUDA kernel: what each block of a grid does";
  let description = [{
    ```mlir
    tile.kernel @scale[%N](%x[%N]: memref<?xf32>, %s: f32) grid(%bx) in (%N ceildiv 1024) threads(256)
        where (%N mod 4 == 0) disjoint(%x) fastmath(contract) min_blocks(2) { … }
    ```
    The block's arguments are the size symbols, the arguments, the block indices, in this order. *Launch values* are
    the size symbols followed by the arguments of type index; `grid` and `where` are affine maps over them, the
    brackets of the arguments affine maps over the size symbols.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I64Attr:$numSymbols,
    // Per argument: an affine map (extents over the size symbols), or unit for none written.
    ArrayAttr:$argShapes,
    AffineMapAttr:$grid,
    I64Attr:$threads,
    // Two results a condition: left and right side, over the launch values.
    OptionalAttr<AffineMapAttr>:$whereMap,
    OptionalAttr<DenseI64ArrayAttr>:$whereKinds,
    // Groups of argument numbers promised not to overlap.
    OptionalAttr<ArrayAttr>:$disjoint,
    OptionalAttr<Arith_FastMathAttr>:$fastmath,
    OptionalAttr<I64Attr>:$minBlocks,
    // Grid axes, the one that changes first from block to block in front; none: in the order they are written.
    OptionalAttr<DenseI64ArrayAttr>:$blockOrder
  );
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  // What depends on the whole body (divergence, double writes) is checked after each op of it.
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    using BlockArguments = ::mlir::Block::BlockArgListType;
    /// The size symbols, index values bound at launch.
    BlockArguments getSymbols() { return getBody().getArguments().take_front(getNumSymbols()); }
    /// Tensors and scalars, in the order of the launch.
    BlockArguments getArguments() { return getBody().getArguments().slice(getNumSymbols(), getArgShapes().size()); }
    /// The block indices, one a grid axis.
    BlockArguments getBlockIds() { return getBody().getArguments().take_back(getGrid().getNumResults()); }
    /// The size symbols followed by the index arguments: what `grid` and `where` speak of.
    ::llvm::SmallVector<::mlir::Value> getLaunchValues();
    /// The comparison of each `where` condition.
    ::llvm::SmallVector<Comparison> getComparisons();
  }];
}

def Tile_ThreadIdOp : Tile_Op<"thread_id", [Pure]> {
  let summary = "the number of the executing thread, 0 … threads − 1";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_SyncOp : Tile_Op<"sync"> {
  let summary = "a barrier of the block; never removed";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // TILE_KERNEL_OPS_TD
